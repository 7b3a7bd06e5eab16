import { type Assignment, type Command, type Doubt, knownWord, type Word } from "../command.ts";
import { hasOption, type OptionReading, optionDoubts, optionValue, readOptions } from "../options.ts";
import { container } from "./containers.ts";
import { fd, find, parallel, xargs } from "./item-launchers.ts";
import { type Launch, OTHER_STATUS, SAME_STATUS } from "./launch.ts";
import {
  CONTAINER_TOOLS,
  FLOCK,
  LAUNCHERS,
  type Launcher,
  MULTICALL_PROGRAMS,
  SCRIPT,
  SHELLS,
  SU,
  SUBCOMMAND_LAUNCHERS,
} from "./launchers.ts";
import { RARE_LAUNCHERS } from "./rare-launchers.ts";
import { bwrap } from "./sandboxes.ts";
import { readShellArguments, type ShellArguments } from "./shell-arguments.ts";
import { HAVE_SHELL_ESCAPES, shellEscapes } from "./shell-escapes.ts";
import { TASK_RUNNERS, writtenTasks } from "./task-files.ts";
import { workspaceCommand } from "./workspace-tools.ts";

/** A script whose text is not on the line. */
const UNSEEN_SCRIPT: Word = { text: "", known: false };

/** The text of an alias, followed by the arguments of its call. */
export function aliased(text: string, args: readonly Word[]): Launch {
  const [launch] = joined([knownWord(text), ...args.map(quotedWord)], { ...OTHER_STATUS, sameShell: true });
  return launch ?? OTHER_STATUS;
}

