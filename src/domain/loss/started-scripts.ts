import { posix } from "node:path";
import type { AnyEvent } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";
import type { Effect } from "../../effects/effect.ts";
import { effectsOf } from "../../effects/effects.ts";
import { effectsOfEvent } from "../../effects/effects-of-event.ts";
import { lineOf, shellOf } from "../../effects/shell-of-event.ts";
import type { Command, Scope } from "../../shell/command.ts";
import type { StartedFile } from "../../shell/launch/scripts.ts";
import { readShell, type Shell } from "../../shell/shell.ts";

/** A parsed command line and its effects. */
export interface LineReading {
  readonly shell: Shell;
  readonly effects: readonly Effect[];
}

interface StartedLine {
  readonly text: string;
  readonly cwd: string;
  readonly userHome: string;
  /** The result of `digest` for a file that exists. This result is recorded as the fact, not the file's content. */
  inFile(path: string, digest: (text: string) => string): string | undefined;
}

const MOST_FILES = 8;
/** Longer scripts are programs with many branches: what they would do cannot be read from their text. */
const LONGEST = 32_000;
const SHELL_PROGRAM = /^#!.*\b(?:ba|da|z|k|a)?sh\b/;

const readings = new WeakMap<AnyEvent, LineReading>();

/** The last deep reading of a call, with the scripts it starts; without one, the reading of its words alone. */
export function lastReadingOf(event: AnyEvent, userHome: string): LineReading {
  return readings.get(event) ?? { shell: shellOf(event, userHome), effects: effectsOfEvent(event, userHome) };
}

/** Reads a call together with the scripts and tasks that it starts. */
export function readWithStartedScripts(event: AnyEvent, { places, read }: PolicyContext): LineReading {
  const { userHome } = places;
  const plain = { shell: shellOf(event, userHome), effects: effectsOfEvent(event, userHome) };
  const text = lineOf(event);
  if (text === undefined) return plain;
  if (plain.shell.started.length === 0) return plain;
  const reading = withStartedScripts(plain, {
    text,
    cwd: event.cwd,
    userHome,
    inFile: (path, digest) => read.text(path, "starts", digest, LONGEST),
  });
  readings.set(event, reading);
  return reading;
}

/**
 * Adds the effects of the scripts and tasks on disk that the line starts. Only effects that are certain and outside any
 * condition are added; what a script does in some cases only is the responsibility of its author.
 */
function withStartedScripts(plain: LineReading, line: StartedLine): LineReading {
  const files = new Map<string, string>();
  const queue = new Map(plain.shell.started.map((file) => [file.path, file]));
  let reading = plain;
  let left = MOST_FILES;
  // The queue grows during the loop: a script may start further scripts.
  for (const [path, file] of queue) {
    if (left-- === 0) break;
    let fresh: LineReading | undefined;
    const text = line.inFile(posix.resolve(line.cwd, path), (whole) => {
      fresh = isScript(whole, file) ? readWith(new Map(files).set(path, whole), path, reading, line) : undefined;
      return fresh ? whole : "";
    });
    if (!text) continue;
    files.set(path, text);
    reading = fresh ?? readWith(files, path, reading, line) ?? reading;
    for (const one of reading.shell.started) queue.set(one.path, one);
  }
  return reading;
}

function isScript(text: string, { path, isProgram }: StartedFile): boolean {
  return !isProgram || SHELL_PROGRAM.test(text) || (!text.startsWith("#!") && path.endsWith(".sh"));
}

/** Undefined when the added file brings no new effect and starts nothing new. */
function readWith(
  files: ReadonlyMap<string, string>,
  added: string,
  before: LineReading,
  { text, cwd, userHome }: StartedLine,
): LineReading | undefined {
  const shell = readShell(text, { cwd, variables: { HOME: userHome }, files });
  if (shell.unreadable !== undefined) return undefined;
  const known = new Map(before.effects.map((one) => [keyOf(one), one]));
  const found: Effect[] = [];
  const started = new Set(before.shell.started.map(({ path }) => path));
  let isNew = shell.started.some(({ path }) => !started.has(path));
  for (const effect of effectsOf(shell, { cwd, userHome })) {
    const old = known.get(keyOf(effect));
    known.delete(keyOf(effect));
    if (old) found.push(old.startedBy === undefined ? effect : { ...effect, startedBy: old.startedBy });
    else if (effect.certainty === "certain" && isUnconditional(effect.by)) {
      isNew = true;
      found.push({ ...effect, startedBy: added });
    }
  }
  return isNew ? { shell, effects: [...found, ...known.values()] } : undefined;
}

function keyOf({ kind, target, path, why, by }: Effect): string {
  return [kind, target, path, why, by.at.start].join("\0");
}

const CONDITIONAL: ReadonlySet<Scope> = new Set<Scope>(["condition", "case"]);

/** Only conditions inside the script count here: those of the line around the start of the script are read as usual. */
function isUnconditional(command: Command): boolean {
  let starter = command;
  while (starter.via) starter = starter.via;
  const own = command.within.slice(starter.within.length);
  return command === starter || (command.joined !== "||" && !own.some((scope) => CONDITIONAL.has(scope)));
}
