import { linesOf, paragraphAt, type Span } from "./mask.ts";

const FENCE = /^[ \t]*(`{3,}|~{3,}|"{3}|'{3})([^\n]*)$/;

/** Blocks between fences. One that is never closed goes on to the end. */
export function fenceSpans(text: string): Span[] {
  const fences = linesOf(text).flatMap((line) => {
    const [, mark, info] = FENCE.exec(line.text) ?? [];
    // A line that opens and closes is inline code or a quote.
    if (mark === undefined || info === undefined || (!mark.startsWith("~") && info.includes(mark[0] ?? ""))) return [];
    return [{ line, mark, isBare: info.trim() === "" }];
  });
  if (isFencedWhole(text, fences)) return [[0, text.length]];
  const spans: Span[] = [];
  let open: (typeof fences)[number] | undefined;
  for (const fence of fences) {
    if (!open) open = fence;
    else if (fence.isBare && fence.mark.startsWith(open.mark)) {
      spans.push([open.line.from, fence.line.to]);
      open = undefined;
    }
  }
  if (open) spans.push([open.line.from, text.length]);
  return spans;
}

/**
 * A text with fences in it that somebody has put between fences again begins or ends with an empty block, which nobody
 * writes.
 */
function isFencedWhole(
  text: string,
  fences: readonly { readonly line: { readonly from: number; readonly to: number }; readonly isBare: boolean }[],
): boolean {
  const [first, second] = fences;
  const [beforeLast, last] = fences.slice(-2);
  if (!first || !second || !beforeLast || !last || fences.length < 4) return false;
  if (text.slice(0, first.line.from).trim() !== "" || text.slice(last.line.to).trim() !== "") return false;
  const areTogether = (one: typeof first, other: typeof first): boolean =>
    one.isBare && other.isBare && other.line.from === one.line.to + 1;
  return areTogether(first, second) || areTogether(beforeLast, last);
}

/** Inline code: a run of backticks up to the next run of the same length in the paragraph. */
export function codeSpans(text: string): Span[] {
  const place = paragraphAt(text);
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: run }) => ({
    at: index,
    length: run.length,
    paragraph: place(index),
  }));
  const next: (number | undefined)[] = [];
  const nearest = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index]?.length ?? 0;
    next[index] = nearest.get(length);
    nearest.set(length, index);
  }
  const spans: Span[] = [];
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    const closing = next[index];
    const close = closing === undefined ? undefined : runs[closing];
    if (!run || !close || closing === undefined || close.paragraph !== run.paragraph) continue;
    spans.push([run.at, close.at + close.length]);
    index = closing;
  }
  return spans;
}
