// Writes the licences of the packages whose code is in the bundles: each of them asks for that.
import fs from "node:fs";
import path from "node:path";

/** `results` are those of esbuild, with their metafiles. */
export function writeLicences(root, target, results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const names = inputs.flatMap((file) => /(?:^|:)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const texts = [...new Set(names)].sort().map((name) => {
    const folder = path.join(root, "node_modules", name);
    const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = fs.readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} has no licence file: its code cannot be published in a bundle`);
    return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
  });
  fs.writeFileSync(target, texts.join(`\n${"-".repeat(80)}\n\n`));
}
