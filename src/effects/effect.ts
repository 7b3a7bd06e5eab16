import { posix } from "node:path";
import type { Command, Word } from "../shell/command.ts";
import { isGeneratedName } from "../shell/expand/temporary-names.ts";
import { hasPlaceholder } from "../shell/placeholders.ts";
import type { Shell } from "../shell/shell.ts";
import { lineIndex } from "./line/line-index.ts";
import { LONGEST_PATH, resolveIn } from "./line/resolve.ts";

/** Kinds of effects that cannot be undone, or that give others control of the machine. */
export const EFFECT_KINDS = {
  "delete-tree": "deletes a folder with everything in it",
  "delete-file": "deletes files",
  overwrite: "replaces the content of a file",
  truncate: "empties a file",
  "discard-uncommitted": "discards uncommitted work",
  "rewrite-history": "makes local commits unreachable",
  "delete-remote-history": "removes or replaces commits on a remote",
  "remote-code": "runs code from the network, or opens a shell to another machine",
  "format-device": "writes to a disk below its file system",
  "permission-blast": "changes the permissions of many files at once",
  "kill-everything": "ends processes that other programs need",
  "fork-bomb": "starts processes without end",
  "destroy-database": "removes data from a database",
  "destroy-infrastructure": "takes down infrastructure",
  "destroy-container-data": "removes containers' data",
  publish: "releases something to the public",
  "exfiltrate-secret": "sends a secret to another machine",
  "schedule-loss": "removes scheduled work",
} as const;
export type EffectKind = keyof typeof EFFECT_KINDS;

/** A question for the repository: is there anything to lose? */
export interface GitQuestion {
  /** Where git runs; undefined when that is not known. */
  readonly folder: string | undefined;
  /**
   * - changes: tracked files that differ from the last commit
   * - unstaged: tracked files that differ from the index
   * - untracked, ignored: files git does not keep
   * - branch: commits that only this branch has
   * - ref: commits that only this tag or copy of a remote branch has, or a tag's message
   */
  readonly loses: readonly ("changes" | "unstaged" | "untracked" | "ignored" | "branch" | "ref")[];
  /**
   * Only these paths, relative to the folder or absolute; all when empty. For a branch: its name. For another ref: its
   * full name, or what its name begins with, up to a slash.
   */
  readonly only: readonly string[];
  /** The branch is written, not deleted: one that does not exist yet loses nothing. */
  readonly mayBeNew?: true;
}

/** Files that land below a folder under their own names; which ones is only known when looking. */
export interface CopiedFiles {
  /** The folder that holds them, or a pattern of the shell that fits them; absolute. */
  readonly from: string;
  /** For a pattern: the folder that is written out before it. */
  readonly within?: string;
  /** Also those in the folders among them. */
  readonly deep: boolean;
  /** Names that are left out. */
  readonly except?: readonly string[];
}

export interface Effect {
  readonly kind: EffectKind;
  /** What is hit, for people: a path, a branch, an address. Empty when nobody can know. */
  readonly target: string;
  /** A local file or folder: its absolute path. Absent when the target is none or not known. */
  readonly path?: string;
  /** The folder in which an unknown local target must be. */
  readonly inside?: string;
  /** What the shell matches against files there, as a whole path. */
  readonly pattern?: string;
  /** The whole path of a word with unknown pieces, each of which is one private character. */
  readonly mask?: string;
  /** What a variable stands for that is the whole target, as far as it is written on the line. */
  readonly meant?: string;
  /** Outside the folder the line starts in, and reached from there. */
  readonly beside?: true;
  /** `possible` when a word, an option or the program is only known at run time. */
  readonly certainty: "certain" | "possible";
  /** What happens, as a phrase without a subject: "deletes src and everything in it". */
  readonly why: string;
  /** The safer way, as a phrase: "look at a plan first". Never a command that does damage. */
  readonly instead?: string;
  /** There is nothing to lose when git says so. */
  readonly git?: GitQuestion;
  /** Harmless when the path does not exist: content is written, nothing is lost. */
  readonly ifExists?: true;
  /** If the path is a folder, the file of this name in it is hit. */
  readonly lands?: string;
  /** Of the folder at the path, only files that these take the place of are hit. */
  readonly copied?: CopiedFiles;
  /** A file on disk that the program runs: something is lost only if its content does it. */
  readonly runs?: { readonly path: string; doesHarm(text: string): boolean };
  /** A script on disk that does it, which the line starts. */
  readonly startedBy?: string;
  readonly by: Command;
}

