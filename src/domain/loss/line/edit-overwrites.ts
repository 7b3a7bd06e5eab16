import type { EventOf } from "../../../core/event.ts";
import { type Effect, effect } from "../../../effects/effect.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import type { FolderContext } from "../harmless.ts";
import { isLocalLoss } from "../snapshot-scope.ts";

/**
 * Files of the project that an edit tool replaces as a whole. Writing files is the agent's job, so this is never asked
 * about; but where snapshots are on, the replaced content goes into one.
 */
export function editOverwrites(event: EventOf<"tool.before">, context: FolderContext): readonly Effect[] {
  const { tool, writes } = event;
  if (tool.kind !== "edit" || typeof tool.input.content !== "string" || "old_string" in tool.input) return [];
  const [command] = shellOf(
    { ...event, tool: { ...tool, kind: "shell", input: { command: ":" } } },
    context.userHome,
  ).commands;
  if (!command) return [];
  const by = { ...command, program: tool.name };
  return writes
    .map((path) => effect("overwrite", by, `replaces the content of ${path}`, { target: path, path, ifExists: true }))
    .filter((one) => isLocalLoss(one, context));
}
