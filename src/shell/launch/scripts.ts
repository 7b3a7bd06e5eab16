import { posix } from "node:path";
import { type Assignment, type Command, knownWord, type MutableCommand, type Word } from "../command.ts";
import { hereText, printedBy } from "../expand/output.ts";
import { isUnknownOnly, possibleOutput } from "../expand/possible-output.ts";
import { scriptPlace } from "./task-files.ts";

const MAX_FILES = 200;

/** A script that the line starts and has not written itself. */
export interface StartedFile {
  /** Absolute or relative to the folder that the line starts in. */
  readonly path: string;
  /** It is started as a program, so its first line or its name tells the interpreter. */
  readonly isProgram: boolean;
}

/** The texts of files that the line itself writes, so that a script which it writes and then runs can be read. */
export class Scripts {
  readonly #texts = new Map<string, Word>();
  readonly started: StartedFile[] = [];
  /** Copies and links of system programs that the line has made, by their path. */
  readonly #programs = new Map<string, string>();
  /** The line changes PATH. */
  #changesPath = false;

  constructor(files: ReadonlyMap<string, string> | undefined) {
    if (files) for (const [path, text] of files) this.#texts.set(path, knownWord(text));
  }

  /** Records the texts that a command writes into files. */
  record(command: MutableCommand, stdin: Word | undefined): void {
    if (command.program === "export" ? command.argv.some(setsPath) : command.assignments.some(isPath))
      this.#changesPath = true;
    if (this.#programs.size > 0) this.#restoreName(command);
    if (COPIERS.has(command.program ?? "")) this.#copy(command, stdin);
    if (command.args[0] === "pkg" && command.args[1] === "set") this.#setScripts(command);
    const tees = command.program === "tee";
    if (command.redirections.length === 0 && !tees) return;
    for (const { fd, body } of command.redirections)
      if (body && typeof fd === "number" && fd > 2) this.#texts.set(`/dev/fd/${fd}`, body);
    const targets = [...redirected(command), ...(tees ? teed(command) : [])];
    if (targets.length === 0 || this.#texts.size > MAX_FILES) return;
    this.#put(command, targets, printedBy(command, stdin) ?? this.#possibleText(command, stdin));
  }

  /** Records the output of a compound command in the files that it is redirected to. */
  recordOutput(command: Command, text: Word | undefined): void {
    if (text && this.#texts.size <= MAX_FILES) this.#put(command, redirected(command), text);
  }

  #possibleText(command: Command, stdin: Word | undefined): Word | undefined {
    const redirections = command.redirections.filter(({ operator }) => operator.startsWith("<"));
    const shape = possibleOutput({ ...command, redirections }, stdin, (word) => this.textOf(word, command.cwd));
    return shape === undefined || isUnknownOnly(shape) ? undefined : { text: shape, known: false, shape };
  }

  #put(command: Command, targets: readonly Target[], text: Word | undefined): void {
    for (const { word, appends } of targets) {
      const path = placeOf(word, command.cwd);
      if (path === undefined) continue;
      const before = this.#texts.get(path);
      if (!text) this.#texts.delete(path);
      // The former text of the file is not known, but the appended text is.
      else if (appends) this.#texts.set(path, joined(before ?? { text: "", known: false }, text));
      else this.#texts.set(path, text);
    }
  }

  /** `npm pkg set scripts.x=line` writes a script into package.json. */
  #setScripts(command: Command): void {
    for (const word of command.argv.slice(3)) {
      const [, name, line] = /^scripts\.([^=]+)=(.*)$/s.exec(word.text) ?? [];
      const path = name === undefined ? undefined : placeOf(scriptPlace(name), command.cwd);
      if (path === undefined || line === undefined || this.#texts.size > MAX_FILES) continue;
      const shape = word.shape?.slice(word.shape.indexOf("=") + 1);
      this.#texts.set(path, { text: line, known: word.known, ...(shape !== undefined && { shape }) });
    }
  }

  #copy(command: Command, stdin: Word | undefined): void {
    const [from, to, more] = command.argv.slice(1).filter((word) => !word.text.startsWith("-"));
    if (!from || !to || more) return;
    const place = placeOf(to, command.cwd);
    const [, program, bare] = from.known ? (SYSTEM_PROGRAM.exec(from.text) ?? []) : [];
    const original = program ?? bare;
    if (original !== undefined && place !== undefined) this.#programs.set(place, original);
    if (command.program === "ln") return;
    const text = from.text === "/dev/stdin" ? (hereText(command) ?? stdin) : this.textOf(from, command.cwd);
    const path = placeOf(to, command.cwd);
    if (path !== undefined && text) this.#texts.set(path, text);
  }

