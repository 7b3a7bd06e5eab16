import type { Command } from "../../shell/command.ts";

const LAUNCHERS = new Set(["npx", "bunx", "pnpx", "node", "npm"]);
const OUR_PROGRAM = /(?:^|\/)hookwright(?:\.mjs|@[^/]*)?$/;

/** The arguments for our command line, if the command starts it: by name, through a launcher, or as a file with Node. */
export function ownArguments({ program, args }: Command): readonly (string | undefined)[] | undefined {
  if (program === "hookwright" || program === "hookwright.mjs") return args;
  const at = LAUNCHERS.has(program ?? "") ? args.findIndex((arg) => arg !== undefined && OUR_PROGRAM.test(arg)) : -1;
  return at < 0 ? undefined : args.slice(at + 1);
}
