import { posix } from "node:path";
import { type Command, knownText, knownWord, type Word } from "../../shell/command.ts";
import { type Subcommand, subcommandOf } from "../../shell/launch/subcommand.ts";
import { type OptionReading, type OptionSpec, readOptions } from "../../shell/options.ts";
import type { Effect, Scene } from "../effect.ts";
import { earlierOf, lineIndex } from "../line/line-index.ts";

/** One call of git, with everything on the line that changes what it means. */
export interface GitCommand {
  readonly command: Command;
  readonly scene: Scene;
  readonly name: string;
  readonly words: readonly Word[];
  /** Where it runs, one for each folder the line may be in; undefined when that is not known. */
  readonly folders: readonly (string | undefined)[];
  /** Its work tree or its files are not those that git would find by itself from its folder. */
  readonly displaced: boolean;
  /** Settings that only this line gives it. */
  readonly settings: ReadonlyMap<string, Word>;
  readonly environment: ReadonlyMap<string, Word>;
}

/** The effects of one subcommand. */
export type GitFamily = (git: GitCommand) => readonly Effect[];

const UNKNOWN: Word = { text: "", known: false };
const PLACING = ["git-dir", "work-tree"] as const;
const PLACING_VARIABLES = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"];
const WATCHED = /^(?:GIT_\w+|PAGER|EDITOR|VISUAL|SSH_ASKPASS)$/;
const CONFIG: OptionSpec = {
  short: "f:lezt:",
  long: "global system local worktree file: blob: get get-all get-regexp get-urlmatch unset unset-all replace-all add append rename-section remove-section list edit type: bool int path null name-only show-origin show-scope default: includes no-includes comment: fixed-value all value: url: bool-or-int expiry-date",
};
const CONFIG_READS = "l e list edit get get-all get-regexp get-urlmatch unset unset-all rename-section remove-section";

export function readGit(command: Command, scene: Scene): GitCommand | undefined {
  const sub = subcommandOf(command);
  if (sub?.name === undefined) return undefined;
  const environment = environmentOf(command, scene);
  return {
    command,
    scene,
    name: sub.name,
    words: sub.words,
    ...placeOf(command, sub, scene, environment),
    settings: settingsOf(command, sub, scene, environment),
    environment,
  };
}

