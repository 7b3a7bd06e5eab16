import type { Connector, Span } from "./parse/syntax.ts";

/** One word after expansion. In the `text` of an unknown word the unknown parts stand as in the source. */
export interface Word {
  readonly text: string;
  /** False when any part of it is only known at run time. */
  readonly known: boolean;
  /** `text` is a pattern that the shell matches against files. */
  readonly glob?: true;
  /** It may become any number of words. */
  readonly many?: true;
  /** The part of an unknown word after the last slash, where that part is known. */
  readonly base?: string;
  /** The text of an unknown word with a placeholder for each unknown part, so that it can be read as a script. */
  readonly shape?: string;
  /** The text of an unknown word if the variables whose defaults it uses are not set: `dist/x` of `${dir:-dist}/x`. */
  readonly defaultText?: string;
  /** A part such as `$$` is different each time, so no existing file has this name. */
  readonly fresh?: true;
  /** The elements of an argument `name=(…)` of declare, when all are known. */
  readonly items?: readonly string[];
  /** The elements of `name=([key]=text …)`. */
  readonly entries?: readonly (readonly [key: string, text: Word])[];
}

export interface Redirection {
  readonly operator: string;
  /** The number or variable before the operator. */
  readonly fd: number | string | undefined;
  readonly target: Word | undefined;
  /** The text of a here-document or here-string. */
  readonly body: Word | undefined;
}

export interface Assignment {
  readonly name: string;
  readonly append: boolean;
  readonly value: Word | readonly Word[];
}

export type Scope =
  | "subshell"
  | "group"
  | "pipeline"
  | "condition"
  | "loop"
  | "case"
  | "function"
  | "substitution"
  | "process-substitution"
  | "arithmetic"
  | "coproc"
  | "trap";

/**
 * What is not known about a command before it runs.
 * - program: which program it is
 * - words: the value of at least one word
 * - count: the number of words
 * - options: its launcher has unknown options, so that the command may begin at another word
 * - script: it runs text that is not on the line
 * - uncalled: no path leads to it: a function that is not called, what follows `exit` or `false &&`
 * - alias: the line gives this name another meaning
 */
export type Doubt = "program" | "words" | "count" | "options" | "script" | "uncalled" | "alias";

export interface Command {
  /** Empty for an assignment or redirection without a command. */
  readonly argv: readonly Word[];
  /** Last path component of the program; empty when there is none, as for a function call; undefined when not known. */
  readonly program: string | undefined;
  /** The words after the program; undefined for an unknown word. */
  readonly args: readonly (string | undefined)[];
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  /** Its position in the text; for a command inside a string, the position of the command with that string. */
  readonly at: Span;
  readonly joined: Connector;
  /** Outermost first. */
  readonly within: readonly Scope[];
  readonly background: boolean;
  readonly negated: boolean;
  /** The innermost function that it is part of. */
  readonly functionName: string | undefined;
  /**
   * The folder it runs in, absolute or relative to where the line starts; undefined when not certain. After
   * `cd "${DIR:-web}"` it is the default.
   */
  readonly cwd: string | undefined;
  /** All folders it may run in, when they are few. */
  readonly cwds: readonly string[] | undefined;
  /** The command that starts this one: sudo, `bash -c`, a function call, … */
  readonly via: Command | undefined;
  /** The commands that it starts are listed as well. */
  readonly wraps: boolean;
  /** It runs on another machine or under another root. */
  readonly remote: boolean;
  /** The commands of the previous part of the pipeline, whose output it reads. */
  readonly upstream: readonly Command[];
  /** The commands inside its own words: `$(…)`, `<(…)`. */
  readonly inner: readonly Command[];
  readonly uncertain: readonly Doubt[];
  /** `set -e` is in force: a failure of the statement before it would have ended the shell. */
  readonly strict: boolean;
  /** `set -C` is in force: `>` does not overwrite files. */
  readonly noclobber: boolean;
  /** It only runs if these files do not exist or are empty; absolute or relative to where the line starts. */
  readonly absent: readonly string[];
  /** A PowerShell command, translated to bash. Its effects are derived from the PowerShell text, not from this. */
  readonly translated?: true;
}

/** A command while it is being read. */
export type MutableCommand = { -readonly [K in keyof Command]: Command[K] };

/** Any number of unknown words, as xargs and its like append them. */
export const ANY_WORDS: Word = { text: "", known: false, many: true };

export function knownWord(text: string): Word {
  return { text, known: true };
}

export function knownText(word: Word | undefined): string | undefined {
  return word?.known ? word.text : undefined;
}

/** Variables that by convention hold the path of a shell. */
const OWN_SHELL = /^\$\{?(?:SHELL|BASH|0)(?::?-[\w/]*sh)?\}?$/;

/** The default in `${TOOL:-name}`, with or without a folder. */
const PROGRAM = /^(?:[\w./-]*\/)?([\w.-]+)$/;

export function programOf(argv: readonly Word[]): string | undefined {
  const [first] = argv;
  if (!first) return "";
  if (!first.known)
    return first.base ?? (OWN_SHELL.test(first.text) ? "bash" : PROGRAM.exec(first.defaultText ?? "")?.[1]);
  const name = first.text.slice(first.text.lastIndexOf("/") + 1) || first.text;
  // Windows finds a program with and without its extension.
  return name.replace(/(?<=.)\.exe$/i, "");
}

/** The command with the defaults of its variables, which apply unless somebody has set the variables. */
export function withDefaults(command: Command): Command {
  if (!command.argv.some(({ defaultText }) => defaultText !== undefined)) return command;
  const argv = command.argv.flatMap(defaultWords);
  return { ...command, argv, args: argv.slice(1).map(knownText) };
}

/** The words of a default, which outside quotes is split at blanks. */
export function defaultWords(word: Word): readonly Word[] {
  const { defaultText, glob, many } = word;
  if (defaultText === undefined) return [word];
  const texts = many ? defaultText.split(/\s+/).filter(Boolean) : [defaultText];
  return texts.map((text) => (glob ? { text, known: false, glob, many: true, shape: text } : knownWord(text)));
}
