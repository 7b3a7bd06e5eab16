import { posix } from "node:path";
import type { EventOf } from "../../../core/event.ts";
import type { Effect } from "../../../effects/effect.ts";
import { OUTPUT_TOOLS } from "../../../effects/files/outputs.ts";
import { writtenPaths } from "../../../effects/files/written-paths.ts";
import { lineIndex } from "../../../effects/line/line-index.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import type { Command } from "../../../shell/command.ts";
import { isGeneratedName } from "../../../shell/expand/temporary-names.ts";
import { subcommandOf } from "../../../shell/launch/subcommand.ts";
import type { Shell } from "../../../shell/shell.ts";
import { configuredFolder } from "./configured-builds.ts";
import { renamedBuilds } from "./renamed-builds.ts";

/** No system has longer paths. */
const LONGEST_PATH = 4096;
/** Programs that create files without removing their source. */
const MAKERS = new Set([
  ..."cp install ln touch mkdir mkfifo tee rsync scp tar zip unzip curl wget sort dd git".split(" "),
  ...OUTPUT_TOOLS,
]);
const REMOVERS = new Set(["rm", "rmdir", "unlink", "shred", "find"]);

/** At most this many paths are recorded for one call; for the others the person may be asked later. */
const MOST_NOTED = 300;

/** The paths that a call writes. Those that do not exist yet are then recorded as created by the session. */
export function pathsWrittenBy(event: EventOf<"tool.before">, userHome: string): readonly string[] {
  const shell = event.tool.kind === "shell" ? writtenPaths(shellOf(event, userHome), event.cwd) : [];
  const found = new Set<string>();
  const add = (path: string): void => {
    if (path.length <= LONGEST_PATH && found.size < MOST_NOTED) found.add(path);
  };
  for (const path of event.writes) add(path);
  for (const { path, by } of shell) if (path !== undefined && !REMOVERS.has(by.program ?? "")) add(path);
  return [...found];
}

interface Made {
  readonly cwd: string;
  /** Each created path with the position of the first command that creates it. */
  readonly places: ReadonlyMap<string, number>;
  /** Created links: what they point to existed before. */
  readonly links: ReadonlySet<string>;
}

const made = new WeakMap<Shell, Made>();

/** The paths that the commands of a line create, computed once for all effects of the line. */
function createdOnLine(shell: Shell, cwd: string): Made {
  const known = made.get(shell);
  if (known?.cwd === cwd) return known;
  const { positions } = lineIndex(shell);
  const places = new Map<string, number>();
  const links = new Set<string>();
  const note = (place: string, by: Command): void => {
    const at = positions.get(by);
    if (at !== undefined) places.set(place, Math.min(at, places.get(place) ?? at));
  };
  for (const { path, by } of writtenPaths(shell, cwd)) {
    if (path === undefined || !(MAKERS.has(by.program ?? "") || by.redirections.length > 0)) continue;
    note(path, by);
    if (by.program === "ln") links.add(path);
  }
  for (const command of shell.commands) {
    for (const place of clonedTo(command, cwd)) note(place, command);
    for (const place of builtBy(command, cwd)) note(place, command);
  }
  for (const { place, by } of renamedBuilds(shell, cwd)) note(place, by);
  const all = { cwd, places, links };
  made.set(shell, all);
  return all;
}

type Hit = Pick<Effect, "path" | "by" | "target" | "inside" | "pattern">;

/** Git's lock files. A killed git leaves them behind, and the next one asks the user to remove them. */
const LOCK = /\/(?:index|HEAD|config|packed-refs|shallow)\.lock$/;

/** May git's storage be changed here? Yes for a stale lock, and in a repository that the line itself creates. */
export function isAllowedInGitStorage(
  hit: Pick<Hit, "by"> & { readonly path: string | undefined },
  shell: Shell,
  cwd: string,
  exists: (path: string) => boolean,
): boolean {
  const { path, by } = hit;
  if (path === undefined) return false;
  if (isGeneratedName(path)) return true;
  if (LOCK.test(path) && (by.program === "rm" || by.program === "unlink")) return true;
  // A folder that the line creates inside `.git` belongs to a repository that already exists.
  const around = createdBefore({ path, by, target: path }, shell, cwd).filter(
    (place) => !place.split("/").includes(".git"),
  );
  return around.some((place) => !exists(place));
}

/** The hit path and the folders around it, as far as an earlier command of the same line creates them. */
export function createdBefore(effect: Hit, shell: Shell, cwd: string): readonly string[] {
  const end = lineIndex(shell).positions.get(effect.by) ?? 0;
  if (end === 0) return [];
  const path = effect.path ?? effect.inside ?? unmoved(effect, shell, cwd, end);
  if (path === undefined || path.length > LONGEST_PATH) return [];
  const { places, links } = createdOnLine(shell, cwd);
  const found: string[] = [];
  if (places.size === 0) return found;
  const packed = packageName(effect.pattern ?? path);
  if (packed !== undefined && (places.get(packed) ?? end) < end) found.push(packed);
  for (let place = path; ; place = posix.dirname(place)) {
    if ((places.get(place) ?? end) < end) found.push(place);
    if (links.has(place) && place !== path) return [];
    if (place === "/" || place === ".") return found;
  }
}

