import { posix } from "node:path";
import { type Assignment, type Command, knownWord, type MutableCommand, type Word } from "../command.ts";
import { hereText, printedBy } from "../expand/output.ts";
import { isUnknownOnly, possibleOutput } from "../expand/possible-output.ts";
import { scriptPlace } from "./task-files.ts";

const MAX_FILES = 200;

/** A file that the line starts without having written it. */
export interface StartedFile {
  /** As the line names it, from the folder it starts in. */
  readonly path: string;
  /** Its first line says what reads it, or its name does. */
  readonly isProgram: boolean;
}

/** Files whose content the line itself writes, so that a script it makes and then runs can be read. */
export class Scripts {
  readonly #texts = new Map<string, Word>();
  readonly started: StartedFile[] = [];
  /** Programs of the system under names that the line gave them. */
  readonly #programs = new Map<string, string>();
  /** The line says where programs are looked for. */
  #searched = false;

  constructor(files: ReadonlyMap<string, string> | undefined) {
    if (files) for (const [path, text] of files) this.#texts.set(path, knownWord(text));
  }

  /** Remembers what a command puts into files. */
  keep(command: MutableCommand, stdin: Word | undefined): void {
    if (command.program === "export" ? command.argv.some(setsPath) : command.assignments.some(isPath))
      this.#searched = true;
    if (this.#programs.size > 0) this.#rename(command);
    if (COPIERS.has(command.program ?? "")) this.#copy(command, stdin);
    if (command.args[0] === "pkg" && command.args[1] === "set") this.#setScripts(command);
    const tees = command.program === "tee";
    if (command.redirections.length === 0 && !tees) return;
    for (const { fd, body } of command.redirections)
      if (body && typeof fd === "number" && fd > 2) this.#texts.set(`/dev/fd/${fd}`, body);
    const targets = [...redirected(command), ...(tees ? teed(command) : [])];
    if (targets.length === 0 || this.#texts.size > MAX_FILES) return;
    this.#put(command, targets, printedBy(command, stdin) ?? this.#guess(command, stdin));
  }

  /** What a compound command leaves in the files that its output goes to. */
  keepPrinted(command: Command, text: Word | undefined): void {
    if (text && this.#texts.size <= MAX_FILES) this.#put(command, redirected(command), text);
  }

  #guess(command: Command, stdin: Word | undefined): Word | undefined {
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
      // What stood in the file before is not known, what is added to it is.
      else if (appends) this.#texts.set(path, joined(before ?? { text: "", known: false }, text));
      else this.#texts.set(path, text);
    }
  }

  /** `npm pkg set scripts.x=line` writes one script into package.json. */
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

  /** `cp /bin/rm x; ./x`: what it is called now says nothing. */
  #rename(command: MutableCommand): void {
    const [first, ...rest] = command.argv;
    if (!first?.known) return;
    const [path] = first.text.includes("/") ? [placeOf(first, command.cwd)] : this.#found(first.text, this.#programs);
    const program = path === undefined ? undefined : this.#programs.get(path);
    if (program === undefined) return;
    command.argv = [knownWord(program), ...rest];
    command.program = program;
  }

  /** Where a program of that name lies, when the line itself says where to look. */
  #found(name: string, places: ReadonlyMap<string, unknown>): readonly string[] {
    return this.#searched ? [...places.keys()].filter((path) => path.endsWith(`/${name}`)) : [];
  }

  /** The script that a name without a folder starts. */
  #programText(name: string): Word | undefined {
    const [path] = this.#searched ? this.#found(name, this.#texts) : [];
    return path === undefined ? undefined : this.#texts.get(path);
  }

  /** `<(…)`: a file that holds what the commands in it print. */
  keepProcess(source: string, text: Word | undefined): void {
    if (text) this.#texts.set(`unknown:${source}`, text);
  }

  /** What a file holds that a command starts. One that the line did not write is noted, unless it is on another machine. */
  start(word: Word | undefined, { cwd, remote }: MutableCommand, as?: "program"): Word | undefined {
    const text = this.textOf(word, cwd, as);
    if (text || !word?.known || remote || this.started.length >= MAX_STARTED) return text;
    // A single script of package.json is no file.
    if (as ? !word.text.includes("/") : word.text.includes("#")) return undefined;
    const path = placeOf(word, cwd);
    if (path === undefined || SYSTEM.test(path) || this.started.some((one) => one.path === path)) return undefined;
    this.started.push({ path, isProgram: as !== undefined });
    return undefined;
  }

  /** What a file holds, if the line wrote it. */
  textOf(word: Word | undefined, cwd: string | undefined, as?: "program"): Word | undefined {
    if (!word || this.#texts.size === 0) return undefined;
    if (as && !word.text.includes("/")) return this.#programText(word.text);
    const path = placeOf(word, cwd);
    return path === undefined ? undefined : this.#texts.get(path);
  }
}

const MAX_STARTED = 16;
/** What is installed, and devices. */
const SYSTEM = /^\/(?:usr|bin|sbin|opt|dev|proc|nix)\//;

/** Programs that put a file's content into another. */
const COPIERS: ReadonlySet<string> = new Set(["cp", "mv", "install", "ln"]);
/** As `which` prints it, or as it is known. */
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

/** A name that is only known at run time is still the same name when it is written the same way. */
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
