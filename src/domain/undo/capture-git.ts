import fs from "node:fs";
import path from "node:path";
import type { LossScope } from "../../core/verdict.ts";
import { CannotKeep, type Collection, foldersOf } from "./collect.ts";
import { type Git, zeroSeparated } from "./git.ts";
import { type KeptFile, type KeptGit, placeOf } from "./manifest.ts";

/** Octopus commits beyond this grow slow everywhere. */
const MOST_BRANCHES = 2_000;
const GITLINK = "160000";
/** What says that a merge, a rebase or the like is under way. */
const UNDER_WAY = [
  ...["MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "SQUASH_MSG"],
  ...["ORIG_HEAD", "REBASE_HEAD", "rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG", "BISECT_START"],
];
const NO_OBJECT = /^0+$/;

/** The parts of a snapshot that only git knows. */
export interface GitCapture {
  readonly git: KeptGit;
  /** Commits and blobs that must stay reachable. */
  readonly commits: readonly string[];
  readonly staged: readonly string[];
}

interface Status {
  /** Tracked files that differ from the index, or that git was told not to look at. */
  readonly changed: ReadonlySet<string>;
  readonly untracked: readonly string[];
  readonly tracked: ReadonlyMap<string, boolean>;
  readonly staged: readonly string[];
}

export async function captureGit(
  git: Git,
  collection: Collection,
  root: string,
  named: readonly string[],
  scope: LossScope,
  isMadeAgain: (raw: string) => boolean,
): Promise<GitCapture> {
  const gitDir = (await git(["rev-parse", "--absolute-git-dir"])).toString().trimEnd();
  if (fs.readdirSync(gitDir).some((name) => name.startsWith("sharedindex.")))
    throw new CannotKeep("its index is split into several files");
  const [status, refs] = await Promise.all([statusOf(git), refsOf(git)]);
  for (const file of status.changed) {
    await collection.step();
    const found = fs.lstatSync(placeOf(root, file), { throwIfNoEntry: false });
    // A submodule has a repository of its own.
    if (!found?.isDirectory()) collection.add(file, found);
  }
  if (scope.git?.untracked) {
    for (const file of status.untracked) await collection.walk(file.replace(/\/$/, ""), () => false);
  }
  if (scope.git?.ignored) {
    const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--full-name", "-z", "--"];
    const listed = zeroSeparated(await git([...args, ...(scope.git.only.length > 0 ? scope.git.only : [":/"])]));
    for (const file of listed) if (!isMadeAgain(file)) await collection.walk(file.replace(/\/$/, ""), () => false);
  }
  const known = new Set([...status.tracked.keys(), ...status.untracked]);
  const folders = foldersOf(known);
  const modes: Record<string, number> = {};
  const unchanged = (raw: string): boolean => status.tracked.has(raw) && !status.changed.has(raw);
  for (const place of named) {
    await collection.walk(place, (raw, isFolder) => {
      if (isFolder) return raw !== place && isMadeAgain(`${raw}/`) && !folders.has(raw);
      if (unchanged(raw)) noteMode(root, raw, modes);
      return unchanged(raw) || (raw !== place && !known.has(raw) && isMadeAgain(raw));
    });
  }
  for (const raw of scope.git?.tree ? status.tracked.keys() : []) {
    await collection.step();
    if (unchanged(raw)) noteMode(root, raw, modes);
  }
  const indexFile = path.join(gitDir, "index");
  const size = fs.statSync(indexFile, { throwIfNoEntry: false })?.size;
  const index = size === undefined ? undefined : collection.content(size, () => fs.readFileSync(indexFile));
  return {
    git: {
      ...refs.kept,
      gitDir,
      underWay: scope.git ? underWay(gitDir, collection) : [],
      modes,
      isWhole: scope.git !== undefined,
      ...(index !== undefined && { index }),
    },
    commits: refs.commits,
    staged: status.staged,
  };
}

function noteMode(root: string, raw: string, modes: Record<string, number>): void {
  const found = fs.lstatSync(placeOf(root, raw), { throwIfNoEntry: false });
  const mode = (found?.mode ?? 0) & 0o7777;
  if (found?.isFile() && mode !== 0o644 && mode !== 0o755) modes[raw] = mode;
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

async function statusOf(git: Git): Promise<Status> {
  const [status, listed] = await Promise.all([
    git(["status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignored=no"]),
    git(["ls-files", "-v", "-s", "-z", "--full-name", ":/"]),
  ]);
  const changed = new Set<string>();
  const untracked: string[] = [];
  const staged = new Set<string>();
  for (const line of zeroSeparated(status)) {
    const fields = line.split(" ");
    if (fields[0] === "?") untracked.push(line.slice(2));
    else if (fields[0] === "1") {
      const [, states = "..", , , mode, , , object = ""] = fields;
      const file = fields.slice(8).join(" ");
      if (states[1] !== "." || states[0] === "D") changed.add(file);
      if (states[0] !== "." && mode !== GITLINK) staged.add(object);
    } else if (fields[0] === "u") {
      changed.add(fields.slice(10).join(" "));
      for (const object of fields.slice(7, 10)) staged.add(object);
    }
  }
  const tracked = new Map<string, boolean>();
  for (const line of zeroSeparated(listed)) {
    const [, tag, mode, file] = /^(\S) (\d+) \w+ \d\t(.*)$/s.exec(line) ?? [];
    if (file === undefined || mode === GITLINK) continue;
    tracked.set(file, true);
    // Hidden from git's eye: what it says of this file need not be so.
    if (tag !== "H") changed.add(file);
  }
  return { changed, untracked, tracked, staged: [...staged].filter((object) => !NO_OBJECT.test(object)) };
}

async function refsOf(git: Git) {
  const [branches, head, commit, stashes, settings] = await Promise.all([
    git(["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"]),
    git(["symbolic-ref", "--quiet", "HEAD"], { alsoFine: [1] }),
    git(["rev-parse", "--verify", "--quiet", "HEAD"], { alsoFine: [1] }),
    git(["reflog", "show", "--no-show-signature", "--format=%H %gs", "refs/stash", "--"], { alsoFine: [128] }),
    git(["config", "--local", "--null", "--get-regexp", "^branch\\."], { alsoFine: [1] }),
  ]);
  const pairs = lines(branches).map((line) => line.split(" ") as [string, string]);
  if (pairs.length > MOST_BRANCHES) throw new CannotKeep(`there are more than ${MOST_BRANCHES} branches`);
  const stashed = lines(stashes).map((line) => {
    const end = line.indexOf(" ");
    return { commit: line.slice(0, end), message: line.slice(end + 1) };
  });
  const tip = commit.toString().trim();
  const kept = {
    head: head.toString().trim() || tip,
    branches: Object.fromEntries(pairs),
    settings: zeroSeparated(settings).map((one): [string, string] => {
      const end = one.indexOf("\n");
      return end < 0 ? [one, "true"] : [one.slice(0, end), one.slice(end + 1)];
    }),
    stashes: stashed,
  };
  const all = [tip, ...pairs.map(([, object]) => object), ...stashed.map((one) => one.commit)];
  return { kept, commits: [...new Set(all)].filter(Boolean) };
}

function lines(output: Buffer): string[] {
  return output.toString("latin1").split("\n").filter(Boolean);
}
