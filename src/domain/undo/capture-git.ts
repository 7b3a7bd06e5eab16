import fs from "node:fs";
import path from "node:path";
import type { LossScope } from "../../core/verdict.ts";
import { captureRefs } from "./capture-refs.ts";
import { type Collection, foldersOf, SnapshotImpossible } from "./collection.ts";
import { zeroSeparated } from "./git.ts";
import { diskPathOf, isBelow, type KeptFile, type KeptGit, SNAPSHOT_REFS, statOf } from "./manifest.ts";
import type { GitStatus, RepositoryReading, TrackedFiles } from "./read-repository.ts";
import { USUAL_MODES } from "./wanted-files.ts";

/** Files in the git folder that exist while a merge, a rebase or the like is in progress. */
const UNDER_WAY = [
  ...["MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "SQUASH_MSG"],
  ...["ORIG_HEAD", "REBASE_HEAD", "rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG", "BISECT_START"],
];
const HOUR_MS = 3_600_000;

/** The part of a snapshot that describes the repository. */
export interface GitCapture {
  readonly git: KeptGit;
  /** Commits and blobs that must stay reachable. */
  readonly commits: readonly string[];
  readonly staged: readonly string[];
}

export async function captureGit(
  reading: RepositoryReading,
  collection: Collection,
  named: readonly string[],
  scope: LossScope,
  isMadeAgain: (raw: string) => boolean,
): Promise<GitCapture> {
  const { git, places } = reading;
  const { root, gitDir } = places;
  const inside = fs.readdirSync(gitDir);
  if (inside.some((name) => name.startsWith("sharedindex.")))
    throw new SnapshotImpossible("its index is split into several files");
  removeReports(gitDir, inside);
  const tracked = await reading.tracked;
  // Done while `git status`, the slowest query, is still running.
  const modes = scope.git?.tree ? await modesOf(root, tracked.files, collection) : {};
  const [status, settings, refs] = await Promise.all([reading.status, reading.settings, reading.refs]);
  const reaches = scope.git?.submodules || (scope.git?.tree && settings.recurses);
  if (reaches && tracked.submodules.some((raw) => isFilled(root, raw)))
    throw new SnapshotImpossible("it reaches into submodules");
  await keepChanged(root, status, tracked, collection);
  await keepUntracked(reading, status, tracked, collection, scope, isMadeAgain);
  await keepNamed(root, named, status, tracked, collection, modes, isMadeAgain);
  const { commits, ...kept } = await captureRefs(git, refs, scope, collection);
  const indexFile = path.join(gitDir, "index");
  const size = fs.statSync(indexFile, { throwIfNoEntry: false })?.size;
  const index = size === undefined ? undefined : collection.content(size, () => fs.readFileSync(indexFile));
  return {
    git: {
      ...kept,
      head: status.head,
      settings: settings.branches,
      gitDir,
      underWay: scope.git ? underWay(gitDir, collection) : [],
      modes,
      isWhole: scope.git !== undefined,
      ...(index !== undefined && { index }),
    },
    commits: [...new Set([...(status.commit === undefined ? [] : [status.commit]), ...commits])],
    staged: status.staged,
  };
}

/** Removes crash reports of `git fast-import` that an interrupted snapshot left. Those of other programs stay. */
function removeReports(gitDir: string, names: readonly string[]): void {
  for (const name of names.filter((one) => one.startsWith("fast_import_crash_"))) {
    const place = path.join(gitDir, name);
    const isOld = Date.now() - fs.statSync(place).mtimeMs > HOUR_MS;
    if (isOld && fs.readFileSync(place, "utf8").includes(`${SNAPSHOT_REFS}/`)) fs.rmSync(place, { force: true });
  }
}

/** Keeps files that differ from the index, and files marked assume-unchanged, whose real state git does not report. */
async function keepChanged(
  root: string,
  status: GitStatus,
  tracked: TrackedFiles,
  collection: Collection,
): Promise<void> {
  for (const file of new Set([...status.changed, ...tracked.unwatched])) {
    await collection.step();
    const found = statOf(diskPathOf(root, file));
    // A submodule has its own repository. Files that a sparse checkout leaves out are expected to be missing.
    if (found?.isDirectory() || (!found && tracked.left.has(file))) continue;
    collection.add(file, found);
    // The folder of a deleted file may exist without any other file in it.
    for (const folder of found ? [] : foldersOf([file])) {
      const outer = statOf(diskPathOf(root, folder));
      if (outer?.isDirectory()) collection.add(folder, outer);
    }
  }
}

async function keepUntracked(
  { git, places }: RepositoryReading,
  { untracked }: GitStatus,
  { files }: TrackedFiles,
  collection: Collection,
  scope: LossScope,
  isMadeAgain: (raw: string) => boolean,
): Promise<void> {
  if (!scope.git) return;
  const only = scope.git.only.length > 0 ? scope.git.only : [":/"];
  const list = async (...args: string[]): Promise<string[]> =>
    zeroSeparated(
      await git(["ls-files", "--others", "--exclude-standard", "--full-name", "-z", ...args, "--", ...only]),
    );
  if (scope.git.untracked) {
    const own = foldersOf(untracked);
    for (const folder of foldersOf(files)) own.delete(folder);
    for (const folder of own) collection.add(folder, statOf(diskPathOf(places.root, folder)));
    for (const file of untracked) await collection.walk(file.replace(/\/$/, ""), () => false);
    if (scope.git.folders) {
      for (const one of await list("--directory")) {
        if (one.endsWith("/")) await collection.walk(one.slice(0, -1), skipFiles(isMadeAgain));
      }
    }
  }
  if (scope.git.ignored) {
    const isNested = nestedIn(places.root);
    const skips = (raw: string, isFolder: boolean): boolean =>
      !isNested(raw, isFolder) && isMadeAgain(isFolder ? `${raw}/` : raw);
    for (const one of await list("--ignored", "--directory")) await collection.walk(one.replace(/\/$/, ""), skips);
  }
}

/**
 * Tells whether a path is inside a nested repository; must be asked for outer folders first. In a nested repository
 * every file is kept, because nothing is known about what can be created again there.
 */
function nestedIn(root: string): (raw: string, isFolder: boolean) => boolean {
  const found: string[] = [];
  return (raw, isFolder) => {
    if (found.some((one) => isBelow(raw, one))) return true;
    if (!isFolder || raw === "" || !statOf(diskPathOf(root, `${raw}/.git`))) return false;
    found.push(raw);
    return true;
  };
}

/** Keeps folders only: the files in them were listed one by one before. */
function skipFiles(isMadeAgain: (raw: string) => boolean): (raw: string, isFolder: boolean) => boolean {
  return (raw, isFolder) => !isFolder || isMadeAgain(`${raw}/`) || raw.endsWith("/.git");
}

async function keepNamed(
  root: string,
  named: readonly string[],
  status: GitStatus,
  tracked: TrackedFiles,
  collection: Collection,
  modes: Record<string, number>,
  isMadeAgain: (raw: string) => boolean,
): Promise<void> {
  if (named.length === 0) return;
  const known = new Set([...tracked.files, ...status.untracked]);
  const folders = foldersOf(known);
  const unwatched = new Set(tracked.unwatched);
  const isNested = nestedIn(root);
  const isUnchanged = (raw: string): boolean =>
    tracked.files.has(raw) && !status.changed.has(raw) && !unwatched.has(raw);
  for (const place of named) {
    await collection.walk(place, (raw, isFolder) => {
      if (isNested(raw, isFolder)) return false;
      if (isFolder) return raw !== place && isMadeAgain(`${raw}/`) && !folders.has(raw);
      if (isUnchanged(raw)) noteMode(root, raw, modes);
      return isUnchanged(raw) || (raw !== place && !known.has(raw) && isMadeAgain(raw));
    });
  }
}

/** Unusual modes of tracked files, and of folders that git removes together with their last file. */
async function modesOf(root: string, files: ReadonlySet<string>, collection: Collection) {
  const modes: Record<string, number> = {};
  for (const raw of files) {
    await collection.step();
    noteMode(root, raw, modes);
  }
  for (const raw of foldersOf(files)) noteMode(root, raw, modes);
  return modes;
}

function noteMode(root: string, raw: string, modes: Record<string, number>): void {
  const found = statOf(diskPathOf(root, raw));
  if (!found || found.isSymbolicLink()) return;
  const mode = found.mode & 0o7777;
  if (!(found.isDirectory() ? USUAL_MODES.folder : USUAL_MODES.file).includes(mode)) modes[raw] = mode;
}

function isFilled(root: string, raw: string): boolean {
  const place = diskPathOf(root, raw);
  return statOf(place)?.isDirectory() === true && fs.readdirSync(place).length > 0;
}

function underWay(gitDir: string, collection: Collection): KeptFile[] {
  const list = (name: string): KeptFile[] => {
    const place = Buffer.from(path.join(gitDir, name));
    const found = fs.lstatSync(place, { throwIfNoEntry: false });
    if (!found) return [];
    const inside = found.isDirectory() ? fs.readdirSync(place).flatMap((one) => list(`${name}/${one}`)) : [];
    return [collection.describe(place, name, found), ...inside];
  };
  return UNDER_WAY.flatMap(list);
}
