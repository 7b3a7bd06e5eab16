import type { Command, Word } from "../command.ts";
import { hasPlaceholder, PLACEHOLDERS } from "../placeholders.ts";
import { hereText, literalOutput } from "./output.ts";
import { templateOutput } from "./output-templates.ts";
import { filterOutput } from "./text-filters.ts";

/** Of all that is gathered on one line. */
const MAX_GATHERED = 256 * 1024;

/** How much of what commands may print was gathered on a line so far. */
export class CollectorBudget {
  #length = 0;

  /** False when it is enough. */
  afford(length: number): boolean {
    this.#length += length;
    return this.#length <= MAX_GATHERED;
  }
}

/**
 * What the commands of one part of a pipe, or of a substitution, may print: the texts of all of them one after the
 * other. Whether each of them runs, and how often, is not asked, so it is never more than a text that may come.
 */
export class OutputCollector {
  readonly #gathered: CollectorBudget;
  readonly #texts: string[] = [];

  constructor(gathered: CollectorBudget) {
    this.#gathered = gathered;
  }

  add(text: string | undefined): void {
    if (text !== undefined && this.#gathered.afford(text.length)) this.#texts.push(text);
  }

  /** Undefined when nothing of it stands on the line. */
  word(): Word | undefined {
    const shape = this.#texts.join("");
    return isUnknownOnly(shape) ? undefined : { text: shape, known: false, shape };
  }
}

/** Nothing of it is known. */
export function isUnknownOnly(shape: string): boolean {
  return shape.replace(PLACEHOLDERS, "").trim() === "";
}

/** Programs that print lines of what they read, whole. */
const LINE_FILTERS = /^(?:grep|egrep|fgrep|rg|head|tail|sort|uniq|tee|cat|tac|shuf|pv|sponge|less|more|bat|batcat)$/;
/** Where they print something else. */
const NO_LINES: Readonly<Record<string, RegExp>> = {
  grep: /^(?:-[a-zA-Z]*[oclLqn][a-zA-Z]*|--(?:only-matching|count|quiet|silent|files-with\S*|line-number))$/,
  uniq: /^(?:-\w*c\w*|--count)$/,
};

/** What it prints goes to a file. */
export function writesOut({ redirections }: Command): boolean {
  return redirections.some(({ fd, operator }) => (fd ?? 1) === 1 && operator.includes(">"));
}

/** The text that a command may print, with a hole for each piece that is not known. */
export function possibleOutput(
  command: Command,
  stdin: Word | undefined,
  fileText: (word: Word) => Word | undefined,
): string | undefined {
  if (writesOut(command)) return undefined;
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
  if (LINE_FILTERS.test(program)) return passed(program, words, text);
  const args = words.map((word) => word.text);
  return words.every((word) => word.known) && !hasPlaceholder(text) ? filterOutput(program, args, text) : undefined;
}

function passed(program: string, words: readonly Word[], text: string): string | undefined {
  const args = words.map((word) => word.text);
  const other = NO_LINES[program.endsWith("grep") ? "grep" : program];
  if (other && args.some((arg) => other.test(arg))) return undefined;
  if (!program.endsWith("grep")) return text;
  const [pattern, more] = args.filter((arg) => !/^-[EFiwve]+$/.test(arg));
  // A plain word can be looked for here; of anything else every line may come through.
  if (pattern === undefined || more !== undefined || !/^[\w /:=-]+$/.test(pattern)) return text;
  const without = args.some((arg) => /^-\w*v/.test(arg));
  const wanted = pattern.toLowerCase();
  const lines = text
    .split("\n")
    .filter((line) => hasPlaceholder(line) || line.toLowerCase().includes(wanted) !== without);
  return lines.length === 0 ? undefined : `${lines.join("\n").replace(/\n$/, "")}\n`;
}
