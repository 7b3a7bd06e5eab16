import type { Command } from "../../../shell/command.ts";
import { CUSTOM_GOAL, GOALS, type Goal, type UsualGoal } from "./goal-names.ts";
import { type CheckRow, checksOf, FILTERS, NOT_A_CHECK, SCRIPTS } from "./usual-checks.ts";

/**
 * How much of a goal a command checks.
 * - whole: everything
 * - part: some tests, files or packages only, so its success proves little
 */
export type Extent = "whole" | "part";

/** Does this command check the goal, as far as it is one of the usual ones? */
export function extentOf(goal: Goal, { argv, args, program: name }: Command): Extent | undefined {
  const [program] = argv;
  // A call of a function of this name has no program.
  if (goal === CUSTOM_GOAL || name === "" || !program?.known) return undefined;
  // A word that is only known when the line runs may narrow the check down.
  const words = args.map((arg) => arg ?? "$");
  return extentOfWords(goal, baseName(program.text), words);
}

/** The goal that these words check as a whole, such as `npm test`. */
export function usualGoalOf(words: readonly string[]): Goal | undefined {
  const [program = "", ...rest] = words;
  return GOALS.find((goal) => goal !== CUSTOM_GOAL && extentOfWords(goal, baseName(program), rest) === "whole");
}

function extentOfWords(goal: UsualGoal, program: string, words: readonly string[]): Extent | undefined {
  if (isScriptRunner(program)) return scriptExtent(goal, program, words);
  const [name, rest] = moduleOf(program, words);
  for (const row of checksOf(goal)) {
    if (!row.names.includes(name)) continue;
    const extent = extentOfRow(goal, row, rest);
    if (extent) return extent;
  }
  return undefined;
}

function extentOfRow(goal: UsualGoal, row: CheckRow, words: readonly string[]): Extent | undefined {
  const { options, operands } = divide(words, row.values);
  if (options.some((option) => isNoCheck(goal, option)) || row.unless.some((name) => options.includes(name)))
    return undefined;
  if (row.needs.length > 0 && !row.needs.some((name) => options.includes(name))) return undefined;
  const verb = row.verbs.find((words) => words.every((word, index) => operands[index] === word));
  if (!verb) return undefined;
  const rest = operands.slice(verb.length);
  const isFilter = (option: string): boolean =>
    row.filters.includes(option) || (FILTERS.has(option) && !row.values.includes(option));
  const isFiltered = options.some(isFilter);
  return isFiltered || !rest.every((word) => isWide(word, row.operands)) ? "part" : "whole";
}

/** `npm run test:unit`, `pnpm -r build`: a script of package.json, or a tool in its folder of programs. */
function scriptExtent(goal: UsualGoal, program: string, words: readonly string[]): Extent | undefined {
  const { options, operands } = divide(words, ["--prefix", "-C", "--dir", "--cwd", "--loglevel", "-w", "--workspace"]);
  if (options.some((option) => isNoCheck(goal, option))) return undefined;
  const [first = "", ...others] = operands;
  const isRun = first === "run" || first === "run-script";
  const [script = "", ...rest] = isRun ? others : operands;
  const known = SCRIPTS[goal].has(script) && (isRun || program !== "npm" || goal === "tests");
  if (!known) {
    const isTool = program !== "npm" && script !== "" && !isScriptRunner(script);
    return isTool ? extentOfWords(goal, script, words.slice(words.indexOf(script) + 1)) : undefined;
  }
  const isNarrow = options.some((option) => FILTERS.has(option) || ["-w", "--workspace", "-F"].includes(option));
  return isNarrow || rest.length > 0 ? "part" : "whole";
}

function isScriptRunner(program: string): boolean {
  return program === "npm" || program === "pnpm" || program === "yarn" || program === "bun";
}

/** `python -m pytest` is pytest, and `python manage.py test` or `php artisan test` is what the script does. */
function moduleOf(program: string, words: readonly string[]): readonly [string, readonly string[]] {
  if (!/^(?:python|py|php)[\d.]*$/.test(program)) return [program, words];
  const at = words[0] === "-m" ? 1 : words.findIndex((word) => !word.startsWith("-"));
  const name = words[at];
  return name === undefined ? [program, words] : [baseName(name), words.slice(at + 1)];
}

interface Divided {
  /** Without their values, a value after `=` included. */
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

function divide(words: readonly string[], values: readonly string[]): Divided {
  const options: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    // A number is the value of an option before it.
    if (!word.startsWith("-")) operands.push(...(/^\d+$/.test(word) ? [] : [word]));
    else if (word !== "--") {
      const [name = word] = word.split("=", 1);
      options.push(name);
      if (name === word && values.includes(name)) at++;
    }
  }
  return { options, operands };
}

function isNoCheck(goal: UsualGoal, option: string): boolean {
  return NOT_A_CHECK.has(option) || (goal === "tests" && /^-D(?:maven\.test\.|skipTests)/.test(option));
}

const FILE = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|cs|swift|exs?|vue|svelte)(?::\d+)?$|::|[#$]/;

/** Does this operand leave the check whole? A folder does, where a tool is usually given one. */
function isWide(word: string, operands: CheckRow["operands"]): boolean {
  if (operands === "any") return true;
  if (operands === "none") return false;
  if (operands === "packages") return word === "." || word === "all" || word.endsWith("...");
  return word.includes("*") || !FILE.test(word);
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