/**
 * After `source file` the shell's folder is not known for certain. Where the line has no `cd` of its own, a plain name is
 * resolved against the starting folder.
 */
function unmoved({ target, inside, by }: Hit, shell: Shell, cwd: string, end: number): string | undefined {
  if (by.remote || inside !== undefined || by.cwds !== undefined || !/^[\w.][\w./-]*$/.test(target)) return undefined;
  return lineIndex(shell).firstMove < end ? undefined : posix.resolve(cwd, target);
}

/** Maps a package's path to the placeholder path under which the program that creates it is recorded. */
function packageName(path: string): string | undefined {
  const ending = PACKED.exec(posix.basename(path))?.[1];
  return ending === undefined ? undefined : posix.join(posix.dirname(path), `*${ending}`);
}

/** The folder that `git clone` or `git worktree add` makes. */
function clonedTo(command: Command, cwd: string): readonly string[] {
  if (command.program !== "git" || command.cwd === undefined) return [];
  const sub = subcommandOf(command);
  const operands = (sub?.words ?? []).filter(({ text }) => !text.startsWith("-"));
  const tree = sub?.name === "worktree" && operands[0]?.text === "add" ? operands[1] : undefined;
  const last = operands.at(-1);
  const clone = sub?.name === "clone" && last?.known ? last.text.replace(/\/+$/, "") : undefined;
  const name = clone === undefined ? tree?.text : isAddress(clone) ? posix.basename(clone, ".git") : clone;
  return name === undefined || name === "." ? [] : [posix.resolve(cwd, command.cwd, name)];
}

/** Paths that other tools create: virtual environments, new projects, packages, compiler output, backups of edits. */
function builtBy({ program = "", args, cwd: folder }: Command, cwd: string): readonly string[] {
  if (folder === undefined || args.length === 0) return [];
  if (EDITORS.test(program)) return backups(args).map((name) => posix.resolve(cwd, folder, name));
  const ending = PACKERS[`${program} ${args[0]}`];
  if (ending !== undefined) return [posix.resolve(cwd, folder, `*${ending}`)];
  const configured = configuredFolder({ program, args });
  if (configured !== undefined && configured !== ".") return [posix.resolve(cwd, folder, configured)];
  const output = COMPILERS.test(program) ? args[args.indexOf("-o") + 1] : undefined;
  if (output !== undefined && args.includes("-o")) return [posix.resolve(cwd, folder, output)];
  const words = /^python[\d.]*$/.test(program) && args[0] === "-m" ? args.slice(1) : [program, ...args];
  const [tool = "", action, ...rest] = words;
  const isNew = NEW_FOLDERS.has(`${tool} ${action}`);
  if (!isNew && tool !== "venv" && tool !== "virtualenv") return [];
  const name = (isNew ? rest : [action, ...rest]).findLast((word) => word !== undefined && !word.startsWith("-"));
  return name === undefined || name === "." ? [] : [posix.resolve(cwd, folder, name)];
}

/** `sed -i.bak … a b` leaves a.bak and b.bak; any word may be one of the files. */
function backups(args: Command["args"]): readonly string[] {
  const suffix = args.map((arg) => BACKUP.exec(arg ?? "")?.[1]).find((one) => one !== undefined);
  if (suffix === undefined) return [];
  return args.flatMap((arg) => (arg === undefined || arg.startsWith("-") ? [] : `${arg}${suffix}`));
}

const EDITORS = /^(?:g?sed|perl|ruby)$/;
/** The option with a suffix; one with a star in it would be a pattern for the name, and is not read. */
const BACKUP = /^(?:-[a-zA-Z]*i|--in-place=)([.~_][\w.~-]*)$/;
const COMPILERS = /^(?:gcc|cc|g\+\+|c\+\+|clang|clang\+\+|rustc|go|tcc|nvcc|ghc|ocamlc|fpc|gfortran)(?:-\d+)?$/;
/** Commands that create a package, with its file ending; the package's name depends on the project file. */
const PACKERS: Readonly<Record<string, string>> = {
  "npm pack": ".tgz",
  "pnpm pack": ".tgz",
  "yarn pack": ".tgz",
  "helm package": ".tgz",
  "gem build": ".gem",
  "vsce package": ".vsix",
  "nuget pack": ".nupkg",
};
/** A name with a version, or a pattern with a name or a version before the star. */
const PACKED = /^(?:[\w.-]+-v?\d[\w.-]*|package|[\w.-]+-(?:v?\d[\w.-]*)?\*)(\.(?:tgz|gem|vsix|nupkg))$/;
const NEW_FOLDERS = new Set(["uv venv", "git init", "cargo new", "cargo init", "uv init", "poetry new", "rails new"]);

function isAddress(text: string): boolean {
  return /^[\w+]+:\/\/|^[^/]+:|\.git$/.test(text);
}
