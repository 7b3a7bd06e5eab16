import { type Assignment, type Command, knownText } from "../../../shell/command.ts";
import { readShell } from "../../../shell/shell.ts";

/** The command that has to succeed, as the parts that all have to succeed. */
export interface NamedCommand {
  readonly text: string;
  /** Empty unless it is one simple command, or several that `&&` joins. Without those that only change the folder. */
  readonly parts: readonly Command[];
}

/** `folder`: where the command is meant to run. */
export function readNamed(text: string, folder: string, userHome: string): NamedCommand {
  const { commands, unreadable } = readShell(text, { cwd: folder, variables: { HOME: userHome } });
  const own = commands.filter(({ via }) => via === undefined);
  const isChain = own.every((one, index) => isPlain(one) && (index === 0 || one.joined === "&&"));
  const parts = unreadable === undefined && isChain ? own.filter(({ program }) => program !== "cd") : [];
  return { text: text.trim(), parts };
}

/** Its first word, as a shell names it that cannot find it. */
export function programOf({ text, parts }: NamedCommand): string {
  return parts[0]?.argv[0]?.text ?? /^\S+/.exec(text)?.[0] ?? "";
}

function isPlain(one: Command): boolean {
  return one.within.length === 0 && !one.background && !one.negated && one.argv.every(({ known }) => known);
}

/** Is it the very same command, word by word, with the variables that the named one sets? */
export function isSame(named: Command, command: Command): boolean {
  const words = wordsOf(command);
  if (words === undefined || words.join("\0") !== wordsOf(named)?.join("\0")) return false;
  const isGiven = (wanted: Assignment): boolean =>
    command.assignments.some((given) => given.name === wanted.name && isEqual(given, wanted));
  const isWanted = (given: Assignment): boolean => named.assignments.some(({ name }) => name === given.name);
  return (
    named.assignments.every(isGiven) && command.assignments.every((given) => isWanted(given) || !isDecisive(given))
  );
}

function isEqual(a: Assignment, b: Assignment): boolean {
  return JSON.stringify(a.value) === JSON.stringify(b.value);
}

/** The words, in one form for commands that are written in several ways; undefined when one of them is not known. */
function wordsOf({ argv, program }: Command): readonly string[] | undefined {
  const words = argv.map(knownText).filter((word) => word !== undefined);
  if (program === "" || words.length !== argv.length) return undefined;
  const [name = "", second = "", third = "", ...rest] = words;
  if (isNodeManager(name)) {
    if (second === "run" || second === "run-script") return [name, "run", third, ...rest];
    // `bun test` is a test runner of bun's own, and not the script.
    if (name !== "bun" && TEST_SCRIPT.has(second)) return [name, "run", "test", ...words.slice(2)];
  }
  if (/^python[\d.]*$/.test(name) && second === "-m") return [third, ...rest];
  return words;
}

const TEST_SCRIPT = new Set(["test", "t", "tst"]);

function isNodeManager(name: string): boolean {
  return name === "npm" || name === "pnpm" || name === "yarn" || name === "bun";
}

/** Variables that decide which program runs, or what it checks. */
const DECISIVE =
  /^(?:PATH|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|PYTHONPATH|LD_\w+|npm_\w+|\w*FLAGS|\w*_(?:ADDOPTS|OPTIONS|OPTS))$/i;
const EXPORTS = new Set(["export", "declare", "typeset", "readonly"]);

export function isDecisive({ name }: Pick<Assignment, "name">): boolean {
  return DECISIVE.test(name);
}

/** Does this command give such a variable to those that follow? */
export function setsDecisive({ program, argv, assignments }: Command): boolean {
  if (argv.length === 0) return assignments.some(isDecisive);
  if (!EXPORTS.has(program ?? "")) return false;
  return argv.slice(1).some(({ text }) => isDecisive({ name: text.split("=", 1)[0] ?? "" }));
}

/** Are all parts among these commands, in their order? */
export function hasAll(
  parts: readonly Command[],
  commands: readonly Command[],
  isPart: (part: Command, command: Command) => boolean,
): boolean {
  let at = 0;
  for (const command of commands) {
    const part = parts[at];
    if (part && isPart(part, command)) at++;
  }
  return parts.length > 0 && at === parts.length;
}
