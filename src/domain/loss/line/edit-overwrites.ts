import path from "node:path";
import { type EventOf, isObject, type Json, type JsonObject } from "../../../core/event.ts";
import { type Effect, effect } from "../../../effects/effect.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import type { FolderContext } from "../harmless.ts";
import { isLocalLoss } from "../snapshot-scope.ts";

/**
 * Files of the project that an edit tool replaces as a whole. Writing files is the agent's job, so this is never asked
 * about; but where snapshots are on, the replaced content goes into one.
 */
export function editOverwrites(event: EventOf<"tool.before">, context: FolderContext): readonly Effect[] {
  const { tool } = event;
  const replaced = tool.kind === "edit" ? replacedFiles(event) : [];
  if (replaced.length === 0) return [];
  const [command] = shellOf(
    { ...event, tool: { ...tool, kind: "shell", input: { command: ":" } } },
    context.userHome,
  ).commands;
  if (!command) return [];
  const by = { ...command, program: tool.name };
  return replaced
    .map((path) => effect("overwrite", by, `replaces the content of ${path}`, { target: path, path, ifExists: true }))
    .filter((one) => isLocalLoss(one, context));
}

/** A call that edits several files names each beside its new text. */
function replacedFiles({ tool: { input }, writes, cwd }: EventOf<"tool.before">): readonly string[] {
  const isWhole = (edit: JsonObject): boolean => typeof edit.content === "string" && !("old_string" in edit);
  if (!Array.isArray(input.edits)) return isWhole(input) ? writes : [];
  const edits = input.edits.filter((edit: Json): edit is JsonObject => isObject(edit) && isWhole(edit));
  return edits.flatMap(({ file_path: file }) => (typeof file === "string" ? [path.resolve(cwd, file)] : []));
}
