// Writes the licences of the packages whose code is in the bundles: each of them asks for that.
import fs from "node:fs";
import path from "node:path";

/** These licences do not ask for their text. */
const WITHOUT_TEXT = ["Unlicense", "CC0-1.0", "0BSD"];

/** `results` are those of esbuild, with their metafiles. */
export function writeLicences(root, target, results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const names = inputs.flatMap((file) => /(?:^|:)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const texts = [...new Set(names)].sort().map((name) => {
    const folder = path.join(root, "node_modules", name);
    const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = fs.readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const head = `${name} ${version} (${license})\n`;
    if (file !== undefined) return `${head}\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
    if (WITHOUT_TEXT.includes(license)) return head;
    throw new Error(`${name} has no licence file: its code cannot be published in a bundle`);
  });
  fs.writeFileSync(target, texts.join(`\n${"-".repeat(80)}\n\n`));
}
