import { posix } from "node:path";
import type { Command, Word } from "./command.ts";
import { printedBy } from "./output.ts";

const MAX_FILES = 200;

/** Files whose content the line itself writes, so that a script it makes and then runs can be read. */
export class Scripts {
  readonly #texts = new Map<string, Word>();

  /** Remembers what a command puts into files. */
  keep(command: Command, stdin: Word | undefined): void {
    const targets = [...redirected(command), ...(command.program === "tee" ? teed(command) : [])];
    if (targets.length === 0 || this.#texts.size > MAX_FILES) return;
    const text = printedBy(command, stdin);
    for (const { word, appends } of targets) {
      const path = placeOf(word, command.cwd);
      if (path === undefined) continue;
      const before = this.#texts.get(path);
      if (!text || (appends && !before)) this.#texts.delete(path);
      else this.#texts.set(path, appends && before ? joined(before, text) : text);
    }
  }

  /** What a file holds, if the line wrote it. */
  textOf(word: Word | undefined, cwd: string | undefined): Word | undefined {
    if (!word || this.#texts.size === 0) return undefined;
    const path = placeOf(word, cwd);
    return path === undefined ? undefined : this.#texts.get(path);
  }
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
  return cwd === undefined ? undefined : posix.join(cwd || ".", word.text);
}

function joined(before: Word, text: Word): Word {
  const shape = (before.shape ?? before.text) + (text.shape ?? text.text);
  const whole = before.known && text.known;
  return { text: before.text + text.text, known: whole, ...(!whole && { shape }) };
}
