import { fingerprint } from "../../../core/text/fingerprint.ts";
import { maskText } from "../../../state/masking.ts";

/** Of a longer report the middle is left out before anything else is done with it. */
const MOST_READ = 64_000;
const LONGEST_STORED = 200;
const LONGEST_SHOWN = 400;
const MOST_LINES = 8;

const EXIT_CODE = /^Exit code (\d+)[^\n]*\n?/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's colours begin with this character
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;

/** What differs between two runs that fail in the same way, in the order in which it is removed. */
const CHANGING: readonly RegExp[] = [
  // Times: 2026-01-02T03:04:05.678Z, 03:04:05
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g,
  /\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g,
  // Durations: 12ms, 1.5 s, 2m
  /\b\d{1,12}(?:\.\d{1,9})? ?(?:ms|µs|ns|s|sec|seconds|m)\b/gi,
  // Places: file.ts:12:34, file.ts(12,34), file_test.go:12, line 12
  /:\d{1,9}:\d{1,9}\b/g,
  /\(\d{1,9},\d{1,9}\)/g,
  /(?<=\.[a-z]{1,5}):\d{1,9}\b/gi,
  /\bline \d{1,9}\b/gi,
  // Addresses and process numbers
  /\b0x[0-9a-f]{4,16}\b/gi,
  /\bpid[ =:]{1,3}\d{1,9}\b/gi,
];

/**
 * A failure without what differs from run to run, in lower case. Of a long one the beginning is kept, with a fingerprint
 * of all of it, so that failures with the same beginning are told apart.
 */
export function normalised(error: string): string {
  let text = bodyOf(error);
  for (const pattern of CHANGING) text = text.replace(pattern, "");
  text = text.replace(/\s+/g, " ").trim().toLowerCase();
  if (text === "") return `exit code ${exitCodeOf(error) ?? "unknown"}`;
  if (text.length <= LONGEST_STORED) return maskText(text);
  return `${maskText(text.slice(0, LONGEST_STORED).toWellFormed())}… #${fingerprint(text).slice(0, 12)}`;
}

const TELLING = /\b(?:fail|error|assert|expected|panic|exception|traceback|not ok)|^\s*[✗×✕●]/i;

/** The first lines of a failure that say something about it. */
export function shortFailure(error: string): string {
  const lines = bodyOf(error)
    .split("\n")
    .map((line) => line.trimEnd().slice(0, LONGEST_SHOWN))
    .filter((line) => line !== "");
  const start = Math.max(
    0,
    lines.findIndex((line) => TELLING.test(line)),
  );
  const shown = lines.slice(start, start + MOST_LINES).join("\n");
  const code = exitCodeOf(error);
  if (shown === "") return code === undefined ? "it gave no reason" : `exit code ${code}, without a message`;
  const text = maskText(shown);
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
}

export function exitCodeOf(error: string): number | undefined {
  const code = EXIT_CODE.exec(error)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** What a package manager or a build tool says first when there is nothing that it could run. */
const NOTHING_TO_RUN: readonly RegExp[] = [
  /^npm (?:ERR!|error) (?:code ENOENT|Missing script)/i,
  /^npm (?:ERR!|error) could not determine executable to run/i,
  /^(?:\S*: )?(?:ERR_PNPM_NO_SCRIPT|ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND)/,
  /^(?:error Command "[^"]{1,100}" not found|Usage Error: Couldn't find a script)/,
  /^error: Script not found/i,
  /^\S*python[\d.]*: (?:No module named|can't open file)/i,
  /^make: \*\*\* (?:No rule to make target (?!.*needed by)|No targets specified)/,
  /^error: could not find `Cargo\.toml`/,
  /^error: no such command/,
  /^go: (?:cannot find main module|go\.mod file not found)/,
];
const ONLY_A_WARNING = /^npm (?:warn|notice)\b/i;

/** Was there nothing to run: the program of the command is missing, or the task that it names? */
export function cannotRun(error: string, program: string): boolean {
  const lines = bodyOf(error)
    .split("\n", 50)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !ONLY_A_WARNING.test(line));
  const [first = ""] = lines;
  if (NOTHING_TO_RUN.some((pattern) => pattern.test(first))) return true;
  const code = exitCodeOf(error);
  if (program === "" || (code !== 127 && code !== 126)) return false;
  return lines.length === 0 || lines.some((line) => saysMissing(line, program));
}

const MISSING = /(?:not found|no such file or directory|permission denied|cannot execute)/i;

/** `bash: line 1: vitest: command not found`, `zsh:1: command not found: vitest` */
function saysMissing(line: string, program: string): boolean {
  return MISSING.test(line) && line.split(/[\s:'"`]+/).includes(program);
}

function bodyOf(error: string): string {
  const half = MOST_READ / 2;
  const read = error.length <= MOST_READ ? error : `${error.slice(0, half)}\n…\n${error.slice(-half)}`;
  return read.replace(EXIT_CODE, "").replace(COLOURS, "").replace(/\r\n?/g, "\n");
}
