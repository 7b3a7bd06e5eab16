import { anyCase, searchFor } from "./beginnings.ts";
import { isWeak } from "./placeholders.ts";
import { looksRandom } from "./randomness.ts";
import { HINTS, isReal, LOGIN, mayHold, mayHoldShapes, SHAPES, type Shape } from "./shapes.ts";

/** A secret in a text. `value` is the secret itself: it is compared and never said. */
export interface Secret {
  readonly name: string;
  readonly start: number;
  readonly value: string;
}

const NAME =
  "passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|access[_-]?key|account[_-]?key|auth[_-]?key|encryption[_-]?key|signing[_-]?key|private[_-]?key|credential|token";
/** A name, a sign that a value follows, and the value, in quotes or without. All of it is bounded. */
const NAMED = new RegExp(
  `(?:${NAME})(?:_?base|_?value|_?key)?\\d{0,2}["'\\]]{0,2}\\s{0,8}(?:=>|:=|[=:])\\s{0,8}(?:"([^"\\n]{8,512})"|'([^'\\n]{8,512})'|\`([^\`\\n]{8,512})\`|([^\\s"'\`,;&|<>]{8,512}))`,
  "gi",
);
/** The same on a command line, and in a header. */
const GIVEN = new RegExp(
  `(?:\\s--?[a-z-]{0,30}(?:${NAME})\\s{1,4}|\\bbearer\\s{1,4}|\\s(?:-u|--user)[\\s=]{0,4}["']?[^\\s:"']{1,80}:)(?:"([^"\\n]{8,512})"|'([^'\\n]{8,512})'|([^\\s"'\`,;&|<>]{8,512}))`,
  "gi",
);
const NAMING = ["passw", "passphrase", "pwd", "secret", "key", "credential", "token", "bearer"].map(anyCase);
const hasNaming = searchFor(NAMING);
/**
 * Nearly every text ends with this one look. It is also the one for masking, which knows a few more words: to make a
 * pattern of so many takes a fresh process longer than to use it.
 */
export const mayHoldAny = searchFor([...HINTS, ...NAMING, ...["pass", "basic"].map(anyCase), "://"]);
/** What a program computes, a path or an address is no value. */
const CODE =
  /[(){}[\]]|^(?:[A-Za-z_$][\w$]*(?:\.|::|->|\?\.))+[A-Za-z_$][\w$]*$|^(?:\.{0,2}|~)\/|^[a-z][a-z0-9+.-]*:\/\//i;
const HASHED =
  /^(?:\$2[aby]\$|\$argon2|\$[56]\$|sha(?:1|256|384|512)[-:]|pbkdf2|arn:|ENC\[|vault:|op:\/\/|AQICAH|\{?SSHA)/;

/** `-u`, `--user` or the like. */
export function mayNameUser(text: string): boolean {
  return text.includes("-u") || text.includes("-U");
}

/** The shapes of which something stands in the text. */
export function possibleShapes(text: string): readonly Shape[] {
  return mayHoldShapes(text) ? SHAPES.filter((shape) => mayHold(text, shape)) : [];
}

/** Every secret in a text, in the order of the text. The time it takes grows with the length of the text alone. */
export function findSecrets(text: string): readonly Secret[] {
  if (!mayHoldAny(text) && !mayNameUser(text)) return [];
  const found: Secret[] = [];
  for (const shape of [...possibleShapes(text), ...(text.includes("://") ? [LOGIN] : [])]) {
    for (const { 0: value, index } of text.matchAll(shape.pattern)) {
      if (isReal(shape, value)) found.push({ name: shape.name, start: index, value });
    }
  }
  if (hasNaming(text) || mayNameUser(text)) found.push(...namedSecrets(text, NAMED), ...namedSecrets(text, GIVEN));
  return withoutOverlaps(found);
}

function* namedSecrets(text: string, pattern: RegExp): Generator<Secret> {
  for (const match of text.matchAll(pattern)) {
    const quoted = match.slice(1, -1).find((group) => group !== undefined);
    const value = quoted ?? match.at(-1) ?? "";
    if (isNoValue(value, quoted !== undefined)) continue;
    yield { name: "password or key", start: match.index + match[0].lastIndexOf(value), value };
  }
}

function isNoValue(value: string, isQuoted: boolean): boolean {
  if (isWeak(value) || HASHED.test(value) || /\s/.test(value)) return true;
  if (isQuoted ? /^(?:\.{0,2}|~)\/|^[a-z][a-z0-9+.-]*:\/\/|[(){}]/i.test(value) : CODE.test(value)) return true;
  return !looksRandom(value);
}

/** Of several names for the same place, the first: shapes say more than the words before them. */
function withoutOverlaps(found: readonly Secret[]): readonly Secret[] {
  const kept: Secret[] = [];
  const sorted = found.map((secret, rank) => ({ secret, rank }));
  sorted.sort((a, b) => a.secret.start - b.secret.start || a.rank - b.rank);
  let end = -1;
  for (const { secret } of sorted) {
    if (secret.start < end) continue;
    kept.push(secret);
    end = secret.start + secret.value.length;
  }
  return kept;
}
