import { skipLead } from "./lead.ts";
import type { Span } from "./person-text/mask.ts";
import { isSlashCommand } from "./slash-command.ts";

/** What is kept of a request; the command line takes no longer one either. */
const LONGEST_REQUEST = 10_000;
/** Says nothing without the request before: `ralph this`, `use ralph for it`. */
const VAGUE =
  /^(?:(?:on|for|to|do|with|of|all|the|this|that|these|those|it|them|everything|same|task|tasks|request|work|job|rest|again|now|please|too|here|das|es|dies|bitte|jetzt|mal|ça|cela|esto|eso|isso|isto|questo|это|它|这个|これ|이것)(?:[\s,.!…]+|$))*$/iu;
/** Said to the agent about its work, and no work by itself. */
const ANSWER =
  /^(?:thanks?(?: you)?|thx|y|n|no|nope|go(?: on| ahead)?|continue|proceed|done|exactly|correct|agreed|lgtm|good job|well done|never ?mind|danke|merci|gracias|obrigado|grazie|спасибо|谢谢|ありがとう|감사합니다|ja|nein|oui|non|si|sí|да|нет|do it)[\s.!]*$/iu;

/** The prompt without these parts; empty when nothing remains that says what is to be done. */
export function requestWithout(prompt: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (from > at) parts.push(prompt.slice(at, from));
    at = Math.max(at, to);
  }
  parts.push(prompt.slice(at));
  const rest = withoutEnd(
    parts
      .join(" ")
      .trim()
      .replace(/^(?:(?!--[a-z])[\s,;:.!?，。：；、-])+/iu, ""),
  );
  return /[\p{L}\p{N}]/u.test(rest) && !VAGUE.test(rest.slice(0, 200)) ? rest.slice(0, LONGEST_REQUEST) : "";
}

/** Without the signs and spaces at its end. A pattern would look for the end behind every run of spaces in a long text. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,;:，：；、–—-]/u.test(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}

/** A prompt as the request that a mode's name means later; empty when it says nothing that could be done. */
export function requestText(prompt: string): string {
  const text = prompt.trim();
  if (isSlashCommand(text) || skipLead(text, 0).end >= text.length || ANSWER.test(text.slice(0, 60))) return "";
  return requestWithout(text, []);
}
