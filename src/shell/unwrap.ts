import { ANY_WORDS, type Assignment, type Doubt, known, programOf, type Word } from "./command.ts";
import { startedInContainer } from "./container-launchers.ts";
import { FILLED, hasHole } from "./holes.ts";
import {
  BOXES,
  CONTAINER_TOOLS,
  FLOCK,
  LAUNCHERS,
  type Launcher,
  PARALLEL,
  SCRIPT,
  SHELLS,
  SU,
  SUBCOMMAND_LAUNCHERS,
  XARGS,
} from "./launchers.ts";
import { type OptionReading, readOptions } from "./options.ts";
import { readShellArguments } from "./shell-arguments.ts";

/** Something that a command starts: either words, or a text that a shell reads. */
export interface Launch {
  readonly words?: readonly Word[];
  /** Not known: a script whose text is not on the line. */
  readonly script?: Word;
  /** `$0` aside, the arguments of the script; undefined when they cannot be known. */
  readonly args?: readonly Word[] | undefined;
  readonly assignments: readonly Assignment[];
  /** The exit status of the outer command is the inner one's. */
  readonly passes: boolean;
  /** Same shell, same variables, same builtins. */
  readonly here: boolean;
  readonly remote: boolean;
  readonly folder: Word | undefined;
  readonly switches: { readonly errexit: boolean; readonly pipefail: boolean };
  readonly doubts: readonly Doubt[];
}

const PLAIN: Launch = {
  assignments: [],
  passes: true,
  here: false,
  remote: false,
  folder: undefined,
  switches: { errexit: false, pipefail: false },
  doubts: [],
};
const VAGUE: Launch = { ...PLAIN, passes: false };
/** A script whose text is not on the line. */
const HIDDEN: Word = { text: "", known: false };

/** What a command starts, one level deep. `stdin` is the text it reads, undefined when it reads none. */
export function unwrap(argv: readonly Word[], stdin: Word | undefined): readonly Launch[] {
  const program = programOf(argv);
  if (program === undefined || program === "") return [];
  const args = argv.slice(1);
  const special = SPECIAL.get(program);
  if (special) return special(args, stdin);
  if (SHELLS.has(program)) return shell(args, stdin, program);
  const launcher = Object.hasOwn(LAUNCHERS, program) ? LAUNCHERS[program] : undefined;
  if (launcher) return launched(args, launcher);
  const byWord = Object.hasOwn(SUBCOMMAND_LAUNCHERS, program) ? SUBCOMMAND_LAUNCHERS[program] : undefined;
  const [word, ...rest] = args;
  return byWord && word?.known && word.text === byWord.word ? launched(rest, byWord) : [];
}

type Special = (args: readonly Word[], stdin: Word | undefined) => readonly Launch[];

const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
  ["eval", (args) => joined(withoutDashes(args), { ...PLAIN, here: true })],
  ["source", () => [{ ...VAGUE, here: true, script: HIDDEN }]],
  [".", () => [{ ...VAGUE, here: true, script: HIDDEN }]],
  ["trap", trap],
  ["xargs", xargs],
  ["find", find],
  ["flock", flock],
  ["su", su],
  ["runuser", su],
  ["script", script],
  ["parallel", parallel],
  ...CONTAINER_TOOLS.map((name): [string, Special] => [name, (args) => container(name, args)]),
  ...[...BOXES].map((name): [string, Special] => [name, box]),
]);

