import type { EventOf } from "../../../core/event.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import { ownArguments } from "../../tools/own-arguments.ts";
import { isMode, type ModeName } from "../modes.ts";

const STARTS = ["start", "resume"];
/** Options of `hookwright mode` that take the next word. */
const TAKES_WORD = /^--(?:session|goal|command|agents|stages|rounds)$/;

/** The mode that a shell call starts or resumes with `hookwright mode`; `any` when that is known only when it runs. */
export function modeOfStartCommand(event: EventOf<"tool.before">, userHome: string): ModeName | "any" | undefined {
  const { command } = event.tool.input;
  if (event.tool.kind !== "shell" || typeof command !== "string" || !command.includes("hookwright")) return undefined;
  for (const one of shellOf(event, userHome).commands) {
    const args = ownArguments(one);
    const started = args && startedBy(args);
    if (started !== undefined) return started;
  }
  return undefined;
}

/** A word that is not known here could be any. */
function startedBy([name, ...rest]: readonly (string | undefined)[]): ModeName | "any" | undefined {
  if ((name ?? "mode") !== "mode" || rest.includes("--help") || rest.includes("-h")) return undefined;
  const isValue = (at: number): boolean => TAKES_WORD.test(rest[at - 1] ?? "");
  const [action, mode] = rest.filter((word, at) => !isValue(at) && !word?.startsWith("-"));
  const isStart = action === undefined ? rest.length > 0 && name !== undefined : STARTS.includes(action);
  if (!isStart) return undefined;
  return mode !== undefined && isMode(mode) ? mode : "any";
}
