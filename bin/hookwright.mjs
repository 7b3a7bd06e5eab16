#!/usr/bin/env node
// The launcher: `hook` goes straight to the client, the status line to its own small bundle, everything else to the
// command line.
import { existsSync, fstatSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const dist = new URL("../dist/", import.meta.url);
const args = wordsOf(process.argv.slice(2));

/**
 * Copilot CLI also runs the hooks that Claude Code has in a project, but leaves out their arguments. An event comes through a
 * pipe or a socket; a person who types the bare name has neither. What came by hooks of Copilot CLI itself is not decided again.
 */
function wordsOf(given) {
  if (given.length > 0 || process.env.COPILOT_CLI !== "1") return given;
  const input = fstatSync(0);
  return input.isFIFO() || input.isSocket() ? ["hook", "--agent", "copilot-cli", "--via", "claude-code"] : given;
}

if (!existsSync(new URL("cli.mjs", dist))) {
  const { notBuilt } = await import("./not-built.mjs");
  process.stderr.write(notBuilt());
  process.exitCode = 1;
} else if (args[0] === "hook" && !args.includes("--help") && !args.includes("-h")) {
  createRequire(import.meta.url)(fileURLToPath(new URL("hook.cjs", dist))).main(args.slice(1));
} else if (args.length === 1 && args[0] === "statusline") {
  const { main } = createRequire(import.meta.url)(fileURLToPath(new URL("statusline.cjs", dist)));
  process.exitCode = await main();
} else {
  const { main } = await import(new URL("cli.mjs", dist).href);
  process.exitCode = await main(args);
}
