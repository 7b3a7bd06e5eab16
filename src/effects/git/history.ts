import type { Command, Word } from "../../shell/command.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";
import { type Effect, effect, type Family } from "../effect.ts";
import { type GitCommand, type GitFamily, has, isOn, pipeBefore, valueGiven } from "./command.ts";
import { losesBranches, losesRefs } from "./losses.ts";

const SPECS = {
  branch: {
    short: "vqtu:rdDmMcClafi",
    long: "verbose quiet track:: set-upstream-to: unset-upstream color:: no-color remotes contains: no-contains: abbrev:: no-abbrev all delete move copy list show-current create-reflog edit-description force no-force merged:: no-merged:: column:: no-column sort: points-at: ignore-case recurse-submodules format: omit-empty",
  },
  tag: {
    short: "asfdvlm:F:u:n::ieq",
    long: "annotate sign no-sign force delete verify list message: file: local-user: cleanup: edit no-edit create-reflog column:: no-column contains: no-contains: merged:: no-merged:: sort: points-at: format: color:: ignore-case quiet",
  },
  updateRef: { short: "m:dz", long: "create-reflog no-deref deref stdin" },
  reflog: {
    short: "nq",
    long: "dry-run rewrite updateref stale-fix expire: expire-unreachable: verbose all single-worktree quiet",
  },
  gc: {
    short: "q",
    long: "quiet prune:: no-prune aggressive auto force detach no-detach keep-largest-pack cruft no-cruft max-cruft-size:",
  },
  prune: { short: "nv", long: "dry-run verbose progress no-progress expire: exclude-promisor-objects" },
  filterRepo: { long: "analyze dry-run version help debug force" },
  fetch: {
    short: "vqaufmpPtknj:46o:",
    long: "verbose quiet all append atomic upload-pack: force no-force multiple tags no-tags jobs: prefetch prune prune-tags dry-run porcelain write-fetch-head keep update-head-ok progress depth: shallow-since: shallow-exclude: deepen: unshallow refetch update-shallow refmap: server-option: filter: auto-maintenance recurse-submodules:: set-upstream negotiation-tip: ipv4 ipv6",
  },
} satisfies Record<string, OptionSpec>;
/** At once, or nearly: nothing of what was lost by mistake is left. */
const SOON =
  /^(?:now|all|today|0|[\d.]*(?:second|minute|hour)s?(?:\.ago)?|\d+\.?(?:second|minute|hour)s?(?:[. ]ago)?)$/;
/** A branch is given the name that hosts tell everybody to give the first one. */
const FIRST_NAMES = new Set(["main", "master", "trunk", "develop"]);
const COPY_FIRST = "work on a fresh clone, so that the old commits are kept in the original";
const LET_EXPIRE = "do not run this: git deletes old entries automatically";

export const HISTORY: Readonly<Record<string, GitFamily>> = {
  branch,
  tag(git) {
    const options = readOptions(git.words, SPECS.tag, true);
    const { operands } = options;
    if (has(options, "d delete")) return losesRefs(git, "deletes tags", "refs/tags/", operands);
    if (!has(options, "f force") || has(options, "l list v verify")) return [];
    return losesRefs(git, "moves a tag to another commit", "refs/tags/", operands.slice(0, 1));
  },
  "update-ref": updateRef,
  reflog(git) {
    const [action, ...words] = git.words;
    const options = readOptions(words, SPECS.reflog, true);
    if (isOn(options, words, "n dry-run", "no-dry-run")) return [];
    if ((action?.text === "delete" && options.operands.length > 0) || action?.text === "drop")
      return [rewrite(git, "deletes entries of the reflog", options.operands)];
    if (action?.text !== "expire" || !isSoon(valueGiven(options, "expire"), valueGiven(options, "expire-unreachable")))
      return [];
    return [rewrite(git, "empties the reflog, which is needed to recover lost commits", options.operands, LET_EXPIRE)];
  },
  gc(git) {
    const options = readOptions(git.words, SPECS.gc, true);
    const kept = has(options, "no-prune");
    const configured = ["gc.pruneexpire", "gc.reflogexpire", "gc.reflogexpireunreachable"].map((key) =>
      git.settings.get(key),
    );
    if (kept || !isSoon(options.given.get("prune")?.at(-1), ...configured)) return [];
    return [rewrite(git, "deletes unreachable commits for good", [], LET_EXPIRE)];
  },
  prune(git) {
    const options = readOptions(git.words, SPECS.prune, true);
    const when = valueGiven(options, "expire");
    if (has(options, "n dry-run") || (when && !isSoon(when))) return [];
    return [rewrite(git, "deletes unreachable commits for good", [], LET_EXPIRE)];
  },
  "filter-branch": (git) =>
    git.words.length === 0 ? [] : [rewrite(git, "rewrites every commit of a branch", [], COPY_FIRST)],
  "filter-repo"(git) {
    const options = readOptions(git.words, SPECS.filterRepo, true);
    if (git.words.length === 0 || has(options, "analyze dry-run h")) return [];
    return [rewrite(git, "rewrites every commit of the repository", [], COPY_FIRST)];
  },
  lfs(git) {
    const [action, what] = git.words;
    if (action?.text !== "migrate" || (what?.text !== "import" && what?.text !== "export")) return [];
    if (git.words.some(({ text }) => text === "--no-rewrite")) return [];
    return [rewrite(git, "rewrites the commits that hold the files", [], COPY_FIRST)];
  },
  annex(git) {
    const [action, ...words] = git.words;
    const dropping = action?.text === "drop" || action?.text === "dropunused" || action?.text === "dropkey";
    if (!dropping || !words.some(({ text }) => text === "--force")) return [];
    return [effect("discard-uncommitted", git.command, "deletes content without a check for other copies")];
  },
  // From git-extras.
  obliterate: (git) =>
    git.words.length === 0 ? [] : [rewrite(git, "removes a file from every commit", git.words, COPY_FIRST)],
  "fast-import": (git) =>
    git.words.some(({ text }) => text === "--force")
      ? [rewrite(git, "replaces branches with the data that it reads", [], COPY_FIRST)]
      : [],
  fetch,
  pull: fetch,
};

