// Writes the declarations of the published modules.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ENTRIES = ["index.d.ts", "testing/index.d.ts"];

/** The compiler writes a declaration for every source that it reads; kept are those that an author's compiler reads. */
export function writeTypes(root, dist) {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const project = path.join(root, "scripts/tsconfig.types.json");
  // It ignores type errors, which `npm run check` reports.
  const made = spawnSync(process.execPath, [compiler, "--project", project], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`no types were written: ${made.stdout}${made.stderr}`);
  const types = path.join(dist, "types");
  const needed = new Set();
  for (const entry of ENTRIES) collect(path.join(types, entry), needed);
  for (const entry of fs.readdirSync(types, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !needed.has(file)) fs.rmSync(file);
  }
  removeEmptyFolders(types);
}

function collect(file, needed) {
  if (needed.has(file)) return;
  needed.add(file);
  for (const [, name] of fs.readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)\.[tj]s"/g))
    collect(path.join(path.dirname(file), `${name}.d.ts`), needed);
}

function removeEmptyFolders(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(path.join(folder, entry.name));
  if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
}
