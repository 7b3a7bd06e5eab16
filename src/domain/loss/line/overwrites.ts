import type { EventOf } from "../../../core/event.ts";
import { type Effect, effect } from "../../../effects/effect.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import type { Grounds } from "../harmless.ts";
import { isLocalLoss } from "../snapshot-scope.ts";

/**
 * Files of the project that a tool writes as a whole. Writing is what an agent is there for, so nobody is asked about
 * it; but where losses are kept, what stood there before is one.
 */
export function overwrites(event: EventOf<"tool.before">, grounds: Grounds): readonly Effect[] {
  const { tool, writes } = event;
  if (tool.kind !== "edit" || typeof tool.input.content !== "string" || "old_string" in tool.input) return [];
  const [command] = shellOf(
    { ...event, tool: { ...tool, kind: "shell", input: { command: ":" } } },
    grounds.userHome,
  ).commands;
  if (!command) return [];
  const by = { ...command, program: tool.name };
  return writes
    .map((path) => effect("overwrite", by, `replaces the content of ${path}`, { target: path, path, ifExists: true }))
    .filter((one) => isLocalLoss(one, grounds));
}
