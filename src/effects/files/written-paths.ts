import { posix } from "node:path";
import type { Command, Redirection, Word } from "../../shell/command.ts";
import { subcommandOf } from "../../shell/launch/subcommand.ts";
import { type OptionReading, readOptions } from "../../shell/options.ts";
import type { Shell } from "../../shell/shell.ts";
import { LONGEST_PATH, resolveIn } from "../line/resolve.ts";
import { WRITERS, type Writer } from "../line/writers.ts";
import { OUTPUT_TOOLS, outputWords } from "./outputs.ts";
import { patchedWords } from "./patched.ts";

/** One place a command writes to, creates, changes or removes. */
export interface WrittenPath {
  /** Absolute when the folder is; undefined when it cannot be known. */
  readonly path: string | undefined;
  /** The folder in which it must be, when at least that is certain of an unknown one. */
  readonly inside?: string;
  /** Of an unknown one that the shell matches against files: what it matches, with the folder before it. */
  readonly pattern?: string;
  /** It is written only when this is a folder, which the line itself does not tell. */
  readonly whenFolder?: string;
  /** Should it be a folder, nothing happens to it but that something is put there. */
  readonly receives?: true;
  readonly by: Command;
}

const known = new WeakMap<readonly Command[], { readonly cwd: string; readonly paths: readonly WrittenPath[] }>();

/** Where the commands of a line write. `cwd` is the folder the line starts in. Several policies ask the same. */
export function writtenPaths({ commands }: Pick<Shell, "commands">, cwd: string): readonly WrittenPath[] {
  const made = known.get(commands);
  if (made?.cwd === cwd) return made.paths;
  const paths = commands.flatMap((command) => (command.remote ? NONE : pathsOf(command, cwd)));
  known.set(commands, { cwd, paths });
  return paths;
}

export function assumingStartFolder(commands: readonly Command[]): readonly Command[] {
  return commands.every(({ cwds }) => cwds) ? commands : commands.map(assumeStartFolder);
}

/** Where nobody can say in which folder a command runs, it is taken to be the one the line starts in. */
export function assumeStartFolder(command: Command): Command {
  return command.cwds ? command : { ...command, cwd: ".", cwds: ["."] };
}

/** Each known place once for each program that writes there. */
export function distinctPlaces(paths: readonly WrittenPath[]): readonly WrittenPath[] {
  const seen = new Set<string>();
  return paths.filter(({ path, inside, pattern, whenFolder, receives, by }) => {
    if (path === undefined && inside === undefined && pattern === undefined) return false;
    const { size } = seen;
    return (
      seen.add([by.program, whenFolder, receives, path ?? inside, pattern, path === undefined].join("\0")).size > size
    );
  });
}

const NONE: readonly never[] = [];
const ANYWHERE: Word = { text: "", known: false };

function pathsOf(command: Command, start: string): readonly WrittenPath[] {
  const own = programTargets(command);
  const targets = command.redirections.length === 0 ? own : [...command.redirections.flatMap(redirected), ...own];
  return targets.length === 0 ? NONE : targets.flatMap((target) => placed(target, command, start));
}

/** A word, and the folder it is relative to when that is not the current one. */
interface Target {
  readonly word: Word;
  readonly folder?: Word | undefined;
  /** Only if it is one. */
  readonly whenFolder?: true;
  readonly receives?: true;
}

