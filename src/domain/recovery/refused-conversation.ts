/**
 * Why the model's service refused a conversation.
 * - too_long: it does not fit into the context; `used` and `most` are tokens, where the service says them
 * - empty_message: a message of it has no content
 */
export type Refusal =
  | { readonly kind: "too_long"; readonly used?: number; readonly most?: number }
  | { readonly kind: "empty_message" };

/** Errors that a shorter conversation would not avoid, whatever their text says. */
const OF_OTHER_KIND: ReadonlySet<string> = new Set([
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "billing_error",
  "rate_limit",
  "overloaded",
  "model_not_found",
  "server_error",
  "max_output_tokens",
  "cloud_credential_error",
]);
/** Blocks of thoughts in a wrong place, and a limit for answers, name tokens as well. */
const OF_OTHER_TEXT = /\bthinking\b|output tokens?\b/i;
const EMPTY_MESSAGE = /non-?empty content|must be non-?empty/i;
const TOO_LONG =
  /\bis too long|context_length_exceeded|max_tokens|token limit|context (?:length|limit|window)|too many tokens/i;

const NUMBERS: readonly RegExp[] = [
  /(?<used>\d[\d,]*) tokens? > (?<most>\d[\d,]*)/i,
  /(?<used>\d+) ?\+ ?(?<answer>\d+) ?> ?(?<most>\d+)/,
  /(?<used>\d[\d,]*) tokens?[^\d.]{0,40}exceeds?[^\d.]{0,60}(?<most>\d[\d,]*)/i,
  /(?<used>\d[\d,]*) tokens?[^\d.]{0,60}limit[^\d.]{0,40}(?<most>\d[\d,]*)/i,
  /max(?:imum)?[^\d]{0,60}(?<most>\d[\d,]*)[^\d]{0,80}(?<used>\d[\d,]*)/i,
];
const LONGEST_ERROR = 4_000;

/** What an error of the model's service says of the conversation; undefined for any other error. */
export function refusalIn(error: string, text: string): Refusal | undefined {
  const said = text.slice(0, LONGEST_ERROR);
  if (OF_OTHER_KIND.has(error) || OF_OTHER_TEXT.test(said)) return undefined;
  if (EMPTY_MESSAGE.test(said)) return { kind: "empty_message" };
  return TOO_LONG.test(said) || TOO_LONG.test(error) ? { kind: "too_long", ...sizesIn(said) } : undefined;
}

function sizesIn(text: string): { readonly used?: number; readonly most?: number } {
  for (const pattern of NUMBERS) {
    const { used, answer = "0", most } = pattern.exec(text)?.groups ?? {};
    if (used !== undefined && most !== undefined)
      return { used: numberOf(used) + numberOf(answer), most: numberOf(most) };
  }
  return {};
}

function numberOf(digits: string): number {
  return Number(digits.replaceAll(",", ""));
}

/** Stands behind a word, so it begins with a blank; empty when the service did not say how long it is. */
export function sizeText({ used, most }: { readonly used?: number; readonly most?: number }): string {
  if (used === undefined || most === undefined) return "";
  return ` (${used.toLocaleString("en")} tokens of at most ${most.toLocaleString("en")})`;
}
