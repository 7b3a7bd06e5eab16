import type { AnyEvent } from "../core/event.ts";
import { toolOf } from "../core/event.ts";
import { readShell, type Shell } from "./shell.ts";

const NOTHING: Shell = {
  commands: [],
  unreadable: undefined,
  fileText: () => undefined,
  certain: () => [],
  ran: () => [],
};
const read = new WeakMap<AnyEvent, Shell>();

/** The command line of a shell call, read once however many policies ask. Nothing for any other tool. */
export function shellOf(event: AnyEvent, userHome: string): Shell {
  const tool = toolOf(event);
  if (tool?.kind !== "shell") return NOTHING;
  let shell = read.get(event);
  if (!shell) {
    const { command } = tool.input;
    shell = readShell(typeof command === "string" ? command : "", { cwd: event.cwd, variables: { HOME: userHome } });
    read.set(event, shell);
  }
  return shell;
}
