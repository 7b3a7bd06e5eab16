import { contentOf, isComment, type SectionBody, sectionBody } from "./sections.ts";

/** How much of the priority context is put into the context. */
export const LONGEST_PRIORITY = 500;
/** The size above which a person is told that the notepad is too large to be of use. */
export const TARGET_BYTES = 8 * 1024;
export const KEPT_DAYS = 7;

const DAY_MS = 86_400_000;
/** `### 2026-01-02 03:04`, in the local time zone. */
const ENTRY = /^### (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d)$/;

export interface Entry {
  /** As in its heading. */
  readonly time: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
  /** From its heading up to the next one. */
  readonly from: number;
  readonly to: number;
}

export interface Notes {
  readonly priority: string;
  readonly working: readonly Entry[];
  readonly manual: readonly Entry[];
}

export function readNotes(text: string): Notes {
  return {
    priority: priorityOf(text),
    working: entriesIn(sectionBody(text, "working")),
    manual: entriesIn(sectionBody(text, "manual")),
  };
}

function priorityOf(text: string): string {
  const lines = sectionBody(text, "priority")?.lines.map(contentOf) ?? [];
  // What stands above it says what the section is for.
  const start = lines.findIndex((line) => !isComment(line));
  return start < 0 ? "" : readable(lines.slice(start));
}

/** The entries of a section. What a person has written above the first one belongs to none. */
export function entriesIn(body: SectionBody | undefined): Entry[] {
  const entries: Entry[] = [];
  const { lines = [] } = body ?? {};
  for (const [index, line] of lines.entries()) {
    const content = contentOf(line);
    const at = timeOf(content);
    if (at === undefined) continue;
    const after = lines.slice(index + 1);
    // Only a heading of another level ends the section; any other line of level 3 ends the entry.
    const length = after.findIndex((one) => one.text.startsWith("### "));
    const inside = length < 0 ? after : after.slice(0, length);
    const to = inside.at(-1)?.to ?? line.to;
    entries.push({ time: content.slice(4), at, text: readable(inside.map(contentOf)), from: line.from, to });
  }
  return entries;
}

/** Undefined for a heading without a time, which a person has written. */
function timeOf(content: string): number | undefined {
  const [, ...parts] = ENTRY.exec(content) ?? [];
  if (parts.length === 0) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.map(Number);
  const date = new Date(year, month - 1, day, hour, minute);
  // `2026-13-45` would be a day of another month.
  return date.getMonth() === month - 1 && date.getDate() === day ? date.getTime() : undefined;
}

export function isOld({ at }: Pick<Entry, "at">, now: number): boolean {
  return at < now - KEPT_DAYS * DAY_MS;
}

/** `2026-01-02 03:04`, in the local time zone. */
export function entryTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A note as a person wrote it; see `written`. */
function readable(lines: readonly string[]): string {
  return lines
    .map((line) => (ESCAPED.test(line) ? line.slice(1) : line))
    .join("\n")
    .trim();
}

/** Headings, comments and fences mean something in the file. */
const SPECIAL = /^\\*(?:#{1,6}[ \t]|<!--| {0,3}(?:`{3}|~{3}))/;
const ESCAPED = /^\\+(?:#{1,6}[ \t]|<!--| {0,3}(?:`{3}|~{3}))/;

/** A note as it is written into the file: none of its lines can be taken for something else there. */
export function written(note: string): string[] {
  const text = note.replace(/\r\n?/g, "\n").replace(CONTROLS, "").trim();
  return text.split("\n").map((line) => (SPECIAL.test(line) ? `\\${line}` : line).trimEnd());
}

const CONTROLS = /[^\P{Cc}\n\t]/gu;
