/** Word borders that know every alphabet: `\b` only knows ASCII. */
export const BEFORE_WORD = "(?<![\\p{L}\\p{N}_])";
export const AFTER_WORD = "(?![\\p{L}\\p{N}_])";

/** The words of a list in one text; `_` stands for the space in an expression of several words. */
export function wordsOf(list: string): string[] {
  return list
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll("_", " "));
}

/** One of the words of a list, as a part of a pattern. Longer expressions come first, so that none hides another. */
export function oneOf(list: string): string {
  const words = wordsOf(list).toSorted((a, b) => b.length - a.length);
  return `(?:${words.map((word) => word.replaceAll(".", "\\.").replaceAll(" ", "\\s+")).join("|")})`;
}

/** Finds any of the words in a text. */
export function phrases(list: string): RegExp {
  return new RegExp(`${BEFORE_WORD}${oneOf(list)}${AFTER_WORD}`, "iu");
}
