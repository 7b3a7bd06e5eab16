import type { Word } from "../command.ts";
import { type OptionSpec, readOptions } from "../options.ts";

/**
 * Stands for letters that are generated when the line runs, as in `$(mktemp -d)` and `/tmp/x.$$`. No existing file has
 * such a name, so a path that contains it belongs to a file that the line itself creates.
 */
export const GENERATED_LETTERS = "XXXXXXXXXX";
/** Stands for a generated number. */
export const GENERATED_NUMBER = "NNNNNNNNNN";

/** Whether no file of this name can have existed before the line. */
export function isGeneratedName(path: string): boolean {
  return path.includes(GENERATED_LETTERS) || path.includes(GENERATED_NUMBER);
}

/** A folder that exists because `mktemp -d` has created it. */
export function isTemporaryFolder(path: string): boolean {
  return path.endsWith(GENERATED_LETTERS);
}

const MKTEMP: OptionSpec = { short: "duqtp:V", long: "directory dry-run quiet tmpdir:: suffix: help version" };
const FOLDER = "/tmp";

/** What `mktemp` prints. A folder that is not known is assumed to be `/tmp`. */
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

/** Variables whose value is a different number in each process. */
const NUMBERS = /^(?:\$|BASHPID|S?RANDOM|EPOCHSECONDS|EPOCHREALTIME)$/;
/** Command substitutions whose output is different each time. */
const GENERATORS = /^(?:\$\(|`)\s*(?:uuidgen\b|date\b[^|;&`$]*%[sN])[^|;&`$]*$/;
/** Of a path: it is tested again after each of its parts. */
const LONGEST = 4096;
const TEMPORARY = /^\/(?:tmp|var\/tmp|dev\/shm|private\/tmp)\/(?!.*\.\.)/;

/** Whether the value of a part, given by its source, is different each time. */
export function isFresh(source: string): boolean {
  const [, name] = /^\$(?:\{(\w+|\$)\}|\w+|\$)$/.exec(source) ?? [];
  return NUMBERS.test(name ?? source.slice(1)) || GENERATORS.test(source);
}

/** `/tmp/x.$$`: the variable completes the name of a temporary file that does not exist yet. */
export function generatesName(before: string, variable: string): boolean {
  return NUMBERS.test(variable) && before.length <= LONGEST && TEMPORARY.test(before);
}

/** `/tmp/x-$(date +%s)`: a command substitution does. */
export function printsGeneratedName(before: string, source: string): boolean {
  return GENERATORS.test(source) && before.length <= LONGEST && TEMPORARY.test(before);
}
