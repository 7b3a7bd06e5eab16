import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import { findSecrets, mayHoldAny, type Secret } from "../../core/secrets/find.ts";

export interface RedactedOutput {
  /** The output in its own shape, without the secrets. */
  readonly output: Json;
  /** How many secrets of each kind were removed, in the order in which they stand. Never the secrets themselves. */
  readonly kinds: ReadonlyMap<string, number>;
}

/** No tool answers with data that is nested like this; going deeper would end in an overflow of the stack. */
const DEEPEST = 100;
/** The name of a field says what its value is: `{"password": "…"}`. */
const NAMES_SECRET = /passw|passphrase|pwd|secret|key|credential|token/i;

/** The output of a tool without the secrets in it; undefined when there is none. */
export function redactedOutput(output: Json): RedactedOutput | undefined {
  const kinds = new Map<string, number>();
  const redacted = without(output, "", kinds, 0);
  return kinds.size === 0 ? undefined : { output: redacted, kinds };
}

/** How many secrets of each kind stand in a text. */
export function secretKindsIn(text: string): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  for (const { name } of findSecrets(text)) count(kinds, name);
  return kinds;
}

/** `GitHub token, password or key (2)`. */
export function kindsText(kinds: ReadonlyMap<string, number>): string {
  return [...kinds].map(([kind, many]) => (many === 1 ? kind : `${kind} (${many})`)).join(", ");
}

export function totalOf(kinds: ReadonlyMap<string, number>): number {
  return [...kinds.values()].reduce((sum, many) => sum + many, 0);
}

function without(value: Json, key: string, kinds: Map<string, number>, depth: number): Json {
  if (typeof value === "string") return withoutSecrets(value, key, kinds);
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (isImage(value)) return value;
  if (Array.isArray(value)) return value.map((one: Json) => without(one, key, kinds, depth + 1));
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([name, inner]) => [name, without(inner, name, kinds, depth + 1)]));
}

/** In the bytes of an image the form of a token stands by chance, and a changed image cannot be shown. */
function isImage(value: Json): boolean {
  return isObject(value) && (value.type === "image" || value.isImage === true);
}

function withoutSecrets(text: string, key: string, kinds: Map<string, number>): string {
  let result = "";
  let end = 0;
  for (const secret of secretsIn(text, key)) {
    const { start, value } = secretPart(secret);
    result += `${text.slice(end, start)}[removed: ${secret.name}]`;
    end = start + value.length;
    count(kinds, secret.name);
  }
  return end === 0 ? text : result + text.slice(end);
}

function secretsIn(text: string, key: string): readonly Secret[] {
  const found = findSecrets(text);
  if (found.length > 0 || !NAMES_SECRET.test(key) || text.length > 512) return found;
  const before = `${key}="`;
  if (!mayHoldAny(before)) return [];
  const named = findSecrets(`${before}${text}"`).filter(({ value }) => value === text);
  return named.map((secret) => ({ ...secret, start: 0 }));
}

/** Of an address only the password is removed: user and host say what it was for. */
function secretPart({ name, start, value }: Secret): Pick<Secret, "start" | "value"> {
  if (name !== "password in an address") return { start, value };
  const from = value.indexOf(":") + 1;
  return { start: start + from, value: value.slice(from, value.lastIndexOf("@")) };
}

function count(kinds: Map<string, number>, kind: string): void {
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
}
