import { type Doubt, defaultWords, type MutableCommand, programOf, type Word } from "../command.ts";
import type { Context } from "../expand/context.ts";
import { hereText } from "../expand/output.ts";
import type { Env } from "../expand/variables.ts";
import { SHELLS } from "../launch/launchers.ts";
import { MAX_COMMANDS, type Span, TOO_MANY, Unreadable } from "../parse/syntax.ts";
import type { Reader } from "./reader.ts";

const NONE: readonly never[] = [];

/** Adds a command to the list. Its words are set later, since the commands inside them are listed after it. */
export function addCommand(reader: Reader, at: Span, env: Env, context: Context): MutableCommand {
  const [cwd, other] = env.cwds ?? [];
  const command: MutableCommand = {
    argv: [],
    program: "",
    args: [],
    assignments: [],
    redirections: [],
    at: context.position ?? at,
    joined: context.joined,
    within: context.within,
    background: context.background,
    negated: context.negated,
    functionName: context.calls.at(-1)?.name,
    cwd: other === undefined ? cwd : undefined,
    cwds: env.cwds,
    via: context.via,
    wraps: false,
    remote: context.remote,
    upstream: context.upstream,
    inner: [],
    uncertain: context.uncalled ? ["uncalled"] : [],
    strict: env.errexit === "on",
    noclobber: env.noclobber === "on",
    absent: env.absent ?? NONE,
  };
  if (reader.commands.length >= MAX_COMMANDS) throw new Unreadable(TOO_MANY);
  reader.commands.push(command);
  return command;
}

export function setWords(
  command: MutableCommand,
  words: readonly Word[],
  env: Env,
  doubts: readonly Doubt[] = [],
): void {
  const argv = withDefaultProgram(words);
  command.argv = argv;
  command.program = programOf(argv);
  const args: (string | undefined)[] = [];
  let [unknown, count] = [false, false];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as Word;
    if (!word.known) {
      unknown = true;
      count ||= word.many === true;
    }
    if (at > 0) args.push(word.known ? word.text : undefined);
  }
  command.args = args;
  for (const each of doubts) doubt(command, each);
  if (command.program === undefined) doubt(command, "program");
  if (unknown) doubt(command, "words");
  if (count) doubt(command, "count");
  if (env.aliases.size > 0 && env.aliases.has(argv[0]?.text ?? "")) doubt(command, "alias");
}

/** `$SUDO rm x`: scripts set such a variable to nothing, or to a program that runs the rest as root. */
const AS_ROOT = /^\$\{?(?:maybe_)?sudo\}?$|^\$\{?AS_ROOT\}?$/i;

/** Splits a default of several words or none: `${RUN:-sudo rm} x` starts `sudo`, `${SUDO:-} rm x` starts `rm`. */
function withDefaultProgram(words: readonly Word[]): readonly Word[] {
  const [first, ...rest] = words;
  if (first?.known === false && rest.length > 0 && AS_ROOT.test(first.text)) return rest;
  if (!first?.many || first.defaultText === undefined || /^\s*\S+\s*$/.test(first.defaultText)) return words;
  return [...defaultWords(first).map(({ text }) => ({ text, known: false, shape: text, defaultText: text })), ...rest];
}

export function doubt(command: MutableCommand, what: Doubt): void {
  if (!command.uncertain.includes(what)) command.uncertain = [...command.uncertain, what];
}

/** The text that a command reads from its input; undefined when it reads none. */
export function stdinOf({ scripts }: Reader, command: MutableCommand, context: Context): Word | undefined {
  const reads = command.redirections.filter(({ fd, operator }) => (fd ?? 0) === 0 && operator.startsWith("<"));
  if (reads.length === 0) return context.stdin;
  const [only, more] = reads;
  const target = more === undefined ? only?.target : undefined;
  const isShell = SHELLS.has(command.program ?? "");
  const file = isShell ? scripts.start(target, command) : scripts.textOf(target, command.cwd);
  return hereText(command) ?? file ?? { text: "", known: false };
}
