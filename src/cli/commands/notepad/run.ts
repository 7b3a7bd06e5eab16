import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import { editNotepad, readNotepad } from "../../../domain/notepad/edit-notepad.ts";
import { cleared, withEntry, withoutOldEntries, withPriority } from "../../../domain/notepad/edits.ts";
import { entryTime, KEPT_DAYS, LONGEST_PRIORITY, readNotes, TARGET_BYTES } from "../../../domain/notepad/notes.ts";
import { NOTEPAD, notepadFile } from "../../../domain/notepad/place.ts";
import { contentOf, type SectionName, sectionBody } from "../../../domain/notepad/sections.ts";
import { Database } from "../../../state/database.ts";
import { maskText } from "../../../state/masking.ts";
import { crashPoint } from "../../../system/crash-point.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { type Input, readInput } from "../../terminal/standard-input.ts";

const BUSY_MS = 10_000;
const LARGEST_NOTE = 20_000;
const NAMES: Readonly<Record<SectionName, string>> = {
  priority: "priority context",
  working: "working memory",
  manual: "section MANUAL",
};

export interface NotepadParts {
  now(): number;
  readonly input: Input;
}

interface Call extends CommandContext, NotepadParts {
  readonly project: string;
  readonly words: readonly string[];
  /** The section that an option names. */
  readonly named: SectionName | undefined;
}

const ACTIONS: Readonly<Record<string, (call: Call) => Promise<void> | void>> = { show, add, prune, clear };

export async function runNotepad(context: CommandContext, parts: NotepadParts): Promise<number> {
  const [name = "show", ...words] = context.args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const names = Object.keys(ACTIONS);
  if (!action) {
    throw usageError(`There is no action \`${name}\`.${nearestName(name, names)} \`notepad add TEXT\` adds a note.`);
  }
  const { priority, manual } = context.options;
  if (priority && manual) throw usageError("Give --priority or --manual, not both.");
  if (name !== "add" && words.length > 0) throw usageError(`\`${name}\` takes no text, and got \`${words[0]}\`.`);
  const named = priority ? "priority" : manual ? "manual" : undefined;
  await action({ ...context, ...parts, words, named, project: projectRoot(context.cwd, system) });
  return 0;
}

function usageError(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "notepad" });
}

function show(call: Call): void {
  const { project, named, options, out } = call;
  const text = readNotepad(project);
  const { priority, working, manual } = readNotes(text ?? "");
  const bytes = Buffer.byteLength(text ?? "");
  if (options.json) {
    const entries = (list: typeof working) => list.map((one) => ({ time: one.time, text: one.text }));
    const all = { priority, working: entries(working), manual: entries(manual) };
    const file = notepadFile(project);
    const oldest = working.toSorted((one, other) => one.at - other.at)[0]?.time ?? null;
    const shown = named === undefined ? all : { [named]: all[named] };
    out(JSON.stringify({ file, exists: text !== undefined, bytes, oldest, ...shown }));
    return;
  }
  if (text === undefined) {
    out(`This project has no notepad. \`hookwright notepad add TEXT\` begins ${NOTEPAD}.`);
    return;
  }
  const body = named && sectionBody(text, named);
  const shown = named === undefined ? text : (body?.lines ?? []).map(contentOf).join("\n");
  out(shown.trim() === "" ? `The ${NAMES[named ?? "working"]} is empty.` : shown.trim());
  warnAboutSize(call, text);
}

async function add(call: Call): Promise<void> {
  const { now, out, options, named, err } = call;
  const section = named ?? "working";
  const given = await noteOf(call);
  const note = maskText(given);
  if (note !== given) err("hookwright: a secret in the text was replaced by [masked].");
  const at = now();
  const text = edit(call, (before) =>
    section === "priority" ? withPriority(before, note) : withEntry(before, section, note, at),
  );
  const { file, changed } = text;
  if (section === "priority" && note.length > LONGEST_PRIORITY) {
    err(`hookwright: the note has ${note.length} characters; sessions are told the first ${LONGEST_PRIORITY}.`);
  }
  warnAboutSize(call, text.after);
  const time = section === "priority" ? null : entryTime(at);
  if (options.json) out(JSON.stringify({ file, section, time, changed }));
  else out(changed ? `Added to the ${NAMES[section]} in ${NOTEPAD}.` : `The ${NAMES[section]} says that already.`);
}

async function noteOf({ words, input }: Call): Promise<string> {
  const isInput = words.length === 1 && words[0] === "-";
  const text = isInput ? (await readInput(input, LARGEST_NOTE + 1)).toString("utf8") : words.join(" ");
  if (text.trim() === "") throw usageError("`add` needs a text, or `-` for standard input.");
  if (text.length <= LARGEST_NOTE) return text.toWellFormed();
  throw usageError(`The text has more than ${LARGEST_NOTE} characters. Put it into a file and note where that is.`);
}

function prune(call: Call): void {
  const { now, out, options, named } = call;
  if (named !== undefined) throw usageError("`prune` is about the working memory alone.");
  const { file, before, after } = edit(call, (text) => withoutOldEntries(text, now()));
  const removed = countOf(before, "working") - countOf(after, "working");
  if (options.json) out(JSON.stringify({ file, removed }));
  else out(removed === 0 ? `No note is older than ${KEPT_DAYS} days.` : `Removed ${notes(removed)}.`);
}

function clear(call: Call): void {
  const { out, options, named = "working" } = call;
  const { file, before, after, changed } = edit(call, (text) => cleared(text, named));
  const removed = countOf(before, named) - countOf(after, named);
  if (options.json) out(JSON.stringify({ file, section: named, removed, changed }));
  else if (!changed) out(`The ${NAMES[named]} is empty.`);
  else out(named === "priority" ? "Emptied the priority context." : `Removed ${notes(removed)}.`);
}

function countOf(text: string, section: SectionName): number {
  const { priority, working, manual } = readNotes(text);
  if (section === "priority") return priority === "" ? 0 : 1;
  return (section === "working" ? working : manual).length;
}

const notes = (count: number): string => (count === 1 ? "1 note" : `${count} notes`);

interface Edited {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly changed: boolean;
}

function edit({ env, project }: Call, change: (text: string) => string): Edited {
  const home = homeOf(env);
  const db = new Database(home.database, BUSY_MS);
  let [before, after] = ["", ""];
  try {
    const changed = editNotepad(
      project,
      db,
      (text) => {
        [before, after] = [text, change(text)];
        return after;
      },
      (point) => crashPoint(home.root, point),
    );
    return { file: notepadFile(project), before, after, changed };
  } finally {
    db.close();
  }
}

function warnAboutSize({ err }: Call, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= TARGET_BYTES) return;
  err(`hookwright: ${NOTEPAD} has ${bytes} bytes, more than the ${TARGET_BYTES} that are of use. Remove what is over.`);
}
