import { type Command, knownWord, type Word } from "../../shell/command.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";

/** The files that a `find` selects, as far as its own words tell. */
export interface FileSelection {
  readonly command: Command;
  readonly roots: readonly Word[];
  /** Names that every selected file has; empty when any name is possible. */
  readonly names: readonly string[];
  /** Selects only empty files and folders. */
  readonly empty: boolean;
  /** Selects only files that were not changed or read for some time. */
  readonly old?: boolean;
  /** Selects the roots themselves, and below them only the given names. */
  readonly exact?: true;
}

const NAMES = new Set(["-name", "-iname", "-path", "-ipath", "-wholename"]);

const read = new WeakMap<Command, FileSelection>();

/** Cached, because every action of one `find` needs it. */
export function readFind(command: Command): FileSelection {
  const known = read.get(command) ?? findOf(command);
  read.set(command, known);
  return known;
}

function findOf(command: Command): FileSelection {
  const words = command.argv.slice(1);
  const start = words.findIndex((word) => !/^-(?:[HLP]+|D|O\d?)$/.test(word.text));
  const rest = start < 0 ? [] : words.slice(start);
  const end = rest.findIndex((word) => /^(?:-.+|!|\(|\))$/.test(word.text));
  const roots = end < 0 ? rest : rest.slice(0, end);
  return {
    command,
    roots: roots.length > 0 ? roots : [knownWord(".")],
    names: namesOf(rest),
    empty: command.args.includes("-empty") && !command.args.includes("-o"),
    old: rest.some(({ text }, at) => /^-[amc](?:time|min)$/.test(text) && /^\+\d/.test(rest[at + 1]?.text ?? "")),
  };
}

const FD: OptionSpec = {
  short: "HIuLsigFapl0q1t:e:E:S:d:c:j:x:X:o:",
  long: "type: extension: exclude: size: max-depth: min-depth: exact-depth: color: threads: base-directory: search-path: owner: changed-within: changed-before: glob hidden no-ignore follow absolute-path full-path",
};

/** The patterns of fd are regular expressions; only a plain name or an extension says which files it selects. */
export function readFd(command: Command): FileSelection {
  const words = command.argv.slice(1);
  const end = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text));
  const { given, operands } = readOptions(end < 0 ? words : words.slice(0, end), FD, true);
  const [pattern, ...roots] = operands;
  const types = [...(given.get("e") ?? []), ...(given.get("extension") ?? [])].map((type) => `*.${type?.text ?? "*"}`);
  const [, ending] = /^\\\.(\w+)\$$/.exec(pattern?.text ?? "") ?? [];
  const named = pattern && /^[\w.-]+$/.test(pattern.text) && !pattern.text.includes(".*") ? [pattern.text] : [];
  const names = types.length > 0 ? types : ending === undefined ? named : [`*.${ending}`];
  return { command, roots: roots.length > 0 ? roots : [knownWord(".")], names, empty: false };
}

/**
 * With `-o` beside other tests a name says nothing about everything that is found. A test that must not hold leaves only
 * less to be found; but not where another test may hold in its place, which what is chosen in brackets cannot for what
 * stands beside them.
 */
function namesOf(words: readonly Word[]): readonly string[] {
  const tests: { text: string; isName: boolean }[] = [];
  let depth = 0;
  const depths = words.map(({ text }) => (text === "(" ? depth++ : text === ")" ? --depth : depth));
  const choices = depths.filter((_, at) => /^(?:-o|-or|,)$/.test(words[at]?.text ?? ""));
  for (const [index, word] of words.entries()) {
    const isNegated = isNot(words[index - 1]);
    const isOutside = depths[index] === 0 && !choices.includes(0);
    if (isNot(word) && ((choices.length > 0 && !isOutside) || words[index + 1]?.text === "(")) return [];
    if (NAMES.has(word.text) && !isNegated)
      tests.push({ text: words[index + 1]?.text ?? "*", isName: /name$/.test(word.text) });
  }
  const others = words.some((word, index) => word.text === "-o" && !NAMES.has(nextTest(words, index)));
  if (others) return [];
  const names = tests.map(({ text }) => text.replace(/\/?\*?$/, (tail) => (tail === "*" ? tail : "")));
  // Without a choice all of them hold: `-path './a/*' -name '*.b'` finds a/*.b.
  if (choices.length > 0 || tests.length < 2) return names;
  const folders = names.filter((_, at) => !tests[at]?.isName);
  const name = names.findLast((_, at) => tests[at]?.isName);
  return [[...folders, ...(name === undefined ? [] : [name])].join("/")];
}

function isNot(word: Word | undefined): boolean {
  return word?.text === "!" || word?.text === "-not";
}

function nextTest(words: readonly Word[], index: number): string {
  for (let at = index + 1; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (text !== "(" && text !== "-type" && !/^[fdl]$/.test(text)) return text;
  }
  return "";
}
