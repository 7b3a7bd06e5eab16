// Writes the marketplace with its plugins and their runtimes: a folder that needs nothing besides Node.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const LIST = ".claude-plugin/marketplace.json";

/** The plugins lie side by side there, because the client copies a plugin's whole folder. */
export function writeMarketplace(root, target) {
  const list = JSON.parse(fs.readFileSync(path.join(root, LIST), "utf8"));
  const folders = list.plugins.map(({ source }) => path.posix.normalize(source));
  for (const folder of folders) {
    const others = folders.filter((one) => one.startsWith(`${folder}/`));
    const isOwn = (name) => !others.some((other) => name === other || name.startsWith(`${other}/`));
    copyPlugin(root, folder, isOwn, path.join(target, nameOf(list, folder)));
  }
  const plugins = list.plugins.map((plugin) => ({ ...plugin, source: `./${plugin.name}` }));
  fs.mkdirSync(path.join(target, path.dirname(LIST)), { recursive: true });
  fs.writeFileSync(path.join(target, LIST), `${JSON.stringify({ ...list, plugins }, null, 2)}\n`);
  fs.copyFileSync(path.join(root, "LICENSE"), path.join(target, "LICENSE"));
}

const nameOf = (list, folder) => list.plugins.find(({ source }) => path.posix.normalize(source) === folder).name;

function copyPlugin(root, folder, isOwn, target) {
  const tracked = execFileSync("git", ["ls-files", "-z", folder], { cwd: root, encoding: "utf8" });
  for (const name of tracked.split("\0").filter((one) => one !== "" && isOwn(one))) {
    const copy = path.join(target, path.relative(folder, name));
    fs.mkdirSync(path.dirname(copy), { recursive: true });
    fs.copyFileSync(path.join(root, name), copy);
  }
  const runtime = path.join(root, folder, "runtime");
  if (!fs.existsSync(runtime)) return;
  // Without libsql, which only Node 20 needs: its binary is for one kind of machine (docs/platforms.md).
  const filter = (file) => path.basename(file) !== "node_modules";
  fs.cpSync(runtime, path.join(target, "runtime"), { recursive: true, filter });
}
