import type { AnyEvent } from "../core/event.ts";
import { readShell, type Shell } from "../shell/shell.ts";
import { withPowerShell } from "./languages/powershell/commands.ts";

const NOTHING: Shell = {
  commands: [],
  loops: new Map(),
  started: [],
  unreadable: undefined,
  fileText: () => undefined,
  certain: () => [],
  ran: () => [],
};
const read = new WeakMap<AnyEvent, Shell>();
/**
 * Lines read lately: what was announced is reported soon after, and many are run again. A ring, and no Map: one that
 * always grows and shrinks leaves tables behind that keep every reading from a quick collection.
 */
const lately: { text: string; cwd: string; userHome: string; shell: Shell }[] = [];
let next = 0;
const MOST = 8;
const LONGEST = 16_000;

/** What a shell call runs, as a line of bash: the text of another shell is handed to that one. */
export function lineOf(event: AnyEvent): string | undefined {
  const tool = event.tool;
  const command = tool?.kind === "shell" ? tool.input.command : undefined;
  if (typeof command !== "string") return undefined;
  if (tool?.dialect !== "powershell") return command;
  return `pwsh -NoProfile -Command '${command.replaceAll("'", "'\\''")}'`;
}

/** The command line of a shell call, read once however many policies ask. Nothing for any other tool. */
export function shellOf(event: AnyEvent, userHome: string): Shell {
  const tool = event.tool;
  if (tool?.kind !== "shell") return NOTHING;
  let shell = read.get(event);
  if (!shell) {
    shell = readLately(lineOf(event) ?? "", event.cwd, userHome);
    read.set(event, shell);
  }
  return shell;
}

/** A reading depends on nothing but these three, and nobody changes it. */
function readLately(text: string, cwd: string, userHome: string): Shell {
  const known = lately.find((one) => one.text === text && one.cwd === cwd && one.userHome === userHome);
  if (known) return known.shell;
  const shell = withPowerShell(readShell(text, { cwd, variables: { HOME: userHome } }), cwd, userHome);
  if (text.length > LONGEST) return shell;
  lately[next] = { text, cwd, userHome, shell };
  next = (next + 1) % MOST;
  return shell;
}
