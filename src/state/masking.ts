import type { Json } from "../core/event.ts";
import { mayHoldAny, mayNameUser, possibleShapes } from "../core/secrets/find.ts";

const NAME = "(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|account[_-]?key|token)";
/** The name, or another sign that a secret follows, stays; the value is masked. */
const VALUES: readonly RegExp[] = [
  // `password="two words"`, `'api_key': 'x'`
  new RegExp(`(\\b[A-Za-z0-9_]*${NAME}["']?\\s*[=:]\\s*)("[^"\\n]{4,}"|'[^'\\n]{4,}')`, "gi"),
  // `password=…`, `"api_key": …`, `secret_key_base: …`, `Bearer …`
  new RegExp(
    `(\\b[A-Za-z0-9_]*(?:${NAME}|secret[A-Za-z0-9_]*)["']?\\s*[=:]\\s*["']?|\\bbearer\\s+)([^\\s"',;&]{6,})`,
    "gi",
  ),
  // `--password …`, `--auth-token …`
  new RegExp(`(\\s--?[a-z-]*${NAME}\\s+)("[^"\\n]+"|'[^'\\n]+'|[^\\s"'-][^\\s"']*)`, "gi"),
  // `curl -u user:…`; two numbers are a user and a group
  /(\s(?:-u|--user)[\s=]*["']?(?!\d+:\d+\b)[^\s:"']+:)([^\s"']+)/g,
  /(\b[Bb]asic\s+)(?=[A-Za-z+/]*[A-Z0-9])([A-Za-z0-9+/]{8,}={0,2})/g,
  // `scheme://user:…@host`
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gi,
];
/** Fields whose whole value is a secret. */
const SECRET_FIELD = /passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|token$/i;

/** Stands where a secret was. */
export const MASK = "[masked]";

/** Asked of JSON too, where a line break or a tab is written as an escape. */
const USER = /(?:\s|\\[bfnrt]|\\u00..)-u|--user/i;

/** False for a text that none of the patterns above can match, which is true of most texts. */
export function isSuspicious(text: string): boolean {
  if (text === "") return false;
  return mayHoldAny(text) || (mayNameUser(text) && USER.test(text));
}

/** Masks every text with the form of a secret, even with a wrong length or checksum: the journal needs none of them. */
export function maskText(text: string): string {
  if (!isSuspicious(text)) return text;
  let masked = text;
  for (const { pattern } of possibleShapes(text)) masked = masked.replace(pattern, MASK);
  for (const value of VALUES) {
    masked = masked.replace(value, (_, before: string, secret: string) => {
      const quote = /^["']/.exec(secret)?.[0] ?? "";
      return `${before}${quote}${MASK}${quote}`;
    });
  }
  return masked;
}

export function maskJson(value: Json): Json {
  if (typeof value === "string") return maskText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(maskJson);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      maskText(key),
      SECRET_FIELD.test(key) ? withoutTexts(inner) : maskJson(inner),
    ]),
  );
}

/** As JSON text. Values are masked before: in the text an escape can hide a secret, and a mask can remove a quote. */
export function maskedJson(value: object): string {
  const text = JSON.stringify(value);
  return isSuspicious(text) ? JSON.stringify(maskJson(value as Json)) : text;
}

/** Numbers and flags stay: a count of tokens is no secret. */
function withoutTexts(value: Json): Json {
  if (typeof value === "string") return MASK;
  return Array.isArray(value) ? value.map(withoutTexts) : maskJson(value);
}