function quotedWord(word: Word): Word {
  return word.known && !/^[\w./~=:@%+,-]+$/.test(word.text)
    ? knownWord(`'${word.text.replaceAll("'", `'\\''`)}'`)
    : word;
}

/** The text of a file that the line itself has written. */
export type FileText = (word: Word | undefined, as?: "program") => Word | undefined;

/** What a command starts, one level deep. `stdin` is its input, undefined when it reads none. */
export function unwrap(command: Command, stdin: Word | undefined, fileText: FileText): readonly Launch[] {
  const { argv, program } = command;
  if (program === undefined || program === "") return NONE;
  // A file that the line itself has written, whatever its name.
  const script = fileText(argv[0], "program");
  if (script) return [{ ...SAME_STATUS, script, args: argv.slice(1), file: argv[0] }];
  if (!STARTERS.has(program)) return NONE;
  const args = argv.slice(1);
  const special = SPECIAL.get(program);
  if (special) return special(args, stdin, fileText);
  if (SHELLS.has(program)) return shell(args, stdin, program, fileText);
  const launcher = Object.hasOwn(LAUNCHERS, program) ? LAUNCHERS[program] : RARE.get(program);
  if (launcher) return [...launched(args, launcher, stdin), ...shellEscapeLaunches(program, args, stdin)];
  const byWord = Object.hasOwn(SUBCOMMAND_LAUNCHERS, program) ? SUBCOMMAND_LAUNCHERS[program] : undefined;
  const { words, everywhere } = workspaceCommand(program, args);
  const [word] = words;
  if (byWord && word?.known && byWord.word.split("|").includes(word.text)) {
    const started = launched(words.slice(1), byWord, stdin);
    return everywhere || byWord.everywhere ? started.map((one) => ({ ...one, folder: UNSEEN_SCRIPT })) : started;
  }
  if (program === "nix" && word?.text === "run") return nixRun(args.slice(1));
  const taskFile = (file: Word | undefined): Word | undefined => (isInput(file) ? stdin : fileText(file));
  return [
    ...writtenTasks(program, everywhere ? words : args, taskFile),
    ...shellEscapeLaunches(program, args, scheduled(program, args, fileText) ?? stdin),
  ];
}

function isInput(word: Word | undefined): boolean {
  return word?.text === "-" || word?.text === "/dev/stdin";
}

/** `at -f file`: the text of that file, if the line itself has written it. */
function scheduled(program: string, args: readonly Word[], fileText: FileText): Word | undefined {
  if (program !== "at" && program !== "batch") return undefined;
  return fileText(optionValue(readOptions(args, { short: "f:q:t:mMlbrdcvV" }, true), "f"));
}

const NONE: readonly Launch[] = [];

function shellEscapeLaunches(program: string, args: readonly Word[], stdin: Word | undefined): readonly Launch[] {
  if (!HAVE_SHELL_ESCAPES.has(program)) return [];
  return shellEscapes(program, args, stdin).map((line) => ({ ...OTHER_STATUS, script: line, args: undefined }));
}

const RARE: ReadonlyMap<string, Launcher> = new Map(Object.entries(RARE_LAUNCHERS));

type Special = (args: readonly Word[], stdin: Word | undefined, fileText: FileText) => readonly Launch[];

const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
  ["eval", (args) => joined(withoutDashes(args), { ...SAME_STATUS, sameShell: true })],
  ["source", source],
  [".", source],
  ["trap", trap],
  ["mapfile", callback],
  ["readarray", callback],
  ["compgen", callback],
  ["xargs", xargs],
  ["find", find],
  ["fd", fd],
  ["fdfind", fd],
  ["flock", flock],
  ["su", su],
  ["runuser", su],
  ["script", script],
  ["parallel", parallel],
  ["bwrap", bwrap],
  ...CONTAINER_TOOLS.map((name): [string, Special] => [name, (args) => container(name, args)]),
  ...[...MULTICALL_PROGRAMS].map((name): [string, Special] => [name, applet]),
]);

/** All programs that may start a command. */
const STARTERS: ReadonlySet<string> = new Set([
  ...SPECIAL.keys(),
  ...SHELLS,
  ...Object.keys(LAUNCHERS),
  ...RARE.keys(),
  ...Object.keys(SUBCOMMAND_LAUNCHERS),
  ...TASK_RUNNERS,
  ...HAVE_SHELL_ESCAPES,
]);

function launched(args: readonly Word[], launcher: Launcher, stdin?: Word): readonly Launch[] {
  const words = launcher.numeric ? args.filter((word, index) => index > 0 || !/^-{1,2}\d+$/.test(word.text)) : args;
  const options = readOptions(words, launcher, false);
  const split = launcher.splits ? splitString(options) : undefined;
  if (hasOption(options, launcher.idle)) return [];
  const all = [...(split ?? []), ...options.operands].slice(launcher.skip ?? 0);
  let start = launcher.splits && all[0]?.text === "-" ? 1 : 0;
  if (launcher.skip !== undefined && all[start]?.text === "--") start++;
  // The last assignment to a name counts.
  const assignments = new Map<string, Assignment>();
  for (; launcher.assignments; start++) {
    const word = all[start];
    if (!word || !/^[^=/]+=/.test(word.text)) break;
    const equals = word.text.indexOf("=");
    const value = { text: word.text.slice(equals + 1), known: word.known };
    const name = word.text.slice(0, equals);
    assignments.set(name, { name, append: false, value });
  }
  const rest = all.slice(start);
  const line = optionValue(options, launcher.line);
  if (line) return [{ ...OTHER_STATUS, script: line, args: undefined, remote: launcher.remote === true }];
  if (rest.length === 0) {
    const starts =
      launcher.shell === "always" ? all.length === 0 && words.length > 0 : hasOption(options, launcher.shell);
    return starts && stdin ? [{ ...OTHER_STATUS, script: stdin, args: [], remote: launcher.remote === true }] : [];
  }
  const doubtful = optionDoubts(options, words.slice(0, words.length - rest.length));
  const launch: Launch = {
    ...SAME_STATUS,
    assignments: [...assignments.values()],
    passesStatus: !launcher.vague && !hasOption(options, launcher.detached) && doubtful.length === 0,
    sameShell: launcher.builtin === true,
    remote: launcher.remote === true,
    folder: optionValue(options, launcher.folder),
    doubts: doubtful,
  };
  if ((launcher.joins && !hasOption(options, "x exec")) || hasOption(options, launcher.joinsWith))
    return joined(rest, launch);
  const dashes = launcher.dropsDashes ? rest.findIndex(({ text }) => text === "--") : -1;
  return [{ ...launch, words: dashes < 0 ? rest : rest.toSpliced(dashes, 1) }];
}

/** The words of `env -S "a b"`; not known if the string has quotes or variables. */
function splitString(options: OptionReading): readonly Word[] | undefined {
  const text = optionValue(options, "S split-string");
  if (!text) return undefined;
  if (!text.known || /["'\\$#]/.test(text.text)) return [{ text: text.text, known: false, many: true }];
  return text.text.split(/\s+/).filter(Boolean).map(knownWord);
}

function source([file, ...args]: readonly Word[], stdin: Word | undefined, fileText: FileText): readonly Launch[] {
  const text = isInput(file) ? stdin : fileText(file);
  return [{ ...OTHER_STATUS, sameShell: true, script: text ?? UNSEEN_SCRIPT, args, file }];
}

function shell(args: readonly Word[], stdin: Word | undefined, program: string, fileText: FileText): readonly Launch[] {
  const reading = readShellArguments(args);
  const first = fileText(reading.start);
  const own = shellItself(reading, stdin, program, fileText);
  return first && !reading.idle ? [{ ...OTHER_STATUS, script: first, args: [] }, ...own] : own;
}

function shellItself(
  reading: ShellArguments,
  stdin: Word | undefined,
  program: string,
  fileText: FileText,
): readonly Launch[] {
  if (reading.idle) return [];
  const doubts: Doubt[] = reading.doubtful || program === "fish" ? ["options"] : [];
  const launch = { ...SAME_STATUS, passesStatus: doubts.length === 0, switches: reading.switches, doubts };
  const given = program === "zsh" ? withoutQualifiers(reading.script) : reading.script;
  if (given) return [{ ...launch, script: given, args: reading.args, zero: reading.zero }];
  const { file } = reading;
  if (!reading.fromStdin) return [{ ...launch, script: fileText(file) ?? UNSEEN_SCRIPT, args: reading.args, file }];
  // A command of the script may read the rest of the script as its input, so the status proves little.
  return [{ ...launch, passesStatus: false, script: stdin ?? UNSEEN_SCRIPT, args: reading.args }];
}

/** Removes the glob qualifiers of zsh, as in `rm x(N)`, which are not valid in bash. */
function withoutQualifiers(script: Word | undefined): Word | undefined {
  if (!script?.known || !script.text.includes("(")) return script;
  return knownWord(script.text.replace(/(?<=[\w*?\]/.-])\([-NDFUGYwxrRoOmMcCaALnpst./@=%*^#+\d]+\)(?=$|[\s;&|])/g, ""));
}

function trap(args: readonly Word[]): readonly Launch[] {
  const [action] = withoutDashes(args);
  if (!action || action.text === "-" || action.text === "" || args.length < 2 || action.text.startsWith("-")) return [];
  return [{ ...OTHER_STATUS, sameShell: true, script: action }];
}

/** `mapfile -C line`: runs the line for the lines that it reads. */
function callback(args: readonly Word[]): readonly Launch[] {
  const line = optionValue(readOptions(args, { short: "tC:c:d:n:O:s:u:A:F:G:P:S:W:X:abcdefgjksv" }, false), "C");
  return line ? [{ ...OTHER_STATUS, sameShell: true, script: line }] : [];
}

/** `nix run nixpkgs#git -- push`: the package is the program, unless it is a multi-call program. */
function nixRun(args: readonly Word[]): readonly Launch[] {
  const [from, ...words] = readOptions(
    args,
    { long: "impure offline option: inputs-from: override-input:" },
    true,
  ).operands;
  if (!from?.known || words.length === 0) return [];
  const name = from.text.slice(Math.max(from.text.lastIndexOf("#"), from.text.lastIndexOf(".")) + 1);
  return [
    {
      ...OTHER_STATUS,
      words: /^(?:coreutils|busybox|toybox|uutils\S*)$/.test(name) ? words : [knownWord(name), ...words],
    },
  ];
}

function flock(args: readonly Word[]): readonly Launch[] {
  const options = readOptions(args, FLOCK, false);
  const [, ...rest] = options.operands;
  const doubtful = optionDoubts(options, args.slice(0, args.length - rest.length));
  const passesStatus = doubtful.length === 0 && !hasOption(options, "E conflict-exit-code");
  const launch = { ...SAME_STATUS, passesStatus, doubts: doubtful };
  const [first, second] = rest;
  if (first?.text === "-c" && second) return [{ ...launch, script: second, args: [] }];
  return first ? [{ ...launch, words: rest }] : [];
}

function su(args: readonly Word[], stdin: Word | undefined): readonly Launch[] {
  const options = readOptions(args, SU, true);
  const text = optionValue(options, "c command session-command");
  const launch = { ...SAME_STATUS, passesStatus: !options.doubtful, doubts: optionDoubts(options, []) };
  if (text) return [{ ...launch, script: text, args: undefined }];
  if (stdin && !hasOption(options, "u user")) return [{ ...OTHER_STATUS, script: stdin, args: [] }];
  // `runuser -u name command`: without -c the words are the command itself.
  return hasOption(options, "u user") && options.operands.length > 0 ? launched(args, SU) : [];
}

function script(args: readonly Word[]): readonly Launch[] {
  const options = readOptions(args, SCRIPT, true);
  const text = optionValue(options, "c command");
  const passesStatus = hasOption(options, "e return") && !options.doubtful;
  return text ? [{ ...SAME_STATUS, passesStatus, script: text, args: [], doubts: optionDoubts(options, []) }] : [];
}

function applet(args: readonly Word[]): readonly Launch[] {
  const [name] = args;
  return name && !name.text.startsWith("-") ? [{ ...SAME_STATUS, words: args }] : [];
}

/** Joins words to one line for a shell. */
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

function withoutDashes(args: readonly Word[]): readonly Word[] {
  return args[0]?.text === "--" ? args.slice(1) : args;
}