/** BFG: rewrites history as `git filter-repo` does. */
const bfg: Family = (command) => {
  if (!command.argv.slice(1).some(({ text }) => text.startsWith("-"))) return [];
  return [effect("rewrite-history", command, "rewrites every commit of the repository", { instead: COPY_FIRST })];
};

export const REWRITERS: Readonly<Record<string, Family>> = {
  bfg,
  java(command, scene) {
    const at = command.argv.findIndex(({ text }) => text === "-jar");
    const jar = at < 0 ? "" : (command.argv[at + 1]?.text ?? "");
    return /(?:^|\/)bfg[^/]*\.jar$/.test(jar) ? bfg({ ...command, argv: command.argv.slice(at + 1) }, scene) : [];
  },
};

function branch(git: GitCommand): readonly Effect[] {
  const options = readOptions(git.words, SPECS.branch, true);
  const { operands } = options;
  const forced = isOn(options, git.words, "f force", "no-force");
  if (has(options, "r remotes") && has(options, "d D delete"))
    return losesRefs(git, "deletes the local record of a remote's branches", "refs/remotes/", operands);
  if (has(options, "r remotes a all l list show-current") || operands.length === 0) return [];
  if (has(options, "D") || (has(options, "d delete") && forced)) {
    if (operands.some((word) => !word.known) && onlyMerged(git.command)) return [];
    return losesBranches(git, {
      why: "deletes branches even if their commits exist nowhere else",
      branches: operands,
      instead: "use a lowercase -d: git then refuses if commits would be lost",
    });
  }
  if (has(options, "d delete edit-description unset-upstream u set-upstream-to merged no-merged contains no-contains"))
    return [];
  const renames = has(options, "m move c copy M C");
  if (!renames && !forced) return [];
  if (renames && !has(options, "M C") && !forced) return [];
  const moved = renames ? operands[1] : operands[0];
  if (!moved || (renames && FIRST_NAMES.has(moved.text) && FIRST_NAMES.has(operands[0]?.text ?? ""))) return [];
  return losesBranches(git, {
    why: "moves a branch, so that its commits may be lost",
    branches: [moved],
    possible: true,
    mayBeNew: true,
  });
}

/** The names come from a list of branches whose commits are in another one. */
function onlyMerged(command: Command): boolean {
  return [...command.inner, ...command.inner.flatMap(pipeBefore), ...pipeBefore(command)].some(
    ({ program, args }) => program === "git" && args.some((word) => word?.startsWith("--merged")),
  );
}

function updateRef(git: GitCommand): readonly Effect[] {
  const options = readOptions(git.words, SPECS.updateRef, true);
  const [ref, value] = options.operands;
  if (has(options, "stdin")) {
    const texts = [
      ...pipeBefore(git.command).flatMap(({ argv }) => argv),
      ...git.command.redirections.map(({ body }) => body),
    ];
    if (!texts.some((word) => word && /(?:^|[\s'"=])delete\s/.test(word.text))) return [];
    return [effect("rewrite-history", git.command, "deletes refs", { certainty: "possible" })];
  }
  if (!ref) return [];
  if (/^refs\/(?:remotes|tags|notes)\//.test(ref.text))
    return ref.known ? losesRefs(git, has(options, "d") ? "deletes a ref" : "moves a ref", "", [ref]) : [];
  if (has(options, "d"))
    return losesBranches(git, { why: "deletes a ref without a check of its commits", branches: [ref] });
  if (!value || !/^(?:HEAD$|refs\/heads\/)/.test(ref.text)) return [];
  const why = "moves a branch, so that its commits may be lost";
  return losesBranches(git, { why, branches: [ref], possible: true, mayBeNew: true });
}

/** `+a:b` writes over the local branch b. */
function fetch(git: GitCommand): readonly Effect[] {
  const options = readOptions(git.words, SPECS.fetch, true);
  if (has(options, "n dry-run") && git.name === "fetch" && has(options, "dry-run")) return [];
  const forced = has(options, "f force");
  const branches = options.operands.slice(1).flatMap((word) => {
    const colon = word.text.indexOf(":");
    const to = word.text.slice(colon + 1).replace(/^refs\/heads\//, "");
    if (colon < 0 || to === "" || to.startsWith("refs/") || !(forced || word.text.startsWith("+"))) return [];
    return [{ text: to, known: word.known && !to.includes("*") }];
  });
  if (branches.length === 0) return [];
  const why = "replaces local branches with those of a remote";
  return losesBranches(git, { why, branches, possible: true, mayBeNew: true });
}

function isSoon(...dates: readonly (Word | undefined)[]): boolean {
  return dates.some((date) => date?.known && SOON.test(date.text));
}

function rewrite(git: GitCommand, why: string, targets: readonly Word[], instead?: string): Effect {
  const target = targets.map(({ text }) => text).join(" ");
  return effect("rewrite-history", git.command, why, { target, ...(instead !== undefined && { instead }) });
}
