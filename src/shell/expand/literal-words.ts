import type { Word } from "../command.ts";
import type { Parts } from "../parse/syntax.ts";
import { hasPlaceholder } from "../placeholders.ts";

/** A word that means nothing but itself, which most words do. */
const PLAIN_WORD = /^[\w./:@%+,-][\w./:@%+,=-]*$/;
/** One that means nothing but itself after its tilde. */
const TILDE_WORD = /^~[\w.+-]*(?:\/[\w./:@%+,=-]*)?$/;

/** The word that these parts are without any expansion. */
export function literalWord(parts: Parts): Word | undefined {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.kind !== "text" || !(only.quoted || PLAIN_WORD.test(only.text)) || hasPlaceholder(only.text))
    return undefined;
  return { text: only.text, known: true };
}

/** The plain words that stand in a row. */
export function wordRunOf(parts: Parts): readonly string[] | undefined {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only?.kind === "text" ? only.row : undefined;
}

/** Nothing but a tilde has to be expanded. */
export function isTilde(parts: Parts): boolean {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only?.kind === "text" && !only.quoted && TILDE_WORD.test(only.text);
}

export function sourceOf(parts: Parts): string {
  return parts.map((part) => part.text).join("");
}
