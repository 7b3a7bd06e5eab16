// Writes the programs that start the command line where only dist/ exists: in a version folder and in the plugin.
import fs from "node:fs";
import path from "node:path";

/** `hookwright` for a folder that holds the files of dist/ side by side. */
const HOOKWRIGHT = `import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const args = process.argv.slice(2);
if (args[0] === "hook" && !args.includes("--help") && !args.includes("-h")) {
  createRequire(import.meta.url)(fileURLToPath(new URL("hook.cjs", import.meta.url))).main(args.slice(1));
} else {
  const { main } = await import(new URL("cli.mjs", import.meta.url).href);
  process.exitCode = await main(args);
}
`;

/** `engine` for an agent whose PATH has neither `engine` nor Node: node.path names the Node that hooks run with. */
const ENGINE = `#!/bin/sh
here=\${0%/*}
node=node
[ -r "$here/node.path" ] && read -r node < "$here/node.path"
[ -x "$node" ] || node=node
exec "$node" "$here/engine.mjs" "$@"
`;

export function writeLaunchers(root, dist) {
  fs.writeFileSync(path.join(dist, "hookwright.mjs"), HOOKWRIGHT);
  fs.copyFileSync(path.join(root, "bin/engine.mjs"), path.join(dist, "engine.mjs"));
  fs.writeFileSync(path.join(dist, "engine"), ENGINE);
  fs.chmodSync(path.join(dist, "engine"), 0o755);
}
