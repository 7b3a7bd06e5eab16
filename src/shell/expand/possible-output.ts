import type { Command, Word } from "../command.ts";
import { hasPlaceholder, PLACEHOLDERS } from "../placeholders.ts";
import { hereText, literalOutput } from "./output.ts";
import { templateOutput } from "./output-templates.ts";
import { filterOutput } from "./text-filters.ts";

/** Of all collected output of one line. */
const MAX_COLLECTED = 256 * 1024;

/** Limits how much possible output is collected for one line. */
export class CollectorBudget {
  #length = 0;

  /** Counts characters; false beyond the limit. */
  afford(length: number): boolean {
    this.#length += length;
    return this.#length <= MAX_COLLECTED;
  }
}

/**
 * Collects what the commands of one part of a pipeline, or of a substitution, may print: their texts in order. It does
 * not ask whether each of them runs, or how often, so the result is only a possible output.
 */
export class OutputCollector {
  readonly #budget: CollectorBudget;
  readonly #texts: string[] = [];

  constructor(budget: CollectorBudget) {
    this.#budget = budget;
  }

  add(text: string | undefined): void {
    if (text !== undefined && this.#budget.afford(text.length)) this.#texts.push(text);
  }

  /** Undefined when no part of the output is known. */
  word(): Word | undefined {
    const shape = this.#texts.join("");
    return isUnknownOnly(shape) ? undefined : { text: shape, known: false, shape };
  }
}

/** Whether no part of a text is known. */
export function isUnknownOnly(shape: string): boolean {
  return shape.replace(PLACEHOLDERS, "").trim() === "";
}

/** Programs that print whole lines of their input. */
const LINE_FILTERS = /^(?:grep|egrep|fgrep|rg|head|tail|sort|uniq|tee|cat|tac|shuf|pv|sponge|less|more|bat|batcat)$/;
/** Options with which they print something else. */
const NO_LINES: Readonly<Record<string, RegExp>> = {
  grep: /^(?:-[a-zA-Z]*[oclLqn][a-zA-Z]*|--(?:only-matching|count|quiet|silent|files-with\S*|line-number))$/,
  uniq: /^(?:-\w*c\w*|--count)$/,
};

/** Whether standard output is redirected to a file. */
export function redirectsOutput({ redirections }: Command): boolean {
  return redirections.some(({ fd, operator }) => (fd ?? 1) === 1 && operator.includes(">"));
}

/** The text that a command may print, with a placeholder for each unknown part. */
export function possibleOutput(
  command: Command,
  stdin: Word | undefined,
  fileText: (word: Word) => Word | undefined,
): string | undefined {
  if (redirectsOutput(command)) return undefined;
  const literal = literalOutput(command, stdin);
  if (literal) return literal.shape ?? literal.text;
  const { program = "" } = command;
  const words = command.argv.slice(1);
  if (program === "cat") {
    const texts = words.flatMap((word) => fileText(word) ?? []);
    if (texts.length > 0) return texts.map((text) => text.shape ?? text.text).join("");
  }
  const read = hereText(command) ?? stdin;
  const text = read && (read.known ? read.text : read.shape);
  const own = templateOutput(program, words, text);
  if (own !== undefined || text === undefined) return own;
  if (LINE_FILTERS.test(program)) return filteredLines(program, words, text);
  const args = words.map((word) => word.text);
  return words.every((word) => word.known) && !hasPlaceholder(text) ? filterOutput(program, args, text) : undefined;
}

function filteredLines(program: string, words: readonly Word[], text: string): string | undefined {
  const args = words.map((word) => word.text);
  const other = NO_LINES[program.endsWith("grep") ? "grep" : program];
  if (other && args.some((arg) => other.test(arg))) return undefined;
  if (!program.endsWith("grep")) return text;
  const [pattern, more] = args.filter((arg) => !/^-[EFiwve]+$/.test(arg));
  // Only a fixed string is searched for here. For a regular expression any line may match.
  if (pattern === undefined || more !== undefined || !/^[\w /:=-]+$/.test(pattern)) return text;
  const without = args.some((arg) => /^-\w*v/.test(arg));
  const wanted = pattern.toLowerCase();
  const lines = text
    .split("\n")
    .filter((line) => hasPlaceholder(line) || line.toLowerCase().includes(wanted) !== without);
  return lines.length === 0 ? undefined : `${lines.join("\n").replace(/\n$/, "")}\n`;
}
