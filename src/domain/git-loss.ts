import { posix } from "node:path";
import type { GitQuestion } from "../effects/effect.ts";

/** Runs git in a folder with these arguments; `code` is null when git was killed or could not start. */
export type GitRun = (
  folder: string,
  args: readonly string[],
) => Promise<{ readonly code: number | null; readonly stdout: string }>;

export type GitAnswer = "nothing" | "something" | "unknown";

/** Extra environment for read-only git queries, so that a query starts no other program and no network access. */
export const GIT_QUERY_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  LC_ALL: "C",
};

/** Options for every query: a repository's settings may name programs, and a query must not start them. */
export const GIT_QUERY_OPTIONS: readonly string[] = [
  "--no-pager",
  "--no-optional-locks",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=",
    "core.ignoreStat=false",
    "core.checkStat=default",
    "core.trustctime=true",
    "core.quotePath=false",
    "core.untrackedCache=false",
    "diff.external=",
    "diff.ignoreSubmodules=dirty",
    "protocol.allow=never",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
  ].flatMap((setting) => ["-c", setting]),
];
const FILTER_PARTS = ["clean=", "smudge=", "process=", "required=false"];
const LISTING_SETTINGS = ["config", "--show-scope", "--null", "--get-regexp"];
const FILTER_QUERY = ["--no-pager", ...LISTING_SETTINGS, "^(filter\\..*|submodule\\.recurse)$"];
const MAX_PATHS = 200;

/**
 * Whether a git command would lose anything now. "unknown" when git cannot say: the caller then assumes a loss.
 * @param harmless is this file, by its path as git prints it, one that can be created again?
 */
export async function gitLoss(
  question: GitQuestion,
  run: GitRun,
  harmless: (path: string) => boolean = () => false,
): Promise<GitAnswer> {
  const { folder, loses, only } = question;
  if (folder === undefined || loses.length === 0) return "unknown";
  if (loses.includes("branch")) return branchLoss(question, folder, run);
  if (loses.includes("ref")) return refLoss(only, folder, run);
  const git = await queryGitIn(folder, run);
  if (!git) return "unknown";
  const { ask, recurses } = git;
  const answers: GitAnswer[] = [];
  for (const one of new Set(loses)) {
    if (one === "branch" || one === "ref") continue;
    const files = one === "untracked" || one === "ignored";
    const answer = files ? await others(ask, one, only, harmless) : await changed(ask, one, only);
    if (answer === "something") return answer;
    answers.push(recurses && !files ? "unknown" : answer);
  }
  return answers.includes("unknown") ? "unknown" : "nothing";
}

/** Whether git can restore all of these: every file is committed and unchanged, and no other file lies among them. */
export async function trackedAndClean(paths: readonly string[], folder: string, run: GitRun): Promise<boolean> {
  if (paths.length === 0 || paths.length > MAX_PATHS) return false;
  const ask = (await queryGitIn(folder, run))?.ask;
  if (!ask) return false;
  const listed = await ask(["--literal-pathspecs", "ls-files", "-s", "-v", "-z", "--error-unmatch", "--", ...paths]);
  // For files marked assume-unchanged, submodules and conflicts, the commit does not have the content that would be lost.
  if (!listed || listed === "" || !entries(listed).every((entry) => /^H (?!160000)\d+ \w+ 0\t/.test(entry)))
    return false;
  for (const path of paths) {
    const inside = await run(posix.resolve(folder, path), [...GIT_QUERY_OPTIONS, "rev-parse", "--show-prefix"]);
    // The root of a work tree contains the repository itself. For a file git fails with an exit code, which is fine.
    if (inside.code === null || (inside.code === 0 && inside.stdout.trim() === "")) return false;
  }
  return (await ask([...STATUS_OF, ...paths])) === "";
}

/** The answer for many files at once: which are committed as plain files, and which of those may have changed. */
export interface CommittedFiles {
  /** Names relative to the folder. */
  readonly files: readonly string[];
  isChanged(name: string): boolean;
  /** Entries that have to be checked one by one: links, and files inside the given folders. */
  readonly others: readonly string[];
}

