// npm runs this at `npm ci`, `npm install` and `npm install --global .` in a checkout. It builds dist/. For a global
// install npm does not install the packages that the build needs, so they are installed here first.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { quoted } from "../bin/not-built.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
if (hasBuildPackages() || installPackages()) await import("./build.mjs");
else {
  const command = `cd ${quoted(root)} && npm ci && npm install --global .`;
  console.error(
    "Hookwright was not built: the packages that its build needs could not be installed (see npm's error above).\n" +
      `Check the connection to the npm registry, then run:\n  ${command}`,
  );
  process.exitCode = 1;
}

function hasBuildPackages() {
  const require = createRequire(import.meta.url);
  try {
    for (const name of ["esbuild", "typescript/package.json", "zod"]) require.resolve(name);
    return true;
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return false;
    throw error;
  }
}

/** npm passes its settings in the environment, also `--global`, which must not apply to this install. */
function installPackages() {
  const { npm_execpath: npm = "" } = process.env;
  const flags = ["ci", "--ignore-scripts", "--include=dev", "--global=false", "--location=project"];
  const isNpm = path.basename(npm) === "npm-cli.js";
  const [program, args] = isNpm ? [process.execPath, [npm, ...flags]] : ["npm", flags];
  return spawnSync(program, args, { cwd: root, stdio: "inherit" }).status === 0;
}