  /** `cp /bin/rm x; ./x`: restores the original name of the program. */
  #restoreName(command: MutableCommand): void {
    const [first, ...rest] = command.argv;
    if (!first?.known) return;
    const [path] = first.text.includes("/") ? [placeOf(first, command.cwd)] : this.#found(first.text, this.#programs);
    const program = path === undefined ? undefined : this.#programs.get(path);
    if (program === undefined) return;
    command.argv = [knownWord(program), ...rest];
    command.program = program;
  }

  /** The paths of a program that the line has written, if the line changes PATH. */
  #found(name: string, places: ReadonlyMap<string, unknown>): readonly string[] {
    return this.#changesPath ? [...places.keys()].filter((path) => path.endsWith(`/${name}`)) : [];
  }

  /** The text of a script that is started by a name without a folder. */
  #programText(name: string): Word | undefined {
    const [path] = this.#changesPath ? this.#found(name, this.#texts) : [];
    return path === undefined ? undefined : this.#texts.get(path);
  }

  /** Records the output of `<(…)` as the text of a file. */
  recordProcess(source: string, text: Word | undefined): void {
    if (text) this.#texts.set(`unknown:${source}`, text);
  }

  /** The text of a file that a command starts. A file of this machine not written by the line is added to `started`. */
  start(word: Word | undefined, { cwd, remote }: MutableCommand, as?: "program"): Word | undefined {
    const text = this.textOf(word, cwd, as);
    if (text || !word?.known || remote || this.started.length >= MAX_STARTED) return text;
    // A name with `#` is a script inside package.json.
    if (as ? !word.text.includes("/") : word.text.includes("#")) return undefined;
    const path = placeOf(word, cwd);
    if (path === undefined || SYSTEM.test(path) || this.started.some((one) => one.path === path)) return undefined;
    this.started.push({ path, isProgram: as !== undefined });
    return undefined;
  }

  /** The text of a file, if the line has written it. */
  textOf(word: Word | undefined, cwd: string | undefined, as?: "program"): Word | undefined {
    if (!word || this.#texts.size === 0) return undefined;
    if (as && !word.text.includes("/")) return this.#programText(word.text);
    const path = placeOf(word, cwd);
    return path === undefined ? undefined : this.#texts.get(path);
  }
}

const MAX_STARTED = 16;
/** Folders of installed programs and of devices. */
const SYSTEM = /^\/(?:usr|bin|sbin|opt|dev|proc|nix)\//;

/** Programs that copy or move the content of a file. */
const COPIERS: ReadonlySet<string> = new Set(["cp", "mv", "install", "ln"]);
/** A system program as a path, or as the name that `which` gives here. */
const SYSTEM_PROGRAM =
  /^(?:(?:\/usr)?(?:\/local)?\/s?bin\/(rm|shred|dd|truncate|unlink|bash|sh|dash|zsh|git|find|kill|chmod)|(rm|shred))$/;

function setsPath({ text }: Word): boolean {
  return text.startsWith("PATH=");
}

function isPath({ name }: Assignment): boolean {
  return name === "PATH";
}

interface Target {
  readonly word: Word;
  readonly appends: boolean;
}

function redirected(command: Command): readonly Target[] {
  return command.redirections.flatMap(({ operator, target, fd }) =>
    target && (fd ?? 1) === 1 && /^(?:>|>\||>>|&>)$/.test(operator)
      ? [{ word: target, appends: operator === ">>" }]
      : [],
  );
}

function teed(command: Command): readonly Target[] {
  const appends = command.args.some((arg) => arg === "-a" || arg === "--append");
  return command.argv.slice(1).flatMap((word) => (word.text.startsWith("-") ? [] : [{ word, appends }]));
}

/** The key of a file. Unknown names are the same file if their source is the same. */
function placeOf(word: Word, cwd: string | undefined): string | undefined {
  if (!word.known) return word.many ? undefined : `unknown:${word.text}`;
  if (word.text.startsWith("/")) return posix.normalize(word.text);
  if (cwd === undefined) return undefined;
  return posix.join(cwd || ".", word.text);
}

function joined(before: Word, text: Word): Word {
  const shape = (before.shape ?? before.text) + (text.shape ?? text.text);
  const whole = before.known && text.known;
  return { text: before.text + text.text, known: whole, ...(!whole && { shape }) };
}
