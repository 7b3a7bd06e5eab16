import { entriesIn, entryTime, isOld, readNotes, written } from "./notes.ts";
import {
  contentOf,
  isComment,
  lineEndOf,
  SECTIONS,
  type SectionBody,
  type SectionName,
  sectionBody,
} from "./sections.ts";

/** Each edit leaves every byte alone that it is not about. */

/** Replaces the whole priority context. */
export function withPriority(text: string, note: string): string {
  const [prepared, body] = withSection(text, "priority");
  const end = lineEndOf(text);
  const [from, to] = contentRange(body);
  const lines = written(note).map((line) => line + end);
  return `${lineEnded(prepared.slice(0, from), end)}${lines.join("")}${beforeNext(prepared.slice(to), end)}`;
}

/** Adds an entry at the end of a section. The same note of the same minute is added once. */
export function withEntry(text: string, name: "working" | "manual", note: string, at: number): string {
  const time = entryTime(at);
  const lines = written(note);
  const known = readNotes(text)[name];
  if (known.some((entry) => entry.time === time && written(entry.text).join("\n") === lines.join("\n"))) return text;
  const [prepared, body] = withSection(text, name);
  const end = lineEndOf(text);
  const [, to] = contentRange(body);
  const entry = ["", `### ${time}`, ...lines].map((line) => line + end).join("");
  return `${lineEnded(prepared.slice(0, to), end)}${entry}${beforeNext(prepared.slice(to), end)}`;
}

/** Removes the entries of the working memory that are too old. */
export function withoutOldEntries(text: string, now: number): string {
  return without(
    text,
    readNotes(text).working.filter((entry) => isOld(entry, now)),
  );
}

/** Empties a section: the priority context as a whole, of the others the entries. */
export function cleared(text: string, name: SectionName): string {
  const body = sectionBody(text, name);
  if (!body) return text;
  if (name !== "priority") return without(text, entriesIn(body));
  const [from, to] = contentRange(body);
  return text.slice(0, from) + text.slice(to);
}

function without(text: string, entries: readonly { readonly from: number; readonly to: number }[]): string {
  return entries.reduceRight((rest, { from, to }) => {
    const before = rest.slice(0, from);
    // The blank line before the last note of the file was added with it.
    return to === rest.length ? before.replace(/(\n)\r?\n$/, "$1") : before + rest.slice(to);
  }, text);
}

/** The text and the section in it, which is added at the end if the text has none. */
function withSection(text: string, name: SectionName): [text: string, body: SectionBody] {
  const body = sectionBody(text, name);
  if (body) return [text, body];
  const end = lineEndOf(text);
  const gap = text.trim() === "" ? "" : end;
  const added = `${lineEnded(text, end)}${gap}${SECTIONS[name]}${end}`;
  return [added, { from: added.length, to: added.length, lines: [] }];
}

/** From the first to the last line of a section that says something; a comment at its top stays where it is. */
function contentRange({ from, lines }: SectionBody): [from: number, to: number] {
  const isBlank = (line: (typeof lines)[number]): boolean => contentOf(line).trim() === "";
  const comments = lines.findIndex((line) => !isComment(contentOf(line)));
  const top = comments < 0 ? lines : lines.slice(0, comments);
  const start = top.at(-1)?.to ?? from;
  const last = lines.findLast((line) => !isBlank(line));
  return [start, Math.max(start, last?.to ?? start)];
}

function lineEnded(text: string, end: string): string {
  return text === "" || text.endsWith("\n") ? text : text + end;
}

/** A heading that follows keeps a blank line before it. */
function beforeNext(rest: string, end: string): string {
  return rest === "" || /^\r?\n/.test(rest) ? rest : end + rest;
}
