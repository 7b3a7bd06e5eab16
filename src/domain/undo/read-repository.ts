import path from "node:path";
import type { LossScope } from "../../core/verdict.ts";
import { GIT_QUERY_OPTIONS, type KnownSettings, knownSettings, SETTINGS_QUERY } from "../git-loss.ts";
import { type RepositoryRefs, readRefs } from "./capture-refs.ts";
import { SnapshotImpossible } from "./collection.ts";
import { type Git, GitFailed, type GitLocation, gitIn, zeroSeparated } from "./git.ts";

export const GITLINK = "160000";
const NO_OBJECT = /^0+$/;

/** The folders of a work tree and of its repository. */
export interface WorkTreePaths {
  readonly root: string;
  /** The git folder that holds the index of this work tree. */
  readonly gitDir: string;
}

/** The content of the index. */
export interface TrackedFiles {
  readonly files: ReadonlySet<string>;
  /** Tracked files marked assume-unchanged or skip-worktree. */
  readonly unwatched: readonly string[];
  /** The skip-worktree files among them, which a sparse checkout leaves out of the work tree. */
  readonly left: ReadonlySet<string>;
  readonly submodules: readonly string[];
}

/** The result of `git status`. */
export interface GitStatus {
  /** What HEAD points to: a full ref (perhaps a branch without commits), or a commit. */
  readonly head: string;
  readonly commit: string | undefined;
  readonly changed: ReadonlySet<string>;
  readonly untracked: readonly string[];
  /** Objects that only the index refers to. */
  readonly staged: readonly string[];
}

/** The query results of one repository. The queries run in parallel, because starting git is most of their cost. */
export interface RepositoryReading {
  /** Git with every program that the repository's settings name switched off. */
  readonly git: Git;
  readonly places: WorkTreePaths;
  readonly refs: Promise<RepositoryRefs>;
  readonly settings: Promise<KnownSettings>;
  readonly tracked: Promise<TrackedFiles>;
  readonly status: Promise<GitStatus>;
}

/** Undefined outside git. `only` limits the queries to these paths; empty means everything. */
export async function readRepository(
  place: GitLocation,
  scope: LossScope,
  only: readonly string[],
): Promise<RepositoryReading | undefined> {
  const git = gitIn(place, GIT_QUERY_OPTIONS);
  const places = placesOf(git, place.folder);
  const settings = git(SETTINGS_QUERY, { alsoFine: [1] }).then((out) => knownSettings(out.toString()));
  const refs = readRefs(git, scope);
  const among = only.length > 0 ? only : [":/"];
  const literally = only.length > 0 ? ["--literal-pathspecs"] : [];
  const tracked = gitIn(place, [...GIT_QUERY_OPTIONS, ...literally])([
    ...["ls-files", "-v", "-s", "-z", "--full-name", "--", ...among],
  ]).then(readTracked);
  const isAsked = scope.paths.length > 0 || scope.patterns.length > 0 || scope.git?.untracked;
  const status = settings.then(({ filterOptions }) =>
    gitIn(place, [...GIT_QUERY_OPTIONS, ...filterOptions, ...literally])([
      ...["status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--no-renames", "--ignored=no"],
      ...[`--untracked-files=${isAsked ? "all" : "no"}`, "--", ...among],
    ]).then(readStatus),
  );
  // Outside git all queries fail and `places` reports it. These catches only prevent unhandled rejections; whoever awaits
  // one of the promises still gets its error.
  for (const one of [settings, refs, tracked, status]) one.catch(() => undefined);
  const found = await places;
  return found && { git, places: found, refs, settings, tracked, status };
}

async function placesOf(git: Git, folder: string): Promise<WorkTreePaths | undefined> {
  try {
    const [root = "", gitDir = "", ...more] = (await git(["rev-parse", "--show-toplevel", "--absolute-git-dir"]))
      .toString()
      .trimEnd()
      .split("\n");
    if (more.length > 0) throw new SnapshotImpossible("the path of its repository has a line break");
    return root === "" || gitDir === "" ? undefined : { root, gitDir: path.resolve(folder, gitDir) };
  } catch (error) {
    if (error instanceof GitFailed && /not a git repository/.test(error.message)) return undefined;
    throw error;
  }
}

function readTracked(output: Buffer): TrackedFiles {
  const files = new Set<string>();
  const unwatched: string[] = [];
  const left = new Set<string>();
  const submodules: string[] = [];
  for (const line of zeroSeparated(output)) {
    // `H 100644 <object> 0<tab>name`
    const file = line.slice(line.indexOf("\t") + 1);
    if (line.startsWith(GITLINK, 2)) {
      submodules.push(file);
      continue;
    }
    files.add(file);
    if (line.startsWith("H ")) continue;
    if (/^[Ss] /.test(line)) left.add(file);
    unwatched.push(file);
  }
  return { files, unwatched, left, submodules };
}

function readStatus(output: Buffer): GitStatus {
  const changed = new Set<string>();
  const untracked: string[] = [];
  const staged = new Set<string>();
  let [commit, head] = ["", ""];
  for (const line of zeroSeparated(output)) {
    const fields = line.split(" ");
    if (fields[0] === "#") {
      if (fields[1] === "branch.oid") commit = fields[2] ?? "";
      if (fields[1] === "branch.head") head = fields.slice(2).join(" ");
    } else if (fields[0] === "?") untracked.push(line.slice(2));
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
  const tip = commit === "(initial)" ? undefined : commit;
  return {
    head: head === "(detached)" ? (tip ?? "") : `refs/heads/${head}`,
    commit: tip,
    changed,
    untracked,
    staged: [...staged].filter((object) => !NO_OBJECT.test(object)),
  };
}
