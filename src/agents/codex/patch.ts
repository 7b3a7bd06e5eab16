import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import { type PatchedFile, readPatch } from "../../core/text/patch.ts";

/** The arguments of an `apply_patch` call in our names: one edit for each file. A text that is no patch stays as it is. */
export function patchInput(given: JsonObject): JsonObject {
  const patch = given.command;
  const files = typeof patch === "string" ? readPatch(patch) : [];
  return files.length === 0 ? given : { edits: files.flatMap(editsOf) };
}

function editsOf({ kind, path, movedTo, before, after }: PatchedFile): JsonObject[] {
  // A deleted file is one whose whole content becomes nothing.
  const edit = kind === "update" ? { old_string: before, new_string: after } : { content: after };
  const target = movedTo ?? path;
  return [...(movedTo === undefined ? [] : [{ file_path: path }]), { file_path: target, ...edit }];
}

/** The files that the call writes, moves or deletes; undefined where they cannot be known. */
export function patchedFiles({ edits }: JsonObject): readonly string[] | undefined {
  if (!Array.isArray(edits)) return undefined;
  return [
    ...new Set(
      edits.flatMap((edit: Json) => (isObject(edit) && typeof edit.file_path === "string" ? [edit.file_path] : [])),
    ),
  ];
}
