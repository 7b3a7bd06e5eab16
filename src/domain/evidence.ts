/** Words that claim that work is finished; GATE and VERIFIED below are words that show that it was checked. */
const CLAIM = /\b(?:task (?:is )?complete|completed?|done|finished|all set|ready for review)\b/gi;
/** `not done`, `isn't finished`, `never completed`, `far from done`, `to be done`: the opposite of a claim. */
const NEGATED =
  /(?:\bnot(?: yet| quite| fully)?|n['\u2019]t(?: yet)?|\bnever|\bfar from|\bto be|\buntil|\bonce|\bwhen|\bbefore|\bhalf)\s+$/i;
const GATE =
  /\b(?:typechecks?|type-checks?|type checks?|lint(?:s|ed|er|ing)?|(?:unit )?tests?|quality gates?|(?:bun|npm|pnpm|yarn) run (?:typecheck|lint|test))\b/i;
const VERIFIED = /\b(?:verified|verification|reproduced|validated|passes CI|green)\b/i;

export function claimsCompletion(text: string): boolean {
  return [...text.matchAll(CLAIM)].some(
    (match) => !NEGATED.test(text.slice(Math.max(0, match.index - 24), match.index)),
  );
}

/** Any mention of a check counts. Whether the check was the right one is for the reader to judge. */
export function showsEvidence(text: string): boolean {
  return GATE.test(text) || VERIFIED.test(text);
}