function launched(args: readonly Word[], launcher: Launcher): readonly Launch[] {
  const words = launcher.numeric ? args.filter((word, index) => index > 0 || !/^-{1,2}\d+$/.test(word.text)) : args;
  const options = readOptions(words, launcher, false);
  const split = launcher.splits ? splitString(options) : undefined;
  if (has(options, launcher.idle)) return [];
  const rest = [...(split ?? []), ...options.operands].slice(launcher.skip ?? 0);
  if (launcher.splits && rest[0]?.text === "-") rest.shift();
  const assignments: Assignment[] = [];
  while (launcher.assignments && rest[0] && /^[^=/]+=/.test(rest[0].text)) {
    const word = rest.shift() ?? ANY_WORDS;
    const equals = word.text.indexOf("=");
    const value = { text: word.text.slice(equals + 1), known: word.known };
    assignments.push({ name: word.text.slice(0, equals), append: false, value });
  }
  if (rest.length === 0) return [];
  const doubtful = doubts(options, words.slice(0, words.length - rest.length));
  const launch: Launch = {
    ...PLAIN,
    assignments,
    passes: !launcher.vague && !has(options, launcher.detached) && doubtful.length === 0,
    here: launcher.builtin === true,
    remote: launcher.remote === true,
    folder: value(options, launcher.folder),
    doubts: doubtful,
  };
  if (launcher.joins && !has(options, "x exec")) return joined(rest, launch);
  return [{ ...launch, words: rest }];
}