/** What a family may look at. */
export interface Scene {
  readonly shell: Shell;
  /** Folder the line starts in. */
  readonly cwd: string;
  readonly userHome: string;
  /** The effects of a text that another shell will read, attributed to `by`. */
  nested(text: string, by: Command): readonly Effect[];
}

/** The effects of one program's command. */
export type Family = (command: Command, scene: Scene) => readonly Effect[];

/** The answer of a family that knows the line and finds no loss: the check of unmatched lines is skipped. */
export const KNOWN_HARMLESS: readonly Effect[] = Object.freeze([]);

/** The answers of several families about one command, joined. */
export function together(answers: readonly (readonly Effect[])[]): readonly Effect[] {
  const found = answers.flat();
  return found.length === 0 && answers.includes(KNOWN_HARMLESS) ? KNOWN_HARMLESS : found;
}

/** Families that each know a part of what a program does. */
export const both =
  (...families: readonly Family[]): Family =>
  (command, scene) =>
    together(families.map((family) => family(command, scene)));

/** More effects of one line are not judged one by one: a person is asked. */
const MOST_EFFECTS = 1500;

/** The effects of each item, until there are more than enough; that there are more is one as well. */
export function effectsOfEach<T>(items: readonly T[], of: (item: T, at: number) => readonly Effect[]): Effect[] {
  const found: Effect[] = [];
  for (let at = 0; at < items.length; at++) {
    const last = found.length >= MOST_EFFECTS ? found.at(-1) : undefined;
    if (last) {
      found.push(
        effect(last.kind, last.by, "has more effects of this kind than are checked", { certainty: "possible" }),
      );
      break;
    }
    for (const one of of(items[at] as T, at)) found.push(one);
  }
  return found;
}

/** A commit rather than a stash, because some packs deny `git stash`. */
export const COMMIT_FIRST = "commit the work on a branch first";

type Extra = Partial<Omit<Effect, "kind" | "why" | "by">>;

export function effect(kind: EffectKind, by: Command, why: string, extra: Extra = {}): Effect {
  const doubtful = by.uncertain.some((doubt) => doubt !== "words" && doubt !== "count");
  return { kind, target: "", certainty: doubtful ? "possible" : "certain", why, by, ...extra };
}

/** Where an effect hits. */
export type EffectPlace = Pick<
  Effect,
  "target" | "path" | "inside" | "pattern" | "mask" | "meant" | "beside" | "certainty"
>;

/** Where a word of a command points to, for an effect on a local file. One for each folder it may run in. */
export function pathsOf(word: Word, command: Command, scene: Scene): readonly EffectPlace[] {
  const target = word.text.length > LONGEST_PATH ? `${word.text.slice(0, 60)}…` : word.text;
  if (command.remote) return [{ target, certainty: word.known ? "certain" : "possible" }];
  if (word.text.length > LONGEST_PATH) return [{ target, certainty: "possible" }];
  if (word.known) {
    const whole = resolved(word.text, command, scene);
    if (whole.length > 0)
      return whole.map((path) => ({ target, path, certainty: "certain", ...beside(target, path, scene) }));
    return [{ target, certainty: "possible" }];
  }
  const fresh = temporaryName(word, scene);
  if (fresh !== undefined) {
    const path = isGeneratedName(fresh) ? { path: posix.resolve(scene.cwd, fresh) } : {};
    return [{ target: fresh, certainty: "possible", ...path }];
  }
  const folder = fixedFolder(word);
  const inside = folder === undefined ? [] : resolved(folder, command, scene);
  if (inside.length === 0) return [{ target, certainty: "possible", ...meant(word, scene) }];
  const whole = resolved(word.shape ?? word.text, command, scene);
  if (!word.glob || hasPlaceholder(word.shape ?? ""))
    return inside.map((one, at) => ({
      target,
      inside: one,
      certainty: "possible",
      mask: whole[at] ?? one,
      ...beside(target, one, scene),
    }));
  const patterns = resolved(word.text, command, scene);
  return inside.map((one, index) => ({
    target,
    inside: one,
    pattern: patterns[index] ?? one,
    certainty: "certain",
    ...beside(target, one, scene),
  }));
}

