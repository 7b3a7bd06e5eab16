import { codeSpans, fenceSpans } from "./code.ts";
import { machineLineSpans, tokenSpans } from "./machine.ts";
import { MASK, maskSpans, type Span } from "./mask.ts";
import { materialSpans } from "./material.ts";
import { blockQuoteSpans, quoteSpans } from "./quotes.ts";
import { tagSpans, wrapperSpans } from "./tags.ts";

/** A prompt that no person wrote: a notification of the client, feedback of a hook, the summary of a compaction. */
const MACHINE_MADE =
  /^\s*(?:<task-notification\b|\[SYSTEM\b|Stop hook (?:feedback|error)|Caveat: The messages below were generated|This session is being continued from a previous conversation)/i;
/** What the client puts in place of an image or of pasted text, and empty check boxes. */
const PLACEHOLDER = /\[(?:Image|Pasted text|File|Attachment)\b[^[\]\n]{0,100}\]|\[[ xX]?\]/g;
const BRACKETS = /\[[^[\]\n]{1,300}\]/g;

/**
 * The prompt with everything masked that is not the person's own prose: code, quotes, tags, paths, logs, texts to work on.
 * Every place in it is the same place of the prompt. Empty when no person wrote the prompt.
 */
export function personText(prompt: string): string {
  if (MACHINE_MADE.test(prompt)) return "";
  let text = prompt.replace(PLACEHOLDER, (found) => " ".repeat(found.length));
  const passes: readonly ((text: string) => readonly Span[])[] = [
    wrapperSpans,
    fenceSpans,
    tagSpans,
    codeSpans,
    blockQuoteSpans,
    quoteSpans,
    machineLineSpans,
    tokenSpans,
    (one) => Array.from(one.matchAll(BRACKETS), ({ index, 0: found }) => [index, index + found.length] as const),
    materialSpans,
  ];
  for (const pass of passes) text = maskSpans(text, pass(text));
  // One form of the apostrophe; what remains of emphasis is no word.
  return text.replace(/[’´`]/g, "'").replace(/[*_]{2}/g, MASK + MASK);
}
