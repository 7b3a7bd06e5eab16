import path from "node:path";
import { oneLine } from "../../../core/text/one-line.ts";
import type { ModeReader } from "../machine.ts";

const ROOT_FILE = "progress.txt";
const OMC_FILE = ".omc/progress.txt";

/** Patterns stand at the top of the file, the newest entries at its end. */
const HEAD = 16_000;
const TAIL = 64_000;
const LONGEST_LINE = 160;
const MOST_LINES = 20;
const ENTRIES_FOR_LEARNINGS = 10;
const ENTRIES_SHOWN = 2;

/** What `progress.txt` says, as far as it is needed. A type alias, because facts are JSON. */
export type Progress = {
  readonly file: string;
  readonly patterns: readonly string[];
  /** Of the last ten entries, newest first, each once. */
  readonly learnings: readonly string[];
  /** The last two entries, newest first, each on one line. */
  readonly entries: readonly string[];
};

/** `progress.txt` of the project, else that below `.omc`; without either, the one that belongs beside the PRD. */
export function progressOf(reader: Pick<ModeReader, "project" | "text">, prdFile: string): Progress {
  for (const file of [ROOT_FILE, OMC_FILE]) {
    const digest = reader.text(path.join(reader.project, file), "progress", readProgress);
    if (digest) return { file, ...digest };
  }
  return { file: prdFile.startsWith(".omc/") ? OMC_FILE : ROOT_FILE, patterns: [], learnings: [], entries: [] };
}

export function readProgress(text: string): Omit<Progress, "file"> {
  const entries = entriesOf(text.slice(-TAIL)).reverse();
  const learnings = entries.slice(0, ENTRIES_FOR_LEARNINGS).flatMap((entry) => entry.learnings);
  return {
    patterns: unique(patternsOf(text.slice(0, HEAD))),
    learnings: unique(learnings),
    entries: entries.slice(0, ENTRIES_SHOWN).map(({ title, done }) => oneLine(`${title}: ${done.join("; ")}`, 200)),
  };
}

function patternsOf(head: string): string[] {
  const patterns: string[] = [];
  let isInside = false;
  for (const line of head.split(/\r?\n/)) {
    if (/^##\s*codebase patterns\b/i.test(line)) isInside = true;
    else if (isInside && (line.startsWith("#") || isRule(line))) break;
    else if (isInside) {
      const item = itemOf(line);
      if (item !== "") patterns.push(item);
    }
  }
  return patterns;
}

interface Entry {
  readonly title: string;
  readonly done: string[];
  readonly learnings: string[];
}

/** The headings of the parts of an entry, with or without a colon. */
const PARTS = [
  [/^(?:what was )?(?:implemented|done|changed)$/i, "done"],
  [/^files(?: changed| modified| touched)?$/i, "files"],
  [/^(?:learned|learnings?)(?: for future [a-z]+)?$/i, "learnings"],
] as const;

function entriesOf(tail: string): Entry[] {
  const entries: Entry[] = [];
  let part: "done" | "files" | "learnings" = "done";
  let entry: Entry | undefined;
  for (const line of tail.split(/\r?\n/)) {
    const heading = /^##\s*\[([^\]]{1,40})\]\s*-?\s*(.*)$/.exec(line);
    if (heading) {
      entry = { title: `${heading[2]?.trim() || "entry"} (${heading[1]})`, done: [], learnings: [] };
      entries.push(entry);
      part = "done";
    } else if (line.startsWith("## ") || isRule(line)) entry = undefined;
    else if (entry) {
      const item = itemOf(line);
      const colon = item.indexOf(":");
      const words = colon < 0 ? item : item.slice(0, colon);
      const named = PARTS.find(([pattern]) => pattern.test(words.trim()));
      if (named) part = named[1];
      const text = !named ? item : colon < 0 ? "" : item.slice(colon + 1).trim();
      if (text !== "" && part !== "files") entry[part].push(text);
    }
  }
  return entries;
}

const isRule = (line: string): boolean => /^\s*-{3,}\s*$/.test(line);

/** The text of a line without its bullet and emphasis. */
function itemOf(line: string): string {
  const item = line.slice(0, LONGEST_LINE * 4).replace(/^\s*(?:[-*+]\s+)?/, "");
  return oneLine(item.replaceAll("**", ""), LONGEST_LINE);
}

function unique(lines: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const line of lines) {
    const key = line.toLowerCase();
    if (!known.has(key)) known.set(key, line);
  }
  return [...known.values()].slice(0, MOST_LINES);
}
