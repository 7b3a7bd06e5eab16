import type { AnyEvent } from "../core/event.ts";
import { toolOf } from "../core/event.ts";
import { kept } from "../core/kept.ts";
import { readShell, type Shell } from "./shell.ts";

const NOTHING: Shell = {
  commands: [],
  loops: new Map(),
  started: [],
  unreadable: undefined,
  fileText: () => undefined,
  certain: () => [],
  ran: () => [],
};
const read = kept<AnyEvent, Shell>();
/**
 * Lines read lately: what was announced is reported soon after, and many are run again. A ring, and no Map: one that
 * always grows and shrinks leaves tables behind that keep every reading from a quick collection.
 */
const lately: { text: string; cwd: string; userHome: string; shell: Shell }[] = [];
let next = 0;
const MOST = 8;
const LONGEST = 16_000;

/** The command line of a shell call, read once however many policies ask. Nothing for any other tool. */
export function shellOf(event: AnyEvent, userHome: string): Shell {
  const tool = toolOf(event);
  if (tool?.kind !== "shell") return NOTHING;
  let shell = read.get(event);
  if (!shell) {
    const { command } = tool.input;
    shell = readLately(typeof command === "string" ? command : "", event.cwd, userHome);
    read.set(event, shell);
  }
  return shell;
}

/** A reading depends on nothing but these three, and nobody changes it. */
function readLately(text: string, cwd: string, userHome: string): Shell {
  const known = lately.find((one) => one.text === text && one.cwd === cwd && one.userHome === userHome);
  if (known) return known.shell;
  const shell = readShell(text, { cwd, variables: { HOME: userHome } });
  if (text.length > LONGEST) return shell;
  lately[next] = { text, cwd, userHome, shell };
  next = (next + 1) % MOST;
  return shell;
}
