/** Characters of East Asian scripts and pictures take two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** These are drawn over the character before them. */
const COMBINING = /\p{M}/u;

/** How many columns of a terminal a text takes that holds no colours. */
export function widthOf(text: string): number {
  // Nearly every text is plain, and then its length is its width.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const one of text) width += COMBINING.test(one) ? 0 : WIDE.test(one) ? 2 : 1;
  return width;
}

/** As much of the beginning as fits, with an ellipsis in place of the rest. */
export function shortened(text: string, width: number): string {
  return cut([...text], width).join("");
}

/** As much of the end as fits: of a path, the end says most. */
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