function placed(target: Target, command: Command, start: string): readonly WrittenPath[] {
  const { word, folder, whenFolder, receives } = target;
  if (whenFolder && folder) {
    const [place, ...others] = folder.known ? placedIn(folder.text, command, start) : [];
    if (place === undefined || others.length > 0) return [];
    return placed({ word, folder }, command, start).map((one) => ({ ...one, whenFolder: place }));
  }
  if (folder && !folder.known) return [{ path: undefined, by: command }];
  const [path, certain] = word.known ? [word.text, true] : [fixedFolder(word), false];
  if (path === undefined) {
    // Whatever its name is, it is made in that folder.
    const patterns = folder ? placedIn(posix.join(folder.text, "*"), command, start) : [];
    return patterns.length > 0
      ? patterns.map((pattern) => ({ path: undefined, pattern, by: command }))
      : [{ path: undefined, by: command }];
  }
  const inFolder = (text: string): string => (folder && !text.startsWith("/") ? posix.join(folder.text, text) : text);
  const found = placedIn(inFolder(path), command, start);
  if (found.length === 0) return [{ path: undefined, by: command }];
  if (certain) return found.map((one) => ({ path: one, by: command, ...(receives && { receives }) }));
  const patterns = placedIn(inFolder(word.text), command, start);
  return found.map((inside, index) => ({
    path: undefined,
    inside,
    pattern: patterns[index] ?? inside,
    by: command,
  }));
}

/** As a whole path, for each folder the command may run in; nothing when that cannot be known. */
function placedIn(path: string, command: Command, start: string): readonly string[] {
  if (path.length > LONGEST_PATH) return NONE;
  const from = path.startsWith("/") ? ["/"] : (command.cwds ?? []);
  return from.map((cwd) => resolveIn(start, cwd, path));
}