/** "unknown" when git cannot say, as where there is no repository. */
export async function committedFiles(
  paths: readonly string[],
  folder: string,
  run: GitRun,
): Promise<CommittedFiles | "unknown"> {
  const ask = (await queryGitIn(folder, run))?.ask;
  const listed = await ask?.(["--literal-pathspecs", "ls-files", "-s", "-v", "-z", "--", ...paths]);
  if (ask === undefined || listed === undefined) return "unknown";
  const named = new Set(paths.map((path) => posix.relative(folder, path)));
  const files: string[] = [];
  const others: string[] = [];
  for (const entry of entries(listed)) {
    const name = entry.slice(entry.indexOf("\t") + 1);
    (named.has(name) && /^H 100\d+ \w+ 0\t/.test(entry) ? files : others).push(name);
  }
  const status = files.length === 0 ? "" : await ask([...STATUS_OF, ...files]);
  // Git prints these relative to the top of the work tree, which may be above the folder.
  const changed = status === undefined ? undefined : entries(status).map((entry) => `/${entry.slice(3)}`);
  return { files, isChanged: (name) => changed?.some((path) => path.endsWith(`/${name}`)) ?? true, others };
}

const STATUS_OF: readonly string[] = [
  "--literal-pathspecs",
  ...["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignored=traditional"],
  ...["--ignore-submodules=dirty", "--"],
];

/** Runs one query; undefined when git fails. */
type Ask = (args: readonly string[]) => Promise<string | undefined>;

interface QueryGit {
  readonly ask: Ask;
  /** `submodule.recurse` is on: commands change the submodules too, and these are not queried. */
  readonly recurses: boolean;
}

/** Git with the filters of the repository switched off; undefined when git cannot run there. */
async function queryGitIn(folder: string, run: GitRun): Promise<QueryGit | undefined> {
  const { code, stdout } = await run(folder, FILTER_QUERY);
  if (code === 1) return { ask: asking(folder, run, []), recurses: false };
  if (code !== 0) return undefined;
  const settings = parseSettings(stdout);
  return { ask: asking(folder, run, withoutFilters(settings)), recurses: recursesInto(settings) };
}

/** Reads the settings that a snapshot needs. Git exits with 1 when there are none. */
export const SETTINGS_QUERY: readonly string[] = [
  ...LISTING_SETTINGS,
  "^(filter\\..*|submodule\\.recurse|branch\\..*)$",
];

export interface KnownSettings {
  /** Options that switch off the repository's own filters; needed by every query that reads files. */
  readonly filterOptions: readonly string[];
  readonly recurses: boolean;
  /** `branch.*` settings of the repository itself. */
  readonly branches: readonly (readonly [string, string])[];
}

export function knownSettings(stdout: string): KnownSettings {
  const settings = parseSettings(stdout);
  const isLocal = ({ scope, key }: Setting): boolean => scope === "local" && key.startsWith("branch.");
  return {
    filterOptions: withoutFilters(settings),
    recurses: recursesInto(settings),
    branches: settings.filter(isLocal).map(({ key, value }) => [key, value ?? "true"]),
  };
}

function recursesInto(settings: readonly Setting[]): boolean {
  const recurse = settings.findLast(({ key }) => key === "submodule.recurse");
  return recurse !== undefined && !/^(?:false|no|off|0|)$/i.test(recurse.value ?? "true");
}

function asking(folder: string, run: GitRun, settings: readonly string[]): Ask {
  return async (args) => {
    const { code, stdout } = await run(folder, [...GIT_QUERY_OPTIONS, ...settings, ...args]);
    return code === 0 ? stdout : undefined;
  };
}

interface Setting {
  readonly scope: string;
  readonly key: string;
  readonly value: string | undefined;
}

function parseSettings(output: string): readonly Setting[] {
  const parts = output.split("\0");
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = "", text = ""] = parts.slice(at, at + 2);
    const end = text.indexOf("\n");
    settings.push({
      scope,
      key: end < 0 ? text : text.slice(0, end),
      value: end < 0 ? undefined : text.slice(end + 1),
    });
  }
  return settings;
}

/** Filters from the person's own settings may run; those that the repository defines may not. */
function withoutFilters(settings: readonly Setting[]): readonly string[] {
  const foreign = settings.filter(
    ({ scope, key }) => scope !== "global" && scope !== "system" && key.startsWith("filter."),
  );
  const names = new Set(foreign.map(({ key }) => key.slice(0, key.lastIndexOf("."))));
  return [...names].flatMap((name) => FILTER_PARTS.flatMap((part) => ["-c", `${name}.${part}`]));
}

