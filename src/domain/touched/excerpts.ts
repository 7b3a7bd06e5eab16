import { cutBetweenWords } from "../../core/context-budget.ts";

/** A text of a file that is to be told. */
export interface Excerpt {
  /** The file as messages show it. */
  readonly file: string;
  /** Stands behind the name of the file. */
  readonly why?: string;
  readonly text: string;
  /** Has the file more than this text? */
  readonly isCut: boolean;
}

const SHORTEST = 120;

/** The excerpts below each other while there is room; what was cut says where the rest is. Those without room are named. */
export function joinedExcerpts(excerpts: readonly Excerpt[], room: number): string {
  const parts: string[] = [];
  const left: string[] = [];
  let free = room;
  for (const excerpt of excerpts) {
    const part = free < SHORTEST ? undefined : fitted(excerpt, free);
    if (part === undefined) left.push(excerpt.file);
    else parts.push(part);
    free -= part?.length ?? 0;
  }
  if (left.length > 0) parts.push(`Also to be read: ${left.join(", ")}`);
  return parts.join("\n\n");
}

function fitted({ file, why, text, isCut }: Excerpt, room: number): string | undefined {
  const head = `${file}${why === undefined ? "" : ` (${why})`}:\n`;
  const ending = ` […] (cut: read ${file})`;
  if (!isCut && head.length + text.length <= room) return head + text;
  const cut = cutBetweenWords(text, room - head.length - ending.length);
  return cut.length < SHORTEST / 2 ? undefined : head + cut + ending;
}
