/** Stands for one character that is not the person's prose. No pattern matches it. */
export const MASK = "\uFFFC";

/** From the first character to the one behind the last. */
export type Span = readonly [from: number, to: number];

/** The text with the spans masked and its lines kept. Spans may come in any order and may overlap. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    parts.push(text.slice(at, start), text.slice(start, to).replace(/[^\n]/g, MASK));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

export interface Line {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export function linesOf(text: string): Line[] {
  let from = 0;
  return text.split("\n").map((line) => {
    const found = { text: line, from, to: from + line.length };
    from = found.to + 1;
    return found;
  });
}

/** For every place: in which paragraph it lies. Blank lines part paragraphs. */
export function paragraphAt(text: string): (at: number) => number {
  const ends = Array.from(text.matchAll(/\n[ \t]*\n/g), ({ index }) => index);
  let paragraph = 0;
  // Asked with rising places only, so one walk over the ends is enough.
  return (at) => {
    while (paragraph < ends.length && (ends[paragraph] ?? 0) < at) paragraph++;
    return paragraph;
  };
}
