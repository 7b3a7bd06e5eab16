// The product's own check, called in this process: `hookwright check` for thousands of lines would take minutes.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const dist = path.join(root, "dist");

// The person's home must not be in a folder for temporary files, where nothing counts as lost.
export async function openJudge(parent) {
  const product = await load();
  const room = fs.realpathSync(fs.mkdtempSync(path.join(os.homedir(), "hookwright-corpus-")));
  const userHome = path.join(room, "person");
  fs.mkdirSync(userHome);
  const cwd = fs.realpathSync(fs.mkdtempSync(path.join(parent ?? userHome, "project-")));
  const env = { PATH: process.env.PATH ?? "", HOME: userHome, HOOKWRIGHT_HOME: path.join(room, "state") };
  const home = product.homeAt(env.HOOKWRIGHT_HOME, userHome);
  return {
    check: (command) => product.checkCommandLine(command, { home, dist, cwd, env }),
    cwd,
    env,
    close: () => {
      fs.rmSync(room, { recursive: true, force: true });
      fs.rmSync(cwd, { recursive: true, force: true });
    },
  };
}

async function load() {
  const contents = [
    'export { checkCommandLine } from "./src/cli/commands/check/check-command-line.ts";',
    'export { homeAt } from "./src/system/home.ts";',
  ].join("\n");
  const scratch = fs.mkdtempSync(path.join(root, "node_modules/.hookwright-corpus-"));
  try {
    const outfile = path.join(scratch, "check.mjs");
    await build({
      stdin: { contents, resolveDir: root, loader: "ts" },
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      logLevel: "error",
      external: ["libsql"],
      banner: { js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);' },
      absWorkingDir: root,
      outfile,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
