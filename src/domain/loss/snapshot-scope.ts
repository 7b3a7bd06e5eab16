import { posix } from "node:path";
import type { FileInfo } from "../../core/ports.ts";
import type { LossScope, SnapshotRequest } from "../../core/verdict.ts";
import type { Effect, EffectKind, GitQuestion } from "../../effects/effect.ts";
import type { Command } from "../../shell/command.ts";
import type { AnsweredEffect } from "./answer-effects.ts";
import { type FolderContext, isHarmless, isWithin } from "./harmless.ts";

const OF_FILES: ReadonlySet<EffectKind> = new Set(["delete-tree", "delete-file", "overwrite", "truncate"]);
const OF_GIT: ReadonlySet<EffectKind> = new Set(["discard-uncommitted", "rewrite-history"]);
/** Git commands that change other work trees than the one git runs in. */
const ELSEWHERE: ReadonlySet<string | undefined> = new Set(["worktree", "submodule"]);
const MEGABYTE = 1e6;

/** Does the effect lose something at a known place inside the project? */
export function isLocalLoss({ kind, git, by, path, inside }: Effect, context: FolderContext): boolean {
  if (by.remote) return false;
  // `git rm` and `git mv` change the index as well, which a snapshot of files would not restore.
  if (OF_FILES.has(kind)) return by.program !== "git" && isHere(inside ?? path, context);
  if (!OF_GIT.has(kind) || !git || by.args.some((word) => ELSEWHERE.has(word))) return false;
  return isHere(git.folder, context);
}

function isHere(path: string | undefined, { cwd, project }: FolderContext): boolean {
  return path !== undefined && [cwd, project].some((folder) => isWithin(path, folder));
}

interface Limits {
  readonly folders: readonly string[];
  readonly snapshotMegabytes: number;
  readonly snapshotMilliseconds: number;
}

/** The command line with all its effects. */
export interface LineEffects {
  readonly effects: readonly Effect[];
  readonly commands: readonly Command[];
}

/** The snapshot that has to be taken before these losses may happen. Empty when one snapshot cannot hold them all. */
export function snapshotFor(
  answered: readonly AnsweredEffect[],
  line: LineEffects,
  context: FolderContext,
  info: (path: string) => FileInfo | undefined,
  limits: Limits,
): { unlessKept?: SnapshotRequest } {
  const effects = answered.map(({ effect }) => effect);
  const [folder, ...others] = new Set(effects.flatMap(({ git }) => (git ? [git.folder] : [])));
  if (others.length > 0) return {};
  const moved = [
    ...new Set(answered.flatMap(({ whole }) => (whole?.by.program === "mv" ? (whole.copied?.from ?? []) : []))),
  ];
  // The sources of a move have to be restored as well. A snapshot can hold a pattern only within one folder.
  if (!moved.every(isInOneFolder)) return {};
  // Deleted files that git could restore are no loss, but `undo` has to restore everything that the line deletes.
  const taken = line.effects.filter((one) => !one.git && !one.ifExists && !effects.includes(one));
  effects.push(...taken.filter((one) => isLocalLoss(one, context) && !isHarmless(one, context)));
  const questions = line.effects.flatMap(({ git }) => (git && git.folder === folder ? git : []));
  const loses = new Set(questions.flatMap((question) => question.loses));
  const tree = loses.has("changes") || loses.has("unstaged");
  const ignoring = questions.filter((question) => question.loses.includes("ignored"));
  const scope: LossScope = {
    within: [context.cwd, context.project],
    paths: [...new Set(effects.filter(({ git }) => !git).flatMap((effect) => hitBy(effect, context, info)))],
    patterns: [
      ...effects.flatMap(({ pattern }) => (pattern !== undefined && isInOneFolder(pattern) ? pattern : [])),
      ...moved,
    ],
    ...(folder !== undefined && {
      git: {
        folder,
        tree,
        // Checking out another commit also overwrites untracked files that are in its way.
        untracked:
          loses.has("untracked") || (tree && !line.commands.every(staysHere)) || line.commands.some(takesUntracked),
        ignored: ignoring.length > 0,
        only: ignoring.length === 1 ? (ignoring[0]?.only ?? []) : [],
        folders: loses.has("untracked") || ignoring.length > 0,
        submodules: effects.some(({ by }) => by.args.includes("rm")),
        // Also refs that lose nothing: `undo` has to remove a ref that the line creates.
        refs: [...new Set(line.effects.flatMap(({ git }) => (git?.folder === folder ? refsOf(git) : [])))],
      },
    }),
  };
  return {
    unlessKept: {
      message: "kept",
      scope,
      folders: limits.folders,
      maxBytes: limits.snapshotMegabytes * MEGABYTE,
      maxMs: limits.snapshotMilliseconds,
    },
  };
}

function refsOf({ loses, only }: GitQuestion): readonly string[] {
  if (!loses.includes("branch") && !loses.includes("ref")) return [];
  const names = only.filter((name) => name !== "HEAD");
  return names.map((name) => (name.startsWith("refs/") ? name : `refs/heads/${name}`));
}

/** Commands that move untracked files into the index or a stash before the loss happens. */
function takesUntracked({ program, args: [name, action] }: Command): boolean {
  if (program !== "git") return false;
  return name === "add" || (name === "stash" && !STASH_QUIET.has(action ?? "push"));
}

/** Git commands that leave the work tree at the same commit, so that they overwrite no untracked file. */
function staysHere({ program, args }: Command): boolean {
  if (program === undefined || args.includes(undefined)) return false;
  if (!program.startsWith("git")) return true;
  const [name = "", ...words] = args as string[];
  const operands = words.filter((word) => !word.startsWith("-"));
  if (name === "reset") return operands.every((word) => word === "HEAD" || word === "@");
  if (name === "restore") return !words.some((word) => /^-[a-zA-Z]*s|^--so/.test(word));
  if (name === "checkout") return words.find((word) => word !== "-f" && word !== "-q") === "--";
  return QUIET.has(name) || (name === "stash" && STASH_QUIET.has(words[0] ?? "push"));
}

const QUIET = new Set(["status", "diff", "log", "show", "rev-parse", "clean", "branch", "tag", "ls-files"]);
const STASH_QUIET = new Set(["drop", "clear", "list", "show"]);

function hitBy(effect: Effect, context: FolderContext, info: (path: string) => FileInfo | undefined): string[] {
  const { path, inside, lands, pattern } = effect;
  // For a search in a folder, `path` is only a description.
  const place = inside ?? path;
  if (place === undefined || (pattern !== undefined && isInOneFolder(pattern))) return [];
  const hit = lands !== undefined && info(place)?.kind === "directory" ? `${place}/${lands}` : place;
  return [hit, ...movedBy(effect, context)];
}

/** Only the last part of the path is a pattern, and one of stars, question marks and brackets. */
function isInOneFolder(pattern: string): boolean {
  return !/[*?[(].*\/|[(]/s.test(pattern);
}

/** The sources of a move: restoring its target replaces them, so the snapshot needs them too. */
function movedBy({ by }: Effect, context: FolderContext): string[] {
  const [folder, ...others] = by.cwds ?? [];
  if (by.program !== "mv" || folder === undefined || others.length > 0) return [];
  const words = by.args.filter((word) => word !== undefined && !word.startsWith("-")) as string[];
  const isTargetFirst = by.args.some((word) => word !== undefined && /^-[a-zA-Z]*t|^--t/.test(word));
  const from = isTargetFirst ? words : words.slice(0, -1);
  return from.map((word) => posix.resolve(context.cwd, folder, word)).filter((path) => isHere(path, context));
}
