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
  /\bsk_live_[A-Za-z0-9]{16,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
/** `password=…`, `"api_key": "…"`, `Authorization: Bearer …`: the name stays, the value goes. */
const NAMED =
  /\b((?:[A-Za-z0-9_]*(?:password|passwd|secret|api[_-]?key|access[_-]?key|token))["']?\s*[=:]\s*["']?|bearer\s+|basic\s+)([^\s"',;&]{6,})/gi;
/** `scheme://user:password@host` */
const IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:)([^\s/@]+)(@)/gi;

const MASK = "[masked]";

/** Something of this stands in every text that any of the patterns above can match; most texts end here. */
const SUSPICIOUS =
  /sk[-_]|gh[pousr]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|npm_|eyJ|PRIVATE KEY|passw|secret|key|token|bearer|basic|:\/\//i;

export function maskText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let masked = text;
  for (const shape of SECRETS) masked = masked.replace(shape, MASK);
  return masked.replace(NAMED, `$1${MASK}`).replace(IN_URL, `$1${MASK}$3`);
}

export function maskJson(value: Json): Json {
  if (typeof value === "string") return maskText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(maskJson);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      maskText(key),
      typeof inner === "string" && /password|passwd|secret|api[_-]?key|token$/i.test(key) ? MASK : maskJson(inner),
    ]),
  );
}