/** `env -S "a b"` takes its words from a string; only one without quotes or variables is followed. */
function splitString(options: OptionReading): readonly Word[] | undefined {
  const text = value(options, "S split-string");
  if (!text) return undefined;
  if (!text.known || /["'\\$#]/.test(text.text)) return [{ text: text.text, known: false, many: true }];
  return text.text.split(/\s+/).filter(Boolean).map(known);
}

function shell(args: readonly Word[], stdin: Word | undefined, program: string): readonly Launch[] {
  const reading = readShellArguments(args);
  if (reading.idle) return [];
  const doubts: Doubt[] = reading.doubtful || program === "fish" ? ["options"] : [];
  const launch = { ...PLAIN, passes: doubts.length === 0, switches: reading.switches, doubts };
  if (reading.script) return [{ ...launch, script: reading.script, args: reading.args }];
  if (!reading.fromStdin) return [{ ...launch, script: HIDDEN, args: reading.args }];
  // A command of the script may swallow the rest of it, so the status says little about what ran.
  return [{ ...launch, passes: false, script: stdin ?? HIDDEN, args: reading.args }];
}

function trap(args: readonly Word[]): readonly Launch[] {
  const [action] = withoutDashes(args);
  if (!action || action.text === "-" || action.text === "" || args.length < 2 || action.text.startsWith("-")) return [];
  return [{ ...VAGUE, here: true, script: action }];
}

function xargs(args: readonly Word[]): readonly Launch[] {
  const options = readOptions(args, XARGS, false);
  const replaces = ["I", "i", "J", "replace"].filter((name) => options.given.has(name));
  const placeholders = replaces.map((name) => options.given.get(name)?.at(-1)?.text || "{}");
  const words = options.operands.length > 0 ? options.operands : [known("echo")];
  const more = replaces.length > 0 ? [] : [ANY_WORDS];
  const filled = words.map((word) => fill(word, placeholders));
  return [{ ...VAGUE, words: [...filled, ...more], doubts: doubts(options, args) }];
}

function find(args: readonly Word[]): readonly Launch[] {
  const launches: Launch[] = [];
  for (let at = 0; at < args.length; at++) {
    const action = args[at];
    if (!action?.known || !/^-(?:exec|execdir|ok|okdir)$/.test(action.text)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (word, index) => word.text === ";" || (word.text === "+" && rest[index - 1]?.text === "{}"),
    );
    const words = end < 0 ? rest : rest.slice(0, end);
    const many = end >= 0 && rest[end]?.text === "+";
    const filled = words.map((word) =>
      many && word.text === "{}" ? { ...ANY_WORDS, text: "{}" } : fill(word, ["{}"]),
    );
    const folder = action.text.endsWith("dir") ? { text: "", known: false } : undefined;
    if (words.length > 0) launches.push({ ...VAGUE, words: filled, folder });
    at += words.length;
  }
  return launches;
}

function flock(args: readonly Word[]): readonly Launch[] {
  const options = readOptions(args, FLOCK, false);
  const [, ...rest] = options.operands;
  const doubtful = doubts(options, args.slice(0, args.length - rest.length));
  const passes = doubtful.length === 0 && !has(options, "E conflict-exit-code");
  const launch = { ...PLAIN, passes, doubts: doubtful };
  const [first, second] = rest;
  if (first?.text === "-c" && second) return [{ ...launch, script: second, args: [] }];
  return first ? [{ ...launch, words: rest }] : [];
}

function su(args: readonly Word[]): readonly Launch[] {
  const options = readOptions(args, SU, true);
  const text = value(options, "c command session-command");
  const launch = { ...PLAIN, passes: !options.doubtful, doubts: doubts(options, []) };
  if (text) return [{ ...launch, script: text, args: undefined }];
  // `runuser -u name command`: without -c the words are the command itself.
  return has(options, "u user") && options.operands.length > 0 ? launched(args, SU) : [];
}

function script(args: readonly Word[]): readonly Launch[] {
  const options = readOptions(args, SCRIPT, true);
  const text = value(options, "c command");
  const passes = has(options, "e return") && !options.doubtful;
  return text ? [{ ...PLAIN, passes, script: text, args: [], doubts: doubts(options, []) }] : [];
}

function parallel(args: readonly Word[]): readonly Launch[] {
  const options = readOptions(args, PARALLEL, false);
  const end = options.operands.findIndex((word) => /^:::/.test(word.text));
  const template = end < 0 ? options.operands : options.operands.slice(0, end);
  const placeholders = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}"];
  const marked = template.some((word) => placeholders.some((placeholder) => word.text.includes(placeholder)));
  const launch = { ...VAGUE, doubts: doubts(options, args.slice(0, args.length - template.length)) };
  if (template.length === 0) return [{ ...launch, script: HIDDEN }];
  const [only, more] = template;
  if (only && more === undefined && /\s/.test(only.text)) {
    const text = marked || !only.known ? only : known(`${only.text} {}`);
    return [{ ...launch, script: fill(text, placeholders), args: undefined }];
  }
  return [{ ...launch, words: [...template.map((word) => fill(word, placeholders)), ...(marked ? [] : [ANY_WORDS])] }];
}

function box(args: readonly Word[]): readonly Launch[] {
  const [applet] = args;
  return applet && !applet.text.startsWith("-") ? [{ ...PLAIN, words: args }] : [];
}

function container(program: string, args: readonly Word[]): readonly Launch[] {
  const started = startedInContainer(program, args);
  if (!started || started.operands.length === 0) return [];
  const detached = has(started, "d detach");
  const head = args.slice(0, args.length - started.operands.length);
  const doubtful = doubts(started, head);
  return [
    { ...PLAIN, words: started.operands, remote: true, passes: !detached && doubtful.length === 0, doubts: doubtful },
  ];
}

/** Words that a shell reads as one line. */
function joined(words: readonly Word[], launch: Launch): readonly Launch[] {
  if (words.length === 0) return [];
  const text = words.map((word) => word.text).join(" ");
  const whole = words.every((word) => word.known);
  const shape = words.every((word) => word.known || word.shape !== undefined)
    ? words.map((word) => word.shape ?? word.text).join(" ")
    : undefined;
  return [
    { ...launch, script: { text, known: whole, ...(!whole && shape !== undefined && { shape }) }, args: undefined },
  ];
}

function fill(word: Word, placeholders: readonly string[]): Word {
  const shape = placeholders.reduce((text, each) => text.replaceAll(each, FILLED), word.shape ?? word.text);
  return hasHole(shape) && (word.known || word.shape !== undefined) ? { ...word, known: false, shape } : word;
}

function has(options: OptionReading, names: string | undefined): boolean {
  return names?.split(" ").some((name) => options.given.has(name)) ?? false;
}

function value(options: OptionReading, names: string | undefined): Word | undefined {
  for (const name of names?.split(" ") ?? []) {
    const found = options.given.get(name)?.at(-1);
    if (found) return found;
  }
  return undefined;
}

function doubts(options: OptionReading, head: readonly Word[]): readonly Doubt[] {
  return options.doubtful || head.some((word) => word.many) ? ["options"] : [];
}

function withoutDashes(args: readonly Word[]): readonly Word[] {
  return args[0]?.text === "--" ? args.slice(1) : args;
}
