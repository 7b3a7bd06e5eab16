import type { EventOf } from "../../../core/event.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import { ownArguments } from "../../tools/own-arguments.ts";

/** The worker that a shell call reports itself to be, with `hookwright mode worker N …`. */
export function reportedWorker(event: EventOf<"tool.before">, userHome: string): string | undefined {
  const { command } = event.tool.input;
  if (event.tool.kind !== "shell" || typeof command !== "string" || !command.includes("worker")) return undefined;
  for (const one of shellOf(event, userHome).commands) {
    const words = ownArguments(one)?.filter((arg) => arg !== undefined && !arg.startsWith("-")) ?? [];
    const [mode, action, number = ""] = words;
    if (mode === "mode" && action === "worker" && /^[1-5]$/.test(number)) return `worker-${number}`;
  }
  return undefined;
}
