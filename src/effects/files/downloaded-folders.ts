import { posix } from "node:path";
import type { Command } from "../../shell/command.ts";
import type { Scene } from "../effect.ts";
import { lineIndex } from "../line/line-index.ts";

/** Scripts that change the machine. Building from a fresh clone is ordinary and not meant. */
export const INSTALLS = /\.(?:sh|bash|zsh|run|bin|command)$|\/(?:install|setup|bootstrap|installer|run|start|deploy)$/;

export function clones({ program, args }: Command): boolean {
  const brings =
    program === "git" || program === "hg" ? ["clone"] : program === "svn" ? ["export", "checkout", "co"] : [];
  return brings.some((verb) => args.includes(verb)) && args.some((arg) => isAddress(arg ?? ""));
}

export interface DownloadedFolder {
  readonly path: string;
  /** The command that downloads it. */
  readonly by: Command;
}

/** Folders that the line downloads: clones, and unpacked archives that it downloaded. */
export function downloadedFolders(
  commands: readonly Command[],
  scene: Scene,
  downloaded: ReadonlySet<string>,
  isFed: (command: Command) => boolean,
): readonly DownloadedFolder[] {
  return commands.flatMap((command) => {
    const path = downloadedTo(command, scene, downloaded, isFed);
    return path === undefined ? [] : [{ path, by: command }];
  });
}

function downloadedTo(
  command: Command,
  scene: Scene,
  downloaded: ReadonlySet<string>,
  isFed: (command: Command) => boolean,
): string | undefined {
  const at = (text: string): string => posix.resolve(scene.cwd, command.cwd ?? ".", text);
  if (clones(command)) {
    const operands = command.args
      .slice(command.args.findIndex((arg) => /^(?:clone|export|checkout|co)$/.test(arg ?? "")) + 1)
      .filter((arg) => arg && !arg.startsWith("-"));
    const last = operands.at(-1) ?? "";
    return at(isAddress(last) ? posix.basename(last, ".git") : last);
  }
  if (!/^(?:tar|bsdtar|unzip|7z|7za)$/.test(command.program ?? "")) return undefined;
  const archive = command.args.find((arg) => arg !== undefined && downloaded.has(at(arg)));
  if (archive === undefined && !(unpacks(command) && isFed(command))) return undefined;
  const folder = command.args.findIndex((arg) => /^(?:-C|-d|--directory)$/.test(arg ?? ""));
  return at(folder < 0 ? "." : (command.args[folder + 1] ?? "."));
}

/** The folders that exist when the command runs. In a loop, later commands may have run before. */
export function folderPaths(
  folders: readonly DownloadedFolder[],
  command: Command,
  { shell }: Scene,
): readonly string[] {
  const { positions } = lineIndex(shell);
  const end = positions.get(command) ?? Number.POSITIVE_INFINITY;
  const isThere = ({ by }: DownloadedFolder): boolean =>
    command.within.includes("loop") || (positions.get(by) ?? 0) < end;
  return folders.filter(isThere).map(({ path }) => path);
}

/** `tar xz`, `tar -xzf -`: out of what it reads. */
function unpacks({ program, args }: Command): boolean {
  return (
    /tar$/.test(program ?? "") &&
    args.some((arg, at) => /^(?:-\w*x|--extract$|--get$)/.test(arg ?? "") || (at === 0 && /^\w*x\w*$/.test(arg ?? "")))
  );
}

function isAddress(text: string): boolean {
  return /^(?:https?|git|ssh):\/\/|^[\w.-]+@[\w.-]+:/.test(text);
}

const MAKERS = /^(?:g?make|ninja|meson|cmake|just|scons|waf|rake)$/;
const LOCAL = /^\.{1,2}(?:\/|$)|^\//;

/** Whether the command installs from one of these folders. Building or testing there is ordinary. */
export function installsFrom(command: Command, folders: readonly string[], scene: Scene): boolean {
  const place = installedPlace(command);
  if (place === undefined) return false;
  return (command.cwds ?? ["."]).some((cwd) => {
    const path = posix.resolve(scene.cwd, cwd, place);
    return folders.some((folder) => path.startsWith(`${folder}/`) || (path === folder && folder !== scene.cwd));
  });
}

function installedPlace({ program = "", args }: Command): string | undefined {
  const words = args.map((arg) => arg ?? "");
  const givenTo = (...names: readonly string[]): string | undefined => {
    const at = words.findIndex((word) => names.includes(word));
    return at < 0 ? undefined : words[at + 1];
  };
  if (MAKERS.test(program))
    return words.some((word) => /^(?:--)?install/.test(word))
      ? (givenTo("-C", "--directory", "--install") ?? ".")
      : undefined;
  if (/^python[\d.]*$/.test(program) && words[0]?.endsWith("setup.py"))
    return /^(?:install|develop)$/.test(words[1] ?? "") ? posix.dirname(words[0]) : undefined;
  if (program === "cargo") return words[0] === "install" ? givenTo("--path") : undefined;
  const isPip = /^(?:pip[\d.]*|pipx)$/.test(program) || words[0] === "pip" || words[1] === "pip";
  const isGlobal = program === "npm" && words.some((word) => word === "-g" || word === "--global");
  if ((!isPip && !isGlobal) || !words.some((word) => /^(?:install|i|add)$/.test(word))) return undefined;
  return words.find((word) => LOCAL.test(word));
}
