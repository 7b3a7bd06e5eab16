import { posix } from "node:path";
import type { FileInfo } from "../../core/ports.ts";
import type { Keeping, LossScope } from "../../core/verdict.ts";
import type { Effect, EffectKind } from "../../shell/effects/effect.ts";
import { type Grounds, isWithin } from "./harmless.ts";
import type { Weighed } from "./weigh.ts";

const OF_FILES: ReadonlySet<EffectKind> = new Set(["delete-tree", "delete-file", "overwrite", "truncate"]);
const OF_GIT: ReadonlySet<EffectKind> = new Set(["discard-uncommitted", "rewrite-history"]);
/** These reach into other work trees than the one git is called in. */
const ELSEWHERE: ReadonlySet<string | undefined> = new Set(["worktree", "submodule"]);
const MEGABYTE = 1e6;

/** Does this lose something whose place inside the project is known? */
export function isLocalLoss({ kind, git, by, path, inside }: Effect, grounds: Grounds): boolean {
  if (by.remote) return false;
  if (OF_FILES.has(kind)) return isHere(path ?? inside, grounds);
  if (!OF_GIT.has(kind) || !git || by.args.some((word) => ELSEWHERE.has(word))) return false;
  // Of all refs only branches are kept.
  const others = git.loses.includes("branch") && git.only.some((name) => /^refs\/(?!heads\/)/.test(name));
  return !others && isHere(git.folder, grounds);
}

function isHere(path: string | undefined, { cwd, project }: Grounds): boolean {
  return path !== undefined && [cwd, project].some((folder) => isWithin(path, folder));
}

interface Limits {
  readonly folders: readonly string[];
  readonly snapshotMegabytes: number;
  readonly snapshotMilliseconds: number;
}

/** What has to be kept so that all of these may happen. Nothing when one snapshot cannot hold it. */
export function keepingOf(
  weighed: readonly Weighed[],
  grounds: Grounds,
  info: (path: string) => FileInfo | undefined,
  limits: Limits,
): { unlessKept?: Keeping } {
  const effects = weighed.map(({ effect }) => effect);
  const questions = effects.flatMap(({ git }) => git ?? []);
  const [folder, ...others] = new Set(questions.map((question) => question.folder));
  if (others.length > 0) return {};
  const loses = new Set(questions.flatMap((question) => question.loses));
  const tree = loses.has("changes") || loses.has("unstaged");
  const ignoring = questions.filter((question) => question.loses.includes("ignored"));
  const scope: LossScope = {
    within: [grounds.cwd, grounds.project],
    paths: [...new Set(effects.filter(({ git }) => !git).flatMap((effect) => hitBy(effect, grounds, info)))],
    ...(folder !== undefined && {
      git: {
        folder,
        tree,
        // A checkout also writes over untracked files that are in its way.
        untracked: tree || loses.has("untracked"),
        ignored: ignoring.length > 0,
        only: ignoring.length === 1 ? (ignoring[0]?.only ?? []) : [],
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

function hitBy(effect: Effect, grounds: Grounds, info: (path: string) => FileInfo | undefined): string[] {
  const { path, inside, lands } = effect;
  const place = path ?? inside;
  if (place === undefined) return [];
  const hit = lands !== undefined && info(place)?.kind === "directory" ? `${place}/${lands}` : place;
  return [hit, ...movedBy(effect, grounds)];
}

/** What is moved over something is lost as well, once that something is put back. */
function movedBy({ by }: Effect, grounds: Grounds): string[] {
  const [folder, ...others] = by.cwds ?? [];
  if (by.program !== "mv" || folder === undefined || others.length > 0) return [];
  const from = by.args.slice(0, -1).filter((word) => word !== undefined && !word.startsWith("-")) as string[];
  return from.map((word) => posix.resolve(grounds.cwd, folder, word)).filter((path) => isHere(path, grounds));
}
