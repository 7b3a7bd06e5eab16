import fs from "node:fs";
import path from "node:path";
import { describe, HookwrightError } from "../../core/errors.ts";
import type { Json } from "../../core/event.ts";
import type { Database } from "../../state/database.ts";
import { maskText } from "../../state/masking.ts";
import { type EditCrashPoint, editTextFile, readTextFile } from "../../system/edit-text-file.ts";
import { makeFolder } from "../../system/make-folder.ts";
import { system } from "../../system/system.ts";
import { NOTEPAD_ONLY } from "../omc-folder/ignore-file.ts";
import { withEntry, withoutOldEntries, withPriority } from "./edits.ts";
import { notepadFile, unusablePlace } from "./place.ts";
import { NEW_NOTEPAD } from "./sections.ts";

/** The notepad as it is, for a person who asks for it; undefined when there is none. */
export function readNotepad(project: string): string | undefined {
  assertUsable(project);
  return readTextFile(notepadFile(project))?.text;
}

/** Changes the notepad. `edit` gets the text of a new one if there is none. Returns false when nothing changed. */
export function editNotepad(
  project: string,
  db: Pick<Database, "transaction">,
  edit: (text: string) => string,
  reached: EditCrashPoint,
): boolean {
  assertUsable(project);
  const file = notepadFile(project);
  const change = (text: string | undefined): string | undefined => {
    // Once more, because the text may be read again after a while.
    assertUsable(project);
    const after = edit(text ?? NEW_NOTEPAD);
    if (text !== undefined) return after;
    if (after === NEW_NOTEPAD) return undefined;
    prepareFolder(path.dirname(file));
    return after;
  };
  // The lock of the database keeps two processes of ours from replacing each other's text.
  const done = db.transaction(() => editTextFile(file, change, reached));
  if (!done) throw new HookwrightError("HW_STATE_BUSY");
  return done.value;
}

function assertUsable(project: string): void {
  const detail = unusablePlace(project, system.info);
  if (detail !== "") throw new HookwrightError("HW_FILE_EDIT", { file: notepadFile(project), detail });
}

/** Git shows nothing new: a folder that we make ignores everything in it, and any other the notepad alone. */
function prepareFolder(folder: string): void {
  try {
    const ignored = makeFolder(folder) === undefined ? NOTEPAD_ONLY : "*\n";
    fs.writeFileSync(path.join(folder, ".gitignore"), ignored, { flag: "wx" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw new HookwrightError("HW_WRITE_FAILED", { file: folder, detail: describe(error) }, error);
  }
}

/** Work that a hook leaves to a job, because an event is settled in the database alone. */
export const NOTEPAD_JOB = "notepad/edit";

export interface NotepadJob {
  readonly project: string;
  /** Notes that are added, in this order, with their time. */
  readonly notes: readonly { readonly isPriority: boolean; readonly text: string }[];
  readonly at: number;
  /** Are entries removed that are too old by then? */
  readonly prunes: boolean;
}

export function notepadJob(job: NotepadJob): Json {
  const notes = job.notes.map((note) => ({ ...note, text: maskText(note.text) }));
  return { ...job, notes };
}

/** It may run twice: a note is added once, because its time is part of the job. */
export function runNotepadJob(args: Json, db: Database, reached: EditCrashPoint): void {
  const { project, notes, at, prunes } = args as unknown as NotepadJob;
  const edit = (text: string): string => {
    const pruned = prunes ? withoutOldEntries(text, at) : text;
    return notes.reduce(
      (before, note) =>
        note.isPriority ? withPriority(before, note.text) : withEntry(before, "working", note.text, at),
      pruned,
    );
  };
  editNotepad(project, db, edit, reached);
}
