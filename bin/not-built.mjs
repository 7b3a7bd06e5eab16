// What to do when the programs that `npm run build` makes are missing.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url)).replace(/\/$/, "");

/** For a shell, whatever the folder is called. */
export function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function notBuilt() {
  const isCheckout = existsSync(`${root}/scripts/build.mjs`);
  const what = isCheckout ? "it is not built yet" : "this installation is damaged";
  const command = isCheckout ? `cd ${quoted(root)} && npm ci` : "npm install --global hookwright";
  return `hookwright: ${what}: ${root}/dist/ is missing. Run this command, then try again:\n  ${command}\n`;
}
