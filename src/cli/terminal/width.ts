/** East Asian characters and pictographs take two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Combining characters take no column. */
const COMBINING = /\p{M}/u;

/** The width in terminal columns of a text without colour codes. */
export function widthOf(text: string): number {
  // Fast path: the width of plain ASCII is its length.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const one of text) width += COMBINING.test(one) ? 0 : WIDE.test(one) ? 2 : 1;
  return width;
}

/** The beginning of the text that fits, with an ellipsis for the rest. */
export function shortened(text: string, width: number): string {
  return cut([...text], width).join("");
}

/** The end of the path that fits, because the end of a path is its most useful part. */
export function shortenedPath(text: string, width: number): string {
  return cut([...text].reverse(), width)
    .reverse()
    .join("");
}

function cut(characters: readonly string[], width: number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const [index, one] of characters.entries()) {
    const isLast = index === characters.length - 1;
    used += widthOf(one);
    if (used > width - (isLast ? 0 : 1)) return width > 0 ? [...kept, "…"] : [];
    kept.push(one);
  }
  return kept;
}
