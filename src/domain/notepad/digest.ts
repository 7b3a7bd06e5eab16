import { cutBetweenWords } from "../../core/context-budget.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { LONGEST_PRIORITY, readNotes } from "./notes.ts";

/** How much of the working memory is told after a compaction. */
const LONGEST_WORKING = 1_000;

/** What a session is told of the notepad. A type alias, because facts are JSON. */
export type NotepadDigest = {
  /** False for a file that is no text. */
  readonly isText: boolean;
  readonly priority: string;
  /** Is the whole priority context longer than what is told of it? */
  readonly isPriorityCut: boolean;
  /** How many notes the working memory has. */
  readonly count: number;
  /** The newest of them, the oldest of these first. */
  readonly newest: readonly { readonly time: string; readonly text: string }[];
  /** When the oldest one was written; 0 when there is none. */
  readonly oldestAt: number;
};

export function digestOf(text: string): NotepadDigest {
  const { priority, working } = readNotes(text);
  const isPriorityCut = priority.length > LONGEST_PRIORITY;
  const newest: { time: string; text: string }[] = [];
  let room = LONGEST_WORKING;
  for (const entry of working.toReversed()) {
    room -= entry.text.length;
    if (room < 0 && newest.length > 0) break;
    newest.unshift({ time: entry.time, text: shortened(entry.text, LONGEST_WORKING) });
  }
  return {
    isText: !text.includes("\uFFFD"),
    priority: shortened(priority, LONGEST_PRIORITY),
    isPriorityCut,
    count: working.length,
    newest,
    oldestAt: working.length === 0 ? 0 : Math.min(...working.map(({ at }) => at)),
  };
}

/** What the start of a session is told; empty when there is nothing to say. After a compaction also the newest notes. */
export function startText({ priority, isPriorityCut, count, newest }: NotepadDigest, source: string): string {
  const parts: string[] = [];
  const cut = isPriorityCut ? `\n(Only its first ${LONGEST_PRIORITY} characters.)` : "";
  if (priority !== "") parts.push(`<notepad-priority>\n${withoutTags(priority)}\n</notepad-priority>${cut}`);
  if (source === "compact" && newest.length > 0) {
    const notes = newest.map(({ time, text }) => `${time}: ${withoutTags(text)}`);
    parts.push(`<notepad-working-memory>\n${notes.join("\n")}\n</notepad-working-memory>`);
  }
  const left = source === "compact" ? count - newest.length : count;
  if (left > 0) {
    const what = left === 1 ? "1 note" : `${left} notes`;
    parts.push(`Its working memory has ${what}${left < count ? " more" : ""}.`);
  }
  return parts.join("\n");
}

/** Changes when what a session is told does. */
export function fingerprintOf(digest: NotepadDigest): string {
  return fingerprint(JSON.stringify(digest));
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${cutBetweenWords(text, most - 1) || text.slice(0, most - 1).toWellFormed()}…`;
}

/** A note cannot end the tag that it stands in. */
function withoutTags(text: string): string {
  return text.replace(/<(?=\/?notepad-)/g, "‹");
}