/** How git hands `-c` on: each setting in quotes, in newer versions name and value apart. */
const PACKED = /'([^'=]+)(?:'=')?=?([^']*)'/g;
const HOLES = /[\uf000-\uf0ff]/g;
/** What a shell cannot know either. */
const FILLED_HOLE = "$1";
const NONE: ReadonlyMap<string, Word> = new Map();

/** A call of git read by its own words alone, without variables and settings from the line. */
export function readGitWords(command: Command, scene: Scene): GitCommand | undefined {
  const seen = glances.get(command);
  if (seen?.scene === scene) return seen;
  const sub = subcommandOf(command);
  if (sub?.name === undefined) return undefined;
  const place = placeOf(command, sub, scene, NONE);
  const git = { command, scene, name: sub.name, words: sub.words, ...place, settings: NONE, environment: NONE };
  glances.set(command, git);
  return git;
}

/** Every later call on the line looks at the earlier ones. */
const glances = new WeakMap<Command, GitCommand>();

/** The same call for a program that is git under another name: `git-push` and its like have their subcommand in it. */
export function asGit(command: Command, name: string | undefined): Command {
  const subcommand = name === undefined ? [] : [knownWord(name)];
  return { ...command, program: "git", argv: [knownWord("git"), ...subcommand, ...command.argv.slice(1)] };
}

export function has(options: OptionReading, names: string): boolean {
  return names.split(" ").some((name) => options.given.has(name));
}

export function valueGiven(options: OptionReading, names: string): Word | undefined {
  for (const name of names.split(" ")) {
    if (options.given.has(name)) return options.given.get(name)?.at(-1) ?? UNKNOWN;
  }
  return undefined;
}

/** Of options that take each other back, the last one counts. */
export function isOn(options: OptionReading, words: readonly Word[], on: string, off: string): boolean {
  if (!has(options, on)) return false;
  if (!has(options, off)) return true;
  const names = on.split(" ");
  const last = words.findLast(({ text }) => text === `--${off}` || names.some((name) => isOption(text, name)));
  return last?.text !== `--${off}`;
}

function isOption(text: string, name: string): boolean {
  if (name.length > 1) return text === `--${name}`;
  return text.startsWith("-") && !text.startsWith("--") && text.includes(name);
}

/** `git x -h` prints how to call it and does nothing. */
export function asksForUsage(words: readonly Word[]): boolean {
  const end = words.findIndex(({ text }) => text === "--");
  return (end < 0 ? words : words.slice(0, end)).some(({ text }) => text === "-h");
}

/** Whether it reads a pipe or a here-document. */
export function isFed({ upstream, redirections }: Command): boolean {
  return upstream.length > 0 || redirections.some(({ operator }) => operator.startsWith("<"));
}

/** `git diff` of the work tree, turned round or not. */
export function isPlainDiff({ program, args: [name, ...rest] }: Command, reverse: boolean): boolean {
  if (program !== "git" || name !== "diff") return false;
  const end = rest.indexOf("--");
  const words = (end < 0 ? rest : rest.slice(0, end)).filter((word) => !word?.startsWith("-"));
  // Between two commits nothing is lost that is not committed.
  const between = words.filter((word) => word === undefined || /\.\.|^HEAD[~^]|^[0-9a-f]{7,}$/.test(word)).length > 0;
  return !between && rest.includes("-R") !== reverse;
}

/** The commands of a pipe before this one, last first. */
export function pipeBefore(command: Command): readonly Command[] {
  const found: Command[] = [];
  for (let next = command.upstream; next.length > 0 && found.length < 20; next = next.flatMap((one) => one.upstream))
    found.push(...next);
  return found;
}

/** Words as a shell has to read them to get the same words again; what is unknown stays unknown. */
export function written(words: readonly Word[]): string {
  return words.map((word) => (word.known ? quoted(word.text) : word.glob ? word.text : unknown(word))).join(" ");
}

function unknown({ shape, many }: Word): string {
  const text = shape === undefined ? FILLED_HOLE : shape.replace(/["\\$`]/g, "\\$&").replace(HOLES, () => FILLED_HOLE);
  return many ? text : `"${text}"`;
}

/** A word that a shell will read as a script. */
export function scriptOf(word: Word): string {
  return word.known ? word.text : (word.shape?.replace(HOLES, () => FILLED_HOLE) ?? "");
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Section and variable are the same in every case; what stands between them is not. */
export function settingName(key: string): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  if (first < 0) return key.toLowerCase();
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

export function isFalse(word: Word | undefined): boolean {
  return word?.known === true && /^(?:false|no|off|0|)$/i.test(word.text);
}

function placeOf(
  command: Command,
  sub: Subcommand,
  scene: Scene,
  environment: ReadonlyMap<string, Word>,
): Pick<GitCommand, "folders" | "displaced"> {
  const changes = sub.options.get("C") ?? [];
  const from: readonly (string | undefined)[] = command.remote ? [undefined] : (command.cwds ?? [undefined]);
  const reached = from.map((cwd) =>
    changes.reduce(stepInto, cwd === undefined ? undefined : posix.resolve(scene.cwd, cwd)),
  );
  const folders = [...new Set(reached)];
  const named = PLACING.map((name, index) =>
    sub.options.has(name)
      ? (sub.options.get(name)?.at(-1) ?? UNKNOWN)
      : environment.get(PLACING_VARIABLES[index] ?? ""),
  );
  const others = PLACING_VARIABLES.slice(2).some((name) => environment.has(name));
  if (others || named.some((word) => word && !word.known)) return { folders, displaced: true };
  const [gitDir, workTree] = named;
  if (!gitDir && !workTree) return { folders, displaced: false };
  // Without a work tree of its own, the folder git is called in is taken as one.
  const trees = folders.map((folder) => stepInto(folder, workTree));
  const usual = trees.every((tree, index) => {
    const base = stepInto(folders[index], gitDir);
    return gitDir ? tree !== undefined && base === posix.join(tree, ".git") : tree === folders[index];
  });
  return { folders: trees, displaced: !usual };
}

function stepInto(at: string | undefined, word: Word | undefined): string | undefined {
  if (word === undefined) return at;
  if (!word.known || (at === undefined && !word.text.startsWith("/"))) return undefined;
  return posix.resolve(at ?? "/", word.text);
}

/** Variables that git looks at, as far as the line sets them. */
function environmentOf(command: Command, scene: Scene): ReadonlyMap<string, Word> {
  const found = new Map<string, Word>();
  const line = lineIndex(scene.shell);
  for (const earlier of earlierOf(line.exports, command, line)) {
    for (const [name, value] of exportedBy(earlier)) found.set(name, value);
  }
  const callers: Command[] = [];
  for (let one: Command | undefined = command; one; one = one.via) callers.unshift(one);
  for (const { name, value } of callers.flatMap(({ assignments }) => assignments)) {
    if (WATCHED.test(name)) found.set(name, "text" in value ? value : UNKNOWN);
  }
  return found;
}

const EXPORTED = new WeakMap<Command, readonly (readonly [string, Word])[]>();

/** Every later call of git on the line asks, so the answer is kept. */
function exportedBy(command: Command): readonly (readonly [string, Word])[] {
  let exported = EXPORTED.get(command);
  if (!exported) {
    exported = command.argv.slice(1).flatMap((word) => {
      const [name = "", value] = divided(word);
      return value && WATCHED.test(name) ? [[name, value] as const] : [];
    });
    EXPORTED.set(command, exported);
  }
  return exported;
}

function settingsOf(
  command: Command,
  sub: Subcommand,
  scene: Scene,
  environment: ReadonlyMap<string, Word>,
): ReadonlyMap<string, Word> {
  const found = new Map<string, Word>();
  const put = (key: string | undefined, value: Word) => key !== undefined && found.set(settingName(key), value);
  const line = lineIndex(scene.shell);
  for (const earlier of earlierOf(line.gitConfigs, command, line)) {
    const configured = configuredBy(earlier);
    if (configured) put(...configured);
  }
  for (const [name, word] of environment) {
    if (name.startsWith("GIT_CONFIG_KEY_"))
      put(knownText(word), environment.get(`GIT_CONFIG_VALUE_${name.slice(15)}`) ?? UNKNOWN);
  }
  const packed = knownText(environment.get("GIT_CONFIG_PARAMETERS"));
  for (const [, key, value = ""] of packed?.matchAll(PACKED) ?? []) put(key, knownWord(value));
  for (const word of sub.options.get("config-env") ?? []) put(word?.text.split("=")[0], UNKNOWN);
  for (const word of sub.options.get("c") ?? []) {
    if (!word) continue;
    const [key, value = knownWord("true")] = divided(word);
    put(key, value);
  }
  return found;
}

const CONFIGURED = new WeakMap<Command, readonly [string | undefined, Word] | false>();

/** The setting that a call of `git config` makes. */
function configuredBy(command: Command): readonly [string | undefined, Word] | false {
  let configured = CONFIGURED.get(command);
  if (configured === undefined) {
    configured = readConfig(command) ?? false;
    CONFIGURED.set(command, configured);
  }
  return configured;
}

function readConfig(command: Command): readonly [string | undefined, Word] | undefined {
  const sub = subcommandOf(command);
  if (sub?.name === "remote") return mirrorAdded(sub.words);
  if (sub?.name !== "config") return undefined;
  const options = readOptions(sub.words, CONFIG, true);
  if (has(options, CONFIG_READS)) return undefined;
  const [first, ...rest] = options.operands;
  const [key, value] = first?.text === "set" ? rest : [first, ...rest];
  return value && [knownText(key), value];
}

/** `git remote add --mirror=push name address` */
function mirrorAdded([action, ...words]: readonly Word[]): readonly [string, Word] | undefined {
  const options = readOptions(words, { short: "t:m:f", long: "mirror:: tags no-tags fetch" }, true);
  const how = options.given.get("mirror")?.at(-1)?.text ?? "push";
  const name = knownText(options.operands[0]);
  if (action?.text !== "add" || !options.given.has("mirror") || how !== "push" || name === undefined) return undefined;
  return [`remote.${name}.mirror`, knownWord("true")];
}

/** `name=value` in one word. */
function divided(word: Word): readonly [string | undefined, Word?] {
  const equals = word.text.indexOf("=");
  if (equals < 0) return [knownText(word)];
  const value = { text: word.text.slice(equals + 1), known: word.known };
  return [word.text.slice(0, equals), value];
}
