import { posix } from "node:path";
import type { Effect } from "../../../effects/effect.ts";
import { lineIndex } from "../../../effects/line/line-index.ts";
import type { Command } from "../../../shell/command.ts";
import type { Shell } from "../../../shell/shell.ts";
import { isWithin } from "../harmless.ts";
import { isConfiguredBuild } from "./configured-builds.ts";

/** The arguments with which a package manager fills folders, and the folders. */
interface Filler {
  readonly words: RegExp;
  readonly folders: readonly string[];
  /** An option that names the folder instead. */
  readonly option?: RegExp;
}

const FILLERS: Readonly<Record<string, readonly Filler[]>> = {
  composer: [{ words: /^(?:install|update|i|u)\b/, folders: ["vendor"] }],
  mix: [{ words: /^(?:deps\.get|deps\.update|setup)\b/, folders: ["deps", "_build"] }],
  bundle: [{ words: /^(?:install\b|$)/, folders: ["vendor/bundle"], option: /^--path(?:=|$)/ }],
  go: [{ words: /^(?:mod|work) vendor\b/, folders: ["vendor"] }],
  cargo: [{ words: /^vendor\b/, folders: ["vendor"] }],
  carthage: [{ words: /^(?:update|bootstrap)\b/, folders: ["Carthage"] }],
  pod: [{ words: /^(?:install|update)\b/, folders: ["Pods"] }],
  npm: [{ words: /^(?:ci|i|install)\b/, folders: ["node_modules"] }],
  pip: [{ words: /^install\b/, folders: [], option: /^(?:-t|--target)(?:=|$)/ }],
};
/** Options that make the command work in another folder, or do nothing. */
const ELSEWHERE =
  /^(?:-[Cdh]|--(?:working-dir|prefix|cwd|dry-run|help|root|chdir|manifest-path|project-directory)(?:=.*)?)$/;

const BUILDS = /^(?:build|clean|restore|test|run|publish|pack|msbuild)\b/;
const PROJECT_FILE = /\.(?:slnx?|(?:cs|fs|vb)proj)$/;

/** `rm -rf vendor && composer install`: a later command of the line fills exactly this folder again. */
export function isRecreatedByLine({ path, inside, kind, by }: Effect, shell: Shell, cwd: string): boolean {
  if (path === undefined || by.remote || (kind !== "delete-tree" && kind !== "delete-file")) return false;
  const { positions } = lineIndex(shell);
  const at = positions.get(by);
  if (at === undefined) return false;
  if (kind === "delete-tree" && inside === undefined && isConfiguredBuild(path, shell, cwd)) return true;
  const isBuilt = posix.basename(path) === "bin" || posix.basename(path) === "obj";
  return shell.commands.some((command, index) => {
    if (!isSure(command) || command.cwd === undefined) return false;
    const folder = posix.resolve(cwd, command.cwd);
    // The output folders of .NET are recognised by name, whether the build comes before or after.
    if (isBuilt && command.program === "dotnet")
      return isBuiltBy(command, folder, inside ?? posix.dirname(path), inside);
    return inside === undefined && index > at && filledBy(command).some((name) => posix.resolve(folder, name) === path);
  });
}

/** The command runs on this machine unless an earlier command fails. */
function isSure({ joined, negated, remote, within, uncertain }: Command): boolean {
  return joined !== "||" && !negated && !remote && within.length === 0 && !uncertain.includes("uncalled");
}

function isBuiltBy({ args }: Command, folder: string, around: string, search: string | undefined): boolean {
  if (!BUILDS.test(args[0] ?? "")) return false;
  const file = args.find((arg) => PROJECT_FILE.test(arg ?? ""));
  const place = posix.resolve(folder, posix.dirname(file ?? "x"));
  return search === undefined ? place === around : isWithin(place, search);
}

function filledBy({ program = "", args }: Command): readonly string[] {
  const fillers = Object.hasOwn(FILLERS, program) ? (FILLERS[program] ?? []) : [];
  const text = args.map((arg) => arg ?? "…").join(" ");
  return fillers.flatMap(({ words, folders, option }) => {
    if (!words.test(text) || args.some((arg) => ELSEWHERE.test(arg ?? ""))) return [];
    const at = option ? args.findIndex((arg) => option.test(arg ?? "")) : -1;
    if (at < 0) return folders;
    const [, attached] = /=(.+)$/.exec(args[at] ?? "") ?? [];
    const named = attached ?? args[at + 1];
    return named === undefined ? [] : [named];
  });
}
