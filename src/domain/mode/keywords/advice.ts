import { skipLead } from "./lead.ts";
import type { Sentence } from "./sentences.ts";

/** How a task is to be worked on, where it starts no mode. */
export type Advice = "ralplan" | "plan" | "tdd" | "research" | "deepsearch" | "analyze";

const WORDS: Readonly<Record<Advice, RegExp>> = {
  ralplan: /(?<![\w/.-])ralplan(?![\w/-])/i,
  plan: /(?<![\w/.-])plan this(?![\w-])/i,
  tdd: /(?<![\w/.-])(?:tdd|test[ -]first|red[ -]green)(?![\w/-])/i,
  // An everyday word, so only where it is written as a mode.
  research: /^research:|(?<![\w/.-])(?:research mode|analy[sz]e data)(?![\w-])/i,
  deepsearch:
    /(?<![\w/.-])(?:deep-?search|search (?:the |this )?(?:whole )?(?:codebase|code|project|files?)|find (?:in )?(?:the )?(?:codebase|all files)|find in (?:the )?code)(?![\w/-])/i,
  analyze: /(?<![\w/.-])(?:deep[ -]?analy[sz]e|(?:investigate|debug) (?:the|this|why))(?![\w/-])/i,
};
const NAMES = Object.keys(WORDS) as Advice[];
const REFUSED = /(?<![\p{L}])(?:don't|do not|dont|no|not|never|without|instead of|rather than)\s+(?:\w+\s+){0,2}$/iu;

/** What a sentence of the person asks for beside the modes: not a question about it, and no refusal. */
export function adviceIn({ text, isQuestion, isConditional }: Sentence): Advice[] {
  const lead = skipLead(text, 0);
  if (isConditional || (isQuestion && !lead.isRequest)) return [];
  return NAMES.filter((name) => {
    const found = WORDS[name].exec(text);
    return found !== null && !REFUSED.test(text.slice(Math.max(0, found.index - 40), found.index));
  });
}
