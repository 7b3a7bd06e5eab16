import type { Json } from "../core/event.ts";

/** Shapes that are secrets whatever stands around them. The journal never sees them. */
const SECRETS: readonly RegExp[] = [
  /\bsk-ant-[A-Za-z0-9_-]{16,}/g,
  /\bsk-(?:proj-)?[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[A-Za-z0-9_-]{30,}/g,
  /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\bya29\.[A-Za-z0-9_-]{16,}/g,
  /\bdo[opr]_v1_[a-f0-9]{32,}/g,
  /(?<=\bhooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const NAME = "(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|account[_-]?key|token)";
/** The name, or whatever else says that a secret follows, stays; the value goes. */
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

const MASK = "[masked]";

/**
 * Something of this stands in every text that any of the patterns above can match; most texts end here. It is
 * also asked of JSON, where a line break or a tab is written as an escape.
 */
const SUSPICIOUS =
  /[rsp]k[-_]|gh[pousr]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|npm_|pypi-|hf_|SG\.|ya29|_v1_|slack|eyJ|pass|secret|key|token|bearer|basic|:\/\/|(?:\s|\\[bfnrt]|\\u00..)-u|--user/i;

export function isSuspicious(text: string): boolean {
  return SUSPICIOUS.test(text);
}

export function maskText(text: string): string {
  if (!isSuspicious(text)) return text;
  let masked = text;
  for (const shape of SECRETS) masked = masked.replace(shape, MASK);
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

/** Numbers and flags stay: a count of tokens is no secret. */
function withoutTexts(value: Json): Json {
  if (typeof value === "string") return MASK;
  return Array.isArray(value) ? value.map(withoutTexts) : maskJson(value);
}
