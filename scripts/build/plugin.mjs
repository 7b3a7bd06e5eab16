// Copies what the hooks and the command line of a plugin run into its folder `runtime`, so that the folder is complete.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** The plugins that have hooks of ours. Each is installed by itself, so each has its own copy. */
const PLUGINS = ["plugin", "plugin/omc"];

/** The files that the command line and the hooks run. Without the compiled client: it runs on one platform only. */
const FILES = [
  "hook.cjs",
  "engine.cjs",
  "daemon.cjs",
  "fleet-link.cjs",
  "config.cjs",
  "patterns.cjs",
  "outside-worker.cjs",
  "statusline.cjs",
  "modes-text.cjs",
  "cli.mjs",
  "mcp-library.mjs",
  "third-party-licences.txt",
  "hookwright.mjs",
  "engine.mjs",
  "engine",
  "env.list",
  "build.json",
];

export function buildPlugins(root, dist) {
  const packages = sqlitePackages(root);
  for (const plugin of PLUGINS) buildPlugin(path.join(root, plugin, "runtime"), dist, packages);
}

function buildPlugin(runtime, dist, packages) {
  // A running hook may use the folder, so it is replaced as a whole.
  const draft = `${runtime}.${process.pid}`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { recursive: true });
  for (const name of FILES) {
    const file = path.join(dist, name);
    if (fs.existsSync(file)) fs.copyFileSync(file, path.join(draft, name));
  }
  for (const { name, folder } of packages) {
    const filter = (file) => path.basename(file) !== "node_modules";
    fs.cpSync(folder, path.join(draft, "node_modules", name), { recursive: true, dereference: true, filter });
  }
  fs.rmSync(runtime, { recursive: true, force: true });
  fs.renameSync(draft, runtime);
}

/** libsql and the packages it loads on this machine, for Node 20, which has no built-in SQLite. */
function sqlitePackages(root) {
  const folderOf = (from, name) => {
    try {
      let at = path.dirname(fs.realpathSync(createRequire(path.join(from, "package.json")).resolve(name)));
      while (!fs.existsSync(path.join(at, "package.json"))) at = path.dirname(at);
      return at;
    } catch (error) {
      if (error.code === "MODULE_NOT_FOUND") return undefined;
      throw error;
    }
  };
  const libsql = folderOf(root, "libsql");
  if (libsql === undefined) return [];
  const { neon } = JSON.parse(fs.readFileSync(path.join(libsql, "package.json"), "utf8"));
  return [
    { name: "libsql", folder: libsql },
    ...["@neon-rs/load", "detect-libc", ...Object.values(neon.targets)]
      .map((name) => ({ name, folder: folderOf(libsql, name) }))
      .filter(({ folder }) => folder !== undefined),
  ];
}