/** Outside the start folder and reached by a relative path. */
function beside(text: string, path: string, { cwd, shell }: Scene): { readonly beside?: true } {
  if (path === cwd || path.startsWith(`${cwd}/`)) return {};
  if (text.startsWith("/")) return text.includes("/../") ? { beside: true } : {};
  return lineIndex(shell).jumps ? {} : { beside: true };
}

const assigned = new WeakMap<readonly Command[], ReadonlyMap<string, readonly string[]>>();

/** The texts that the line gives to each name. */
function assignedOn({ commands }: Shell): ReadonlyMap<string, readonly string[]> {
  const made = assigned.get(commands);
  if (made) return made;
  const texts = new Map<string, string[]>();
  const add = (name: string, text: string): void => {
    const known = texts.get(name);
    if (known) known.push(text);
    else texts.set(name, [text]);
  };
  for (const { program, argv, assignments } of commands) {
    for (const { name, value } of assignments) add(name, "text" in value ? value.text : "");
    if (program !== "readonly" && program !== "declare" && program !== "local") continue;
    for (const word of argv) {
      const [, name, text = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word.text) ?? [];
      if (name !== undefined) add(name, text);
    }
  }
  assigned.set(commands, texts);
  return texts;
}

const MAKES = /^(?:\$\(|`)\s*mktemp\b[^;&|]*(?:\|\|\s*(?:exit|return|mktemp|die|fail|error)\b[^;&|]*)?[)`]$/;

/** `$dir`, `${dir}`, and `${dir:?}`, which is the same or ends the shell. */
const NAMED = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?\?[^{}$`]*)?\})([\w.+-]*(?:\/.*)?)$/s;

/** `$dir/x`, `$file.old` where the line itself made that name with mktemp. */
function temporaryName(word: Word, scene: Scene): string | undefined {
  const [, bare, braced, rest = ""] = NAMED.exec(word.text) ?? [];
  const name = bare ?? braced;
  if (name === undefined || rest.includes("..")) return undefined;
  const made = assignedOn(scene.shell).get(name) ?? [];
  return made.length > 0 && made.every((text) => isGeneratedName(text) || MAKES.test(text))
    ? `${made[0]}${rest}`
    : undefined;
}

/** `D="$ROOT/dist"; rm -rf "$D"` */
function meant(word: Word, scene: Scene): { readonly meant?: string } {
  const [, bare, braced, rest = ""] = NAMED.exec(word.text) ?? [];
  const name = bare ?? braced ?? "";
  const [only, more] = assignedOn(scene.shell).get(name) ?? [];
  const isFilled = scene.shell.loops.has(name) || lineIndex(scene.shell).reads.has(name);
  // A text with blanks may become several words.
  if (only === undefined || more !== undefined || isFilled || /\s/.test(only)) return {};
  return { meant: `${only}${rest}` };
}

function resolved(text: string, command: Command, scene: Scene): readonly string[] {
  const from = text.startsWith("/") ? ["/"] : (command.cwds ?? []);
  return from.map((cwd) => resolveIn(scene.cwd, cwd, text));
}

/** The folder that is written out before the first piece nobody knows. */
function fixedFolder(word: Word): string | undefined {
  if (word.shape === undefined) return undefined;
  const special = word.shape.search(/[*?[@!+(\uf000-\uf0ff]/);
  if (special < 0 || word.shape.slice(special).includes("..")) return undefined;
  const slash = word.shape.lastIndexOf("/", special);
  if (slash < 0) return special === 0 && !word.glob ? undefined : ".";
  return word.shape.slice(0, slash) || "/";
}
