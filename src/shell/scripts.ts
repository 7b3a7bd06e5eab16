import { posix } from "node:path";
import type { Command, Word } from "./command.ts";
import { input, printedBy } from "./output.ts";
import { isBlank, mayPrint } from "./prints.ts";
import { scriptPlace } from "./task-files.ts";

const MAX_FILES = 200;

/** Files whose content the line itself writes, so that a script it makes and then runs can be read. */
export class Scripts {
  readonly #texts = new Map<string, Word>();

  /** Remembers what a command puts into files. */
  keep(command: Command, stdin: Word | undefined): void {
    if (COPIERS.has(command.program ?? "")) this.#copy(command, stdin);
    if (command.args[0] === "pkg" && command.args[1] === "set") this.#setScripts(command);
    const tees = command.program === "tee";
    if (command.redirections.length === 0 && !tees) return;
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
    const shape = mayPrint({ ...command, redirections }, stdin, (word) => this.textOf(word, command.cwd));
    return shape === undefined || isBlank(shape) ? undefined : { text: shape, known: false, shape };
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
    const text = from.text === "/dev/stdin" ? (input(command) ?? stdin) : this.textOf(from, command.cwd);
    const path = placeOf(to, command.cwd);
    if (path !== undefined && text) this.#texts.set(path, text);
  }

  /** `<(…)`: a file that holds what the commands in it print. */
  keepProcess(source: string, text: Word | undefined): void {
    if (text) this.#texts.set(`unknown:${source}`, text);
  }

  /** What a file holds, if the line wrote it. */
  textOf(word: Word | undefined, cwd: string | undefined): Word | undefined {
    if (!word || this.#texts.size === 0) return undefined;
    const path = placeOf(word, cwd);
    return path === undefined ? undefined : this.#texts.get(path);
  }
}

/** Programs that put a file's content into another. */
const COPIERS: ReadonlySet<string> = new Set(["cp", "mv", "install"]);

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
  return cwd === undefined ? undefined : posix.join(cwd || ".", word.text);
}

function joined(before: Word, text: Word): Word {
  const shape = (before.shape ?? before.text) + (text.shape ?? text.text);
  const whole = before.known && text.known;
  return { text: before.text + text.text, known: whole, ...(!whole && { shape }) };
}