async function changed(ask: Ask, which: "changes" | "unstaged", only: readonly string[]): Promise<GitAnswer> {
  const output = await ask([
    ...["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=dirty"],
    ...["--", ...only],
  ]);
  if (output === undefined) return "unknown";
  const removed: string[] = [];
  for (const entry of entries(output)) {
    const [staged, unstaged] = [entry[0] ?? "", entry[1] ?? ""];
    // A file that was deleted from the work tree has no content left to lose: the command restores it.
    const gone = unstaged === "D" && (staged === " " || (which === "unstaged" && staged !== "D"));
    if (gone || (which === "unstaged" && unstaged === " ")) continue;
    if (staged !== "D" || unstaged !== " ") return "something";
    removed.push(`:(top,literal)${entry.slice(3)}`);
  }
  if (removed.length === 0) return "nothing";
  if (removed.length > MAX_PATHS) return "something";
  // Removed from the index, but perhaps still on disk as a file that would be overwritten.
  const left = await ask(["ls-files", "--others", "-z", "--", ...removed]);
  return left === undefined ? "unknown" : left === "" ? "nothing" : "something";
}

async function others(
  ask: Ask,
  which: "untracked" | "ignored",
  only: readonly string[],
  harmless: (path: string) => boolean,
): Promise<GitAnswer> {
  const output = await ask([
    ...["ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory", "--full-name", "-z"],
    ...(which === "ignored" ? ["--ignored"] : []),
    ...["--", ...(only.length > 0 ? only : [":/"])],
  ]);
  if (output === undefined) return "unknown";
  return entries(output).every(harmless) ? "nothing" : "something";
}

async function branchLoss({ only, mayBeNew }: GitQuestion, folder: string, run: GitRun): Promise<GitAnswer> {
  const ask = asking(folder, run, []);
  if (only.length === 0 || only.length > MAX_PATHS) return "unknown";
  const found: string[] = [];
  for (const name of only) {
    const ref = await refOf(name, ask);
    const exists = ref !== undefined && (await ask(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]));
    if (exists) found.push(ref);
    else if (!mayBeNew || (await ask(["rev-parse", "--git-dir"])) === undefined) return "unknown";
  }
  if (found.length === 0) return "nothing";
  const branches = found.flatMap((ref) => (ref.startsWith("refs/heads/") ? [`--exclude=${ref.slice(11)}`] : []));
  const output = await ask([
    ...["rev-list", "--max-count=1", ...found, "--not"],
    ...[...branches, "--branches", "--tags", "--remotes", "--"],
  ]);
  return output === undefined ? "unknown" : output.trim() === "" ? "nothing" : "something";
}

/** Other refs mostly point to commits that branches have too, so a loss is assumed only where git reports one. */
async function refLoss(only: readonly string[], folder: string, run: GitRun): Promise<GitAnswer> {
  const ask = asking(folder, run, []);
  if (only.length === 0 || only.length > MAX_PATHS || only.some((name) => !/^refs\/[^\s~^:?*[\\]+$/.test(name)))
    return "nothing";
  const found = await ask(["for-each-ref", `--count=${MAX_PATHS}`, "--format=%(objecttype) %(refname)", ...only]);
  const refs = (found ?? "").split("\n").filter(Boolean);
  if (refs.length === 0) return "nothing";
  // An annotated tag has a message or a signature that exists nowhere else.
  if (refs.some((line) => line.startsWith("tag "))) return "something";
  const names = refs.map((line) => line.slice(line.indexOf(" ") + 1));
  const but = (space: string): string[] =>
    names.filter((name) => name.startsWith(space)).map((name) => `--exclude=${name.slice(space.length)}`);
  const others = ["--branches", ...but("refs/tags/"), "--tags", ...but("refs/remotes/"), "--remotes"];
  const output = await ask(["rev-list", "--max-count=1", ...names, "--not", ...others, "--"]);
  return output !== undefined && output.trim() !== "" ? "something" : "nothing";
}

/** The full name of a branch; a detached HEAD stays "HEAD". */
async function refOf(name: string, ask: Ask): Promise<string | undefined> {
  if (name === "" || name.startsWith("-") || /[\s~^:?*[\\]/.test(name)) return undefined;
  if (name === "HEAD") return (await ask(["symbolic-ref", "--quiet", "HEAD"]))?.trim() ?? "HEAD";
  return name.startsWith("refs/") ? name : `refs/heads/${name}`;
}

function entries(output: string): readonly string[] {
  return output.split("\0").filter((entry) => entry !== "");
}
