/**
 * The only file that uses the libraries for patterns and globs. It is a separate bundle, because most configurations have
 * no pattern and then no hook has to load it.
 */
import picomatch from "picomatch";
import { RE2JS } from "re2js";

export interface CompiledPattern {
  /** The largest number of steps for each character of text. */
  readonly cost: number;
  /** Does the pattern match anywhere in the text? */
  test(text: string): boolean;
}

/** Throws for what the engine does not support, such as a lookahead; the message is a sentence without its full stop. */
export function compilePattern(source: string): CompiledPattern {
  const compiled = compile(source, 0);
  return { cost: compiled.programSize(), test: (text) => compiled.test(text) };
}

export interface CompiledGlob {
  /** The literal folder before the first special character; empty when there is none. */
  readonly base: string;
  /** The path must not contain `.` or `..`. A glob without special characters also matches everything below it. */
  matches(path: string): boolean;
}

const GLOB = { dot: true, nonegate: true, noextglob: true, strictBrackets: true, keepQuotes: true } as const;
/**
 * picomatch generates a regular expression for JavaScript's engine, which can take exponential time, so its source is
 * compiled by RE2 instead. RE2 has no lookaheads; those that picomatch uses exclude `.`, `..` and the empty path, which
 * never occur here, so they are removed.
 */
const LOOKAHEADS = ["(?!\\.{1,2}(?:\\/|$))", "(?!(?:^|\\/)\\.{1,2}(?:\\/|$))", "(?=.)"];
const MATCHES_NOTHING = "$^";

/** Throws for an invalid glob; the message is a sentence without its full stop. */
export function compileGlob(glob: string): CompiledGlob {
  const plain = asWritten(glob.replace(/^(?:\.\/)+/, "").replace(/(.)\/+$/, "$1"));
  if (plain.startsWith("!")) throw new Error("`!` at its beginning has no meaning here; name what is meant");
  if (/\{[^}]*\.\.[^}]*\}/.test(plain)) throw new Error("a range in braces is not known here; list what is meant");
  const { base, isGlob } = picomatch.scan(plain, GLOB);
  const folder = base.replace(/\\(.)/g, "$1");
  const below = folder === "/" ? folder : `${folder}/`;
  if (!isGlob) return { base: folder, matches: (path) => path === folder || path.startsWith(below) };
  const { source } = picomatch.makeRe(plain, GLOB);
  if (source === MATCHES_NOTHING) throw new Error("nothing could ever fit it");
  // Where a lookahead demands a character of the part itself, the part has to demand it: `a/**/*` must not match `a`.
  const demanding = source.replaceAll(/\(\?=\.\)\[\^\/\]\*\?(?=\\\/|\)|$)/g, "[^/]+?");
  const bare = LOOKAHEADS.reduce((text, one) => text.replaceAll(one, ""), demanding);
  // RE2 rejects a backslash before an ordinary letter, and picomatch writes one before every non-ASCII letter.
  const compiled = compile(bare.replace(/\\([^\0-\x7f])/gu, "$1"), RE2JS.DOTALL);
  return { base: folder, matches: (path) => compiled.test(path) };
}

/** Escapes the glob so that only `*`, `?`, `[…]` and `{…}` are special; picomatch knows more special characters. */
function asWritten(glob: string): string {
  return glob.replace(/\\([\s\S]?)|[()]|\[!/g, (whole, escaped: string | undefined) => {
    if (whole === "[!") return "[^";
    if (escaped === undefined) return `\\${whole}`;
    return /[\\*?[\]{}()]/.test(escaped) ? whole : escaped;
  });
}

function compile(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, "");
  if (/\(\?<?[=!]/.test(text)) return `looking ahead or behind is not possible here (${text})`;
  if (/invalid escape sequence: `\\[1-9k]/.test(text))
    return `referring back to a group is not possible here (${text})`;
  return text;
}
