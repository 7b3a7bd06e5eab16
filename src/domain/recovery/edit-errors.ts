import path from "node:path";
import type { EventOf, Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

/**
 * - missing: the text to be replaced is not in the file
 * - several: it is there more than once
 * - same: the new text is the old one
 * - unread: the agent has not read the file
 * - changed: somebody else changed the file after it was read
 */
export const EDIT_ERRORS = ["missing", "several", "same", "unread", "changed"] as const;
export type EditError = (typeof EDIT_ERRORS)[number];

/** What clients say; the other names of the two texts are those of opencode. */
const SENTENCES: Readonly<Record<EditError, RegExp>> = {
  missing: /string to replace (?:was )?not found|old_?string not found/i,
  several: /found \d+ matches|found multiple times/i,
  same: /(?:exactly the same|must be different)/i,
  unread: /not been read yet/i,
  changed: /modified since/i,
};
/** A client puts this before the reason for which it rejected a call; no result of a tool that ran begins with it. */
const REJECTED = "<tool_use_error>";

export interface RejectedEdit {
  readonly file: string;
  readonly error: EditError;
}

/** The edits of a batch that the client rejected before any tool ran, each file and error once. */
export function rejectedEdits({ calls, cwd }: EventOf<"batch.after">): RejectedEdit[] {
  const found = calls.flatMap(({ kind, input, response }) => {
    const text = textOf(response).trimStart();
    if (kind !== "edit" || !text.startsWith(REJECTED)) return [];
    return editWith(fileIn(input, cwd), text.slice(REJECTED.length));
  });
  return found.filter(
    ({ file, error }, at) => at === found.findIndex((one) => one.file === file && one.error === error),
  );
}

/** The same for an edit that was started and failed. */
export function failedEdit({ tool, writes, error, interrupted }: EventOf<"tool.failed">): RejectedEdit[] {
  return tool.kind === "edit" && !interrupted ? writes.flatMap((file) => editWith(file, error)) : [];
}

/** The file that a call has read; undefined for any other call. */
export function readFile({ tool, cwd }: EventOf<"tool.after">): string | undefined {
  return tool.kind === "read" ? fileIn(tool.input, cwd) : undefined;
}

function editWith(file: string | undefined, reason: string): RejectedEdit[] {
  // The lines below the first one quote the edit itself.
  const [line = ""] = reason.trimStart().split("\n", 1);
  const error = EDIT_ERRORS.find((one) => SENTENCES[one].test(line));
  return file === undefined || error === undefined ? [] : [{ file, error }];
}

function fileIn(input: JsonObject, cwd: string): string | undefined {
  const file = input.file_path ?? input.notebook_path;
  return typeof file === "string" && file !== "" && !file.includes("\0") ? path.resolve(cwd, file) : undefined;
}

function textOf(response: Json): string {
  if (typeof response === "string") return response;
  const [first] = Array.isArray(response) ? response : [];
  return isObject(first) && typeof first.text === "string" ? first.text : "";
}
