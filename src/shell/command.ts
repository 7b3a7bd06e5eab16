import type { Connector, Span } from "./parse/syntax.ts";

/** One word after expansion. `text` of an unknown word keeps the unknown pieces as they were written. */
export interface Word {
  readonly text: string;
  /** False when any piece of it is only decided at run time. */
  readonly known: boolean;
  /** A pattern that the shell matches against files; `text` is the pattern. */
  readonly glob?: true;
  /** May become no word, one or several. */
  readonly many?: true;
  /** The part after the last slash, when that much is certain of an unknown word. */
  readonly base?: string;
  /** An unknown word with one private character for each unknown piece, so that it can be read as a script. */
  readonly shape?: string;
  /** What an unknown word is unless somebody has set the variables whose defaults it uses: `${dir:-dist}/x`. */
  readonly defaultText?: string;
  /** An unknown word with a piece that is another one each time, as `$$`: nothing old has this name. */
  readonly fresh?: true;
  /** The elements of `name=(…)` as an argument of declare, when all are known. */
  readonly items?: readonly string[];
  /** Those of `name=([key]=text …)`. */
  readonly entries?: readonly (readonly [key: string, text: Word])[];
}

export interface Redirection {
  readonly operator: string;
  /** The number or variable before the operator. */
  readonly fd: number | string | undefined;
  readonly target: Word | undefined;
  /** Text given by a here-document or here-string: data, never commands. */
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
 * What cannot be told about a command before it runs.
 * - program: which program it is
 * - words: the value of at least one word
 * - count: how many words there are
 * - options: a launcher was given options we do not know, so the command may begin elsewhere
 * - script: it runs text that is not on the line
 * - uncalled: nothing on the line leads to it: a function that is not called, what follows `exit` or `false &&`
 * - alias: the line itself gives this name another meaning
 */
export type Doubt = "program" | "words" | "count" | "options" | "script" | "uncalled" | "alias";

export interface Command {
  /** Empty for a bare assignment or redirection. A call of a function has words and still no program. */
  readonly argv: readonly Word[];
  /** Last path component of the program; empty when it starts none itself, undefined when it is not known. */
  readonly program: string | undefined;
  /** Everything after the program; undefined for a word that is not known. */
  readonly args: readonly (string | undefined)[];
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  /** Where it stands in the text; for a command inside a string, where that string's command stands. */
  readonly at: Span;
  readonly joined: Connector;
  /** Outermost first. */
  readonly within: readonly Scope[];
  readonly background: boolean;
  readonly negated: boolean;
  /** The innermost function whose body it stands in. */
  readonly functionName: string | undefined;
  /**
   * Folder it runs in, relative to where the line starts unless absolute; undefined when not certain. After
   * `cd "${DIR:-web}"` it is the default.
   */
  readonly cwd: string | undefined;
  /** The folders it may run in, when there are only a few. */
  readonly cwds: readonly string[] | undefined;
  /** The command that starts this one: sudo, `bash -c`, a function call, … */
  readonly via: Command | undefined;
  /** True when what it starts is listed as well. */
  readonly wraps: boolean;
  /** Runs on another machine or under another root. */
  readonly remote: boolean;
  /** The part of the pipe directly before it, which writes what it reads. */
  readonly upstream: readonly Command[];
  /** What runs inside its own words: `$(…)`, `<(…)`. */
  readonly inner: readonly Command[];
  readonly uncertain: readonly Doubt[];
  /** `set -e` is in force: had the statement before failed, the shell would have ended. */
  readonly strict: boolean;
  /** `set -C` is in force: `>` writes over no file. */
  readonly noclobber: boolean;
  /** It runs only where these are no files, or empty ones; as whole paths or from where the line starts. */
  readonly absent: readonly string[];
  /** A command of a PowerShell text, in words of bash. What it loses is told by that text, not by this. */
  readonly translated?: true;
}

export type MutableCommand = { -readonly [K in keyof Command]: Command[K] };

/** Appended by xargs and its like: any number of words nobody has seen. */
export const ANY_WORDS: Word = { text: "", known: false, many: true };

export function knownWord(text: string): Word {
  return { text, known: true };
}

export function knownText(word: Word | undefined): string | undefined {
  return word?.known ? word.text : undefined;
}

/** Variables that by convention name a shell. */
const OWN_SHELL = /^\$\{?(?:SHELL|BASH|0)(?::?-[\w/]*sh)?\}?$/;

/** `${TOOL:-name}`: what is started unless somebody set another one. */
const PROGRAM = /^(?:[\w./-]*\/)?([\w.-]+)$/;

export function programOf(argv: readonly Word[]): string | undefined {
  const [first] = argv;
  if (!first) return "";
  if (!first.known)
    return first.base ?? (OWN_SHELL.test(first.text) ? "bash" : PROGRAM.exec(first.defaultText ?? "")?.[1]);
  const name = first.text.slice(first.text.lastIndexOf("/") + 1) || first.text;
  // Windows finds it with or without the ending.
  return name.replace(/(?<=.)\.exe$/i, "");
}

/** The command with the defaults of its variables in place, which is what it is unless somebody has set them. */
export function withDefaults(command: Command): Command {
  if (!command.argv.some(({ defaultText }) => defaultText !== undefined)) return command;
  const argv = command.argv.flatMap(defaultWords);
  return { ...command, argv, args: argv.slice(1).map(knownText) };
}

/** Outside quotes blanks separate words, also those of a default. */
export function defaultWords(word: Word): readonly Word[] {
  const { defaultText, glob, many } = word;
  if (defaultText === undefined) return [word];
  const texts = many ? defaultText.split(/\s+/).filter(Boolean) : [defaultText];
  return texts.map((text) => (glob ? { text, known: false, glob, many: true, shape: text } : knownWord(text)));
}