/** A pattern never leaves the folder that is written out before its first special character. */
function fixedFolder(word: Word): string | undefined {
  if (!word.glob || word.shape !== word.text) return undefined;
  const special = word.text.search(/[*?[@!+(]/);
  const slash = word.text.lastIndexOf("/", special);
  if (word.text.slice(special).includes("..")) return undefined;
  return slash < 0 ? "." : word.text.slice(0, slash) || "/";
}

function redirected({ operator, target }: Redirection): readonly Target[] {
  if (!target || !/^(?:>|>>|>\||&>|&>>|<>|>&)$/.test(operator)) return [];
  if (operator === ">&" && target.known && /^(?:\d+-?|-)$/.test(target.text)) return [];
  // `> >(command)` is a pipe, and these devices keep nothing.
  if (!target.known && /^[<>]\(/.test(target.text)) return [];
  if (target.known && /^\/dev\/(?:null|tty|stdout|stderr|fd\/\d+)$/.test(target.text)) return [];
  return [{ word: target }];
}

const WRITING: ReadonlySet<string> = new Set([
  ...["apply_patch", "dd", "find", "git", "python", "python3"],
  ...OUTPUT_TOOLS,
  ...Object.keys(WRITERS),
]);

function programTargets(command: Command): readonly Target[] {
  const { program = "" } = command;
  if (!WRITING.has(program)) return NONE;
  const words = command.argv.slice(1);
  if (program === "apply_patch") return patchedWords(command).map((word) => ({ word }));
  if (program === "dd")
    return words.filter((word) => word.text.startsWith("of=")).map((word) => ({ word: cut(word, 3) }));
  const told = outputWords(command).map((word): Target => ({ word }));
  if (program === "find") return [...told, ...found(words)];
  if (program === "git") return told.length > 0 ? told : gitConfig(command);
  const writer = WRITERS[program];
  if (!writer) return told;
  const options = readOptions(program === "tar" ? dashed(words) : words, writer, true);
  const named = (writer.files?.split(" ") ?? []).flatMap((name) => given(options, name)).map((word) => ({ word }));
  if (program === "tar") return [...tarFile(options), ...operandTargets(writer, options)];
  if (program === "zip") return options.operands.slice(0, 1).map((word) => ({ word }));
  if (program === "curl") return [...named, ...downloads(options, "O remote-name", "output-dir")];
  if (program === "wget" && named.length === 0) return downloads(options, undefined, "P directory-prefix");
  return [...named, ...operandTargets(writer, options)];
}

function operandTargets(writer: Writer, options: OptionReading): readonly Target[] {
  if (writer.only && !has(options, writer.only)) return [];
  const skipped = writer.skip !== undefined && !has(options, writer.instead) ? writer.skip : 0;
  const operands = options.operands.slice(skipped);
  const [folder] = (writer.folder?.split(" ") ?? []).flatMap((name) => given(options, name));
  if (writer.unpacks) return [{ word: folder ?? { text: ".", known: true } }];
  if (writer.operands === "none") return [];
  if (writer.operands === "all" || has(options, writer.creates)) return operands.map((word) => ({ word }));
  if (folder) return [...into(operands, folder), ...(writer.moves ? operands.map((word) => ({ word })) : [])];
  const last = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (!last) return [];
  // `ln -s /a/b` alone makes `b` here.
  if (sources.length === 0) return writer.copies ? into([last], { text: ".", known: true }) : [{ word: last }];
  // Only the form of the words says that the last one is a folder; without a sign it is taken as the file itself.
  const manifold = writer.copies && (sources.length > 1 || last.text.endsWith("/"));
  const puts = writer.copies && !manifold && !has(options, "T no-target-directory");
  const itself: Target = { word: last, ...(puts && { receives: true }) };
  const written = manifold ? into(sources, last) : isRemote(last) ? [] : [itself];
  if (puts) {
    written.push(...into(sources, last).map((target) => ({ ...target, whenFolder: true as const })));
  }
  return [...written, ...(writer.moves ? sources.map((word) => ({ word })) : [])];
}

function into(sources: readonly Word[], folder: Word): Target[] {
  return sources.map((word) => {
    if (fixedFolder(word) !== undefined && !word.text.includes("(")) {
      // `cp a/*.json b/` makes what `b/*.json` matches.
      const name = posix.basename(word.text);
      return { word: /[*?[]/.test(name) ? { ...word, text: name, shape: name } : { text: name, known: true }, folder };
    }
    const name = word.known ? posix.basename(word.text) : word.base;
    return name === undefined ? { word: ANYWHERE, folder } : { word: { text: name, known: true }, folder };
  });
}

function found(words: readonly Word[]): readonly Target[] {
  if (!words.some((word) => word.text === "-delete")) return [];
  const end = words.findIndex((word) => /^[-!(]/.test(word.text));
  const roots = end <= 0 ? [{ text: ".", known: true }] : words.slice(0, end);
  return roots.map((word) => ({ word }));
}

function gitConfig(command: Command): readonly Target[] {
  const sub = subcommandOf(command);
  if (sub?.name !== "config") return [];
  const options = readOptions(
    sub.words,
    { short: "f:lez", long: "file: global system local worktree get unset add type:" },
    true,
  );
  const folder = sub.options.get("C")?.at(-1);
  return [...given(options, "f"), ...given(options, "file")].map((word) => ({ word, folder }));
}

function tarFile(options: OptionReading): readonly Target[] {
  if (!has(options, "c r u A create append update")) return [];
  return [...given(options, "f"), ...given(options, "file")]
    .filter((word) => word.text !== "-")
    .map((word) => ({ word }));
}

/** Files named after the address they come from. */
function downloads(options: OptionReading, when: string | undefined, where: string): readonly Target[] {
  if (when !== undefined && !has(options, when)) return [];
  const [folder] = where.split(" ").flatMap((name) => given(options, name));
  return options.operands.map((word) => {
    const name = /^[a-z]+:\/\/[^/]+\/(?:[^?#]*\/)?([^/?#]+)$/.exec(word.known ? word.text : "")?.[1];
    return { word: name === undefined ? ANYWHERE : { text: name, known: true }, folder };
  });
}

/** `tar xf a` is `tar -xf a`. */
export function dashed([first, ...rest]: readonly Word[]): readonly Word[] {
  if (!first) return [];
  return /^[A-Za-z]+$/.test(first.text) ? [{ ...first, text: `-${first.text}` }, ...rest] : [first, ...rest];
}

function isRemote(word: Word): boolean {
  return /^[^/]+:/.test(word.text);
}

function cut(word: Word, length: number): Word {
  return word.known ? { text: word.text.slice(length), known: true } : ANYWHERE;
}

function given(options: OptionReading, name: string): readonly Word[] {
  return (options.given.get(name) ?? []).map((value) => value ?? ANYWHERE);
}

function has(options: OptionReading, names: string | undefined): boolean {
  return names?.split(" ").some((name) => options.given.has(name)) ?? false;
}
