import path from "node:path";
import { type EventOf, isObject, type JsonObject } from "../../core/event.ts";

/** A file, or the part of it that was edited, before and after the edit. */
export interface EditedText {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** False where only the edited part is known, so that its lines have no number. */
  readonly isWhole: boolean;
}

/** A longer text is no text that somebody writes comments in. */
const LONGEST = 500_000;

/** What Edit or Write has changed, by the tool's own report; undefined where that does not say what was there before. */
export function editedText({ tool, response, writes }: EventOf<"tool.after">): EditedText | undefined {
  const [file] = writes;
  if (file === undefined || !isObject(response)) return undefined;
  const original = textOf(response.originalFile);
  const edited = tool.name === "Write" ? written(tool.input, response, original) : replaced(tool.input, original);
  if (!edited || edited.before.length > LONGEST || edited.after.length > LONGEST) return undefined;
  return { file: path.normalize(file), ...edited };
}

type Texts = Omit<EditedText, "file">;

function written(input: JsonObject, response: JsonObject, original: string | undefined): Texts | undefined {
  const after = textOf(response.content) ?? textOf(input.content);
  // Without its old text, comments of a file that was written anew would all count as new.
  const before = original ?? (response.type === "create" ? "" : undefined);
  return after === undefined || before === undefined ? undefined : { before, after, isWhole: true };
}

function replaced(input: JsonObject, original: string | undefined): Texts | undefined {
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  let part = { before: "", after: "" };
  let whole = original;
  for (const edit of edits) {
    if (!isObject(edit)) return undefined;
    const [old, fresh] = [textOf(edit.old_string), textOf(edit.new_string)];
    if (old === undefined || fresh === undefined) return undefined;
    part = { before: `${part.before}${old}\n`, after: `${part.after}${fresh}\n` };
    whole = whole?.includes(old) ? withReplaced(whole, old, fresh, edit.replace_all === true) : undefined;
  }
  if (original !== undefined && whole !== undefined) return { before: original, after: whole, isWhole: true };
  return { ...part, isWhole: false };
}

function withReplaced(text: string, old: string, fresh: string, isEverywhere: boolean): string {
  return isEverywhere && old !== "" ? text.replaceAll(old, () => fresh) : text.replace(old, () => fresh);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
