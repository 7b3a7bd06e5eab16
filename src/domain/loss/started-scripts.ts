import { posix } from "node:path";
import type { AnyEvent } from "../../core/event.ts";
import { kept } from "../../core/event-memo.ts";
import type { PolicyContext } from "../../core/policy.ts";
import type { Effect } from "../../effects/effect.ts";
import { effectsOf } from "../../effects/effects.ts";
import { effectsOfEvent } from "../../effects/of-event.ts";
import { lineOf, shellOf } from "../../effects/shell-of-event.ts";
import type { Command, Scope } from "../../shell/command.ts";
import type { StartedFile } from "../../shell/launch/scripts.ts";
import { readShell, type Shell } from "../../shell/shell.ts";

/** A line, and what it would do. */
export interface Reading {
  readonly shell: Shell;
  readonly effects: readonly Effect[];
}

interface StartedLine {
  readonly text: string;
  readonly cwd: string;
  readonly userHome: string;
  /** What `digest` finds in a file that is there; it is remembered in place of the file. */
  inFile(path: string, digest: (text: string) => string): string | undefined;
}

const MOST_FILES = 8;
/** Longer ones are programs of their own, with many ways through them. */
const LONGEST = 32_000;
const SHELL_PROGRAM = /^#!.*\b(?:ba|da|z|k|a)?sh\b/;

const readings = kept<AnyEvent, Reading>();

/** What a call would do as it was last judged, or as far as its words alone tell. */
export function readingOf(event: AnyEvent, userHome: string): Reading {
  return readings.get(event) ?? { shell: shellOf(event, userHome), effects: effectsOfEvent(event, userHome) };
}

/** Reads a call with all that it starts. */
export function readDeeply(event: AnyEvent, { places, read }: PolicyContext): Reading {
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
 * The line read together with the scripts and tasks on disk that it starts. What a script does in one case or another
 * is left to whoever wrote it: only what it surely does, and to what, is added to what the line says by itself.
 */
function withStartedScripts(plain: Reading, line: StartedLine): Reading {
  const files = new Map<string, string>();
  const queue = new Map(plain.shell.started.map((file) => [file.path, file]));
  let reading = plain;
  let left = MOST_FILES;
  // What a script starts is added while this goes on.
  for (const [path, file] of queue) {
    if (left-- === 0) break;
    let fresh: Reading | undefined;
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

/** Nothing when that file tells nothing new. */
function readWith(
  files: ReadonlyMap<string, string>,
  added: string,
  before: Reading,
  { text, cwd, userHome }: StartedLine,
): Reading | undefined {
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

/** What the line itself says about when a script is started is read as ever. */
function isUnconditional(command: Command): boolean {
  let starter = command;
  while (starter.via) starter = starter.via;
  const own = command.within.slice(starter.within.length);
  return command === starter || (command.joined !== "||" && !own.some((scope) => CONDITIONAL.has(scope)));
}
