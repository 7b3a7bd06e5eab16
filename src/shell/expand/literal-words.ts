import type { Word } from "../command.ts";
import type { Parts } from "../parse/syntax.ts";
import { hasPlaceholder } from "../placeholders.ts";

/** A word without any expansion, as most words are. */
const PLAIN_WORD = /^[\w./:@%+,-][\w./:@%+,=-]*$/;
/** The word itself if nothing in it has to be expanded. Saves a fifth of the time of a line such as `ls -la src`. */
export function literalWord(parts: Parts): Word | undefined {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.kind !== "text" || !(only.quoted || PLAIN_WORD.test(only.text)) || hasPlaceholder(only.text))
    return undefined;
  return { text: only.text, known: true };
}

/** The words of a run of literal words. */
export function wordRunOf(parts: Parts): readonly string[] | undefined {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only?.kind === "text" ? only.wordRun : undefined;
}

export function sourceOf(parts: Parts): string {
  return parts.map((part) => part.text).join("");
}
