import { type Lead, skipLead } from "./lead.ts";
import type { NameGroup } from "./mode-names.ts";
import { type Clause, clauseAt, type Sentence } from "./sentences.ts";

/** How much of a sentence is looked at on either side of a name. */
export const REACH = 300;

/** A name of a mode, or several together, and what stands around it in its sentence. */
export interface Place {
  readonly sentence: Sentence;
  readonly group: NameGroup;
  readonly clause: Clause;
  /** What begins the clause: fillers and politeness. */
  readonly lead: Lead;
  /** From the end of the lead to the name. */
  readonly before: string;
  readonly after: string;
}

export function placeOf(sentence: Sentence, group: NameGroup): Place {
  const clause = clauseAt(sentence, group.at);
  const lead = skipLead(sentence.text, clause.at);
  return {
    sentence,
    group,
    clause,
    lead,
    before: sentence.text.slice(Math.max(lead.end, group.at - REACH), group.at),
    after: sentence.text.slice(group.end, group.end + REACH),
  };
}

/** The part of a sentence that only starts a mode; the request is what remains. */
export interface Instruction {
  readonly from: number;
  readonly to: number;
  /** The words that a person is told about. */
  readonly words: string;
  /** The whole sentence is the name: which request is meant stands elsewhere. */
  readonly isNameOnly?: boolean;
  /** Asked politely, so that a question mark changes nothing. */
  readonly isRequest?: boolean;
}

export function instruction(
  text: string,
  from: number,
  to: number,
  words: readonly [from: number, to: number],
  more: Pick<Instruction, "isNameOnly" | "isRequest"> = {},
): Instruction {
  return { from, to, words: text.slice(...words).trim(), ...more };
}

/** The clause before belongs to a description: how to do something, what people do. */
const DESCRIBES =
  /\b(?:how|when|whether|if|who|where|people|users?|someone|somebody|anyone|they|he|she)\b|\bto\s+\w+\s*$/i;
const REPORTS =
  /\b(?:say|says|said|tells?|told|means?|reads?|wrote|writes?|called|named|suggest(?:s|ed)?|recommend(?:s|ed)?|advis\w+|proposed?|thinks?|thought|typed?|entered|asked|asks|sings?|sang|mailed)\b[^.]{0,60}$/i;

/** May an instruction begin with this clause, by what stands before it in the sentence? */
export function beginsAnInstruction({ text }: Sentence, clause: Clause): boolean {
  if (clause.after === "start") return true;
  const earlier = text.slice(Math.max(0, clause.at - REACH), clause.at).replace(/[\s,:;—–(-]{1,5}$/, "");
  // What follows `but` is the person's own again.
  if (/(?<!\p{L})but$/iu.test(earlier)) return true;
  if (REPORTS.test(earlier)) return false;
  return clause.after === "mark" || !DESCRIBES.test(earlier.replace(/\s+\S{1,10}$/, ""));
}

export function firstWord(text: string): string {
  return /^[\s]{0,20}([\p{L}][\p{L}\p{N}'-]{0,30})/u.exec(text)?.[1] ?? "";
}
