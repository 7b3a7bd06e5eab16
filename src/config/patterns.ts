/**
 * The only file that knows the engines behind patterns and globs. It is a bundle of its own, beside the others: most
 * setups have no pattern, and then no hook pays for loading it.
 */
import picomatch from "picomatch";
import { RE2JS } from "re2js";

export interface Pattern {
  /** Steps per character of text, at worst. */
  readonly cost: number;
  /** Does it fit anywhere in the text? */
  test(text: string): boolean;
}

/** Throws a sentence without its full stop for what the engine does not know, such as a lookahead. */
export function compilePattern(source: string): Pattern {
  const compiled = compile(source, 0);
  return { cost: compiled.programSize(), test: (text) => compiled.test(text) };
}

export interface Glob {
  /** The folder that is written out before the first special character; empty when there is none. */
  readonly base: string;
  /** For a path without `.` and `..` in it. A glob without special characters also means everything below. */
  matches(path: string): boolean;
}

const GLOB = { dot: true, nonegate: true, noextglob: true, strictBrackets: true, keepQuotes: true } as const;
/**
 * picomatch makes an expression for the engine of the language, which can take longer than anybody waits, so only its
 * reading of the glob is used. What it looks ahead for is `.`, `..` and nothing at all, and no path given here has those.
 */
const LOOKAHEADS = ["(?!\\.{1,2}(?:\\/|$))", "(?!(?:^|\\/)\\.{1,2}(?:\\/|$))", "(?=.)"];
const MATCHES_NOTHING = "$^";

/** Throws a sentence without its full stop for what is no glob. */
export function compileGlob(glob: string): Glob {
  const plain = asWritten(glob.replace(/^(?:\.\/)+/, "").replace(/(.)\/+$/, "$1"));
  if (plain.startsWith("!")) throw new Error("`!` at its beginning has no meaning here; name what is meant");
  if (/\{[^}]*\.\.[^}]*\}/.test(plain)) throw new Error("a range in braces is not known here; list what is meant");
  const { base, isGlob } = picomatch.scan(plain, GLOB);
  const folder = base.replace(/\\(.)/g, "$1");
  const below = folder === "/" ? folder : `${folder}/`;
  if (!isGlob) return { base: folder, matches: (path) => path === folder || path.startsWith(below) };
  const { source } = picomatch.makeRe(plain, GLOB);
  if (source === MATCHES_NOTHING) throw new Error("nothing could ever fit it");
  // Where the looked-for character is the part's own, the part itself has to demand it: `a/**/*` is not `a`.
  const demanding = source.replaceAll(/\(\?=\.\)\[\^\/\]\*\?(?=\\\/|\)|$)/g, "[^/]+?");
  const bare = LOOKAHEADS.reduce((text, one) => text.replaceAll(one, ""), demanding);
  // The engine takes a backslash only before what has a meaning, and picomatch puts one before any foreign letter.
  const compiled = compile(bare.replace(/\\([^\0-\x7f])/gu, "$1"), RE2JS.DOTALL);
  return { base: folder, matches: (path) => compiled.test(path) };
}

/** Only `*`, `?`, `[…]` and `{…}` are special; picomatch would take brackets and odd backslashes as an expression. */
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
