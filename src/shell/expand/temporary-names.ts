import type { Word } from "../command.ts";
import { type OptionSpec, readOptions } from "../options.ts";

/**
 * Stands for letters that are only made up when the line runs: `$(mktemp -d)`, `/tmp/x.$$`. Nobody used such a name
 * before, so a path with it is one that the line itself makes.
 */
export const GENERATED_LETTERS = "XXXXXXXXXX";
/** The same for a number. */
export const NUMBER = "NNNNNNNNNN";

/** Nothing old can be there. */
export function isGeneratedName(path: string): boolean {
  return path.includes(GENERATED_LETTERS) || path.includes(NUMBER);
}

/** A folder that is there because `mktemp` printed its name. */
export function isTemporaryFolder(path: string): boolean {
  return path.endsWith(GENERATED_LETTERS);
}

const MKTEMP: OptionSpec = { short: "duqtp:V", long: "directory dry-run quiet tmpdir:: suffix: help version" };
const FOLDER = "/tmp";

/** What `mktemp` prints. Where its folder is not known it is taken to be the usual one. */
export function mktempOutput(words: readonly Word[]): Word {
  const { operands, given } = readOptions(words, MKTEMP, true);
  const written = operands.at(-1);
  const folder = (given.get("p") ?? given.get("tmpdir"))?.at(-1);
  const suffix = given.get("suffix")?.at(-1);
  const text = written?.known ? written.text : (written?.text.split("/").at(-1) ?? "tmp.");
  const name = text.replace(/X{3,}|$/, GENERATED_LETTERS) + (suffix?.known ? suffix.text : "");
  const inFolder = !written?.known || given.has("t") || given.has("p") || given.has("tmpdir");
  const path = inFolder ? `${folder?.known ? folder.text.replace(/\/+$/, "") : FOLDER}/${name}` : name;
  return { text: `${path}\n`, known: true };
}

/** Variables that are another number each time. */
const NUMBERS = /^(?:\$|BASHPID|S?RANDOM|EPOCHSECONDS|EPOCHREALTIME)$/;
const MAKERS = /^(?:\$\(|`)\s*(?:uuidgen\b|date\b[^|;&`$]*%[sN])[^|;&`$]*$/;
/** Of a path; to look at a longer one again after every piece would take forever. */
const LONGEST = 4096;
const TEMPORARY = /^\/(?:tmp|var\/tmp|dev\/shm|private\/tmp)\/(?!.*\.\.)/;

/** A piece that is another one each time, as it is written. */
export function isFresh(source: string): boolean {
  const [, name] = /^\$(?:\{(\w+|\$)\}|\w+|\$)$/.exec(source) ?? [];
  return NUMBERS.test(name ?? source.slice(1)) || MAKERS.test(source);
}

/** `/tmp/x.$$`: the process makes a name of its own among temporary files. */
export function generatesName(before: string, variable: string): boolean {
  return NUMBERS.test(variable) && before.length <= LONGEST && TEMPORARY.test(before);
}

/** `/tmp/x-$(date +%s)`. */
export function printsGeneratedName(before: string, source: string): boolean {
  return MAKERS.test(source) && before.length <= LONGEST && TEMPORARY.test(before);
}
