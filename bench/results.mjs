// Results that are kept: one file per version of Node.
import fs from "node:fs";
import path from "node:path";

/** Sections of the same build stay and are replaced one by one; those of another build would not belong together. */
export function saveResult(folder, result) {
  const file = path.join(folder, `${result.node}.json`);
  const known = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : undefined;
  const isSame = known?.hookwright.build === result.hookwright.build && known.machine.cpu === result.machine.cpu;
  const sections = { ...(isSame ? known.sections : {}), ...result.sections };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify({ ...result, sections }, null, 2)}\n`);
  return path.relative(process.cwd(), file);
}

/** Oldest version first. */
export function readResults(folder) {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => /^v[\d.]+\.json$/.test(name)) : [];
  const results = files.map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")));
  return results.sort((a, b) => a.node.localeCompare(b.node, "en", { numeric: true }));
}
