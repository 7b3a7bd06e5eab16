import type { Command, Word } from "../../shell/command.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";
import { type GitFamily, has, isFed, pipeBefore, valueGiven } from "./command.ts";
import { losesBranches, losesFiles } from "./losses.ts";

const CHECKOUT: OptionSpec = {
  short: "b:B:fqlptu23mdU:",
  long: "quiet progress no-progress force no-force ours theirs track:: no-track detach guess no-guess orphan: ignore-skip-worktree-bits merge conflict: patch no-patch ignore-other-worktrees overwrite-ignore no-overwrite-ignore recurse-submodules:: no-recurse-submodules overlay no-overlay pathspec-from-file: pathspec-file-nul",
};
const RESTORE: OptionSpec = {
  short: "s:SWpq23mU:",
  long: "source: staged worktree no-staged no-worktree patch quiet progress no-progress ours theirs merge conflict: ignore-unmerged ignore-skip-worktree-bits recurse-submodules:: no-recurse-submodules overlay no-overlay pathspec-from-file: pathspec-file-nul",
};
const SWITCH: OptionSpec = {
  short: "c:C:dftmq",
  long: "create: force-create: detach guess no-guess force discard-changes merge conflict: quiet progress no-progress track:: no-track orphan: ignore-other-worktrees recurse-submodules:: no-recurse-submodules overwrite-ignore no-overwrite-ignore",
};
/** Both sides of a conflict are in commits; what is lost is how it was resolved, and that only where much is named. */
const CONFLICT = "ours theirs merge conflict 2 3 m";
const WHOLE = /^(?:\.{1,2}\/?|:\/|:|\*|:\(top\).*|\/)$/;
const WHY_FILES = "replaces changed files with their kept version";
const WHY_ALL = "discards every uncommitted change to tracked files";
export const WHY_BRANCH = "moves a branch, so that its commits may be lost";

/** Endings that a file has and the name of a branch has not. */
const ENDINGS = new Set(
  "astro bash bat c cc cfg clj cjs conf cpp cs css csv cts cxx dart dockerfile ejs elm env erl ex exs gitignore go gradle graphql groovy h hbs hcl hpp hs htm html ini ipynb java jl jpg js json jsonc jsx key kt kts less lock log lua m md mdx mjs mk ml mts nix patch pdf php pl plist png prisma properties proto ps1 py pyi r rb rs rst sass scala scss sh sln sql svelte svg swift tex tf tfvars toml ts tsv tsx txt vue xml yaml yml zig zsh".split(
    " ",
  ),
);
const FILE_NAMES = new Set(
  "Makefile Dockerfile Gemfile Rakefile Procfile Jenkinsfile Vagrantfile LICENSE README CHANGELOG".split(" "),
);
const REVISION = /^(?:HEAD|@|FETCH_HEAD|ORIG_HEAD|stash@\{)/;
const LISTS_FILES = new Set(["ls-files", "diff", "status", "diff-files", "diff-index"]);

export const CHECKOUTS: Readonly<Record<string, GitFamily>> = {
  checkout(git) {
    const end = git.words.findIndex(({ known, text }) => known && text === "--");
    const head = end < 0 ? git.words : git.words.slice(0, end);
    const options = readOptions(head, CHECKOUT, true);
    if (has(options, "p patch"))
      return isFed(git.command) ? losesFiles(git, { why: WHY_FILES, loses: ["changes"] }) : [];
    const moved = valueGiven(options, "B");
    const branch = moved
      ? losesBranches(git, { why: WHY_BRANCH, branches: [moved], possible: true, mayBeNew: true })
      : [];
    const list = has(options, "pathspec-from-file");
    const creates = has(options, "b B orphan track t l d detach");
    const paths =
      list || creates ? [] : pathsOf(options.operands, end < 0 ? undefined : git.words.slice(end + 1), git.command);
    if ((list || paths.length > 0) && (!has(options, CONFLICT) || paths.some(({ text }) => WHOLE.test(text)))) {
      const source = options.operands.length > (end < 0 ? paths.length : 0);
      return losesFiles(git, { why: WHY_FILES, loses: [source ? "changes" : "unstaged"], ...(!list && { paths }) });
    }
    if (!has(options, "f force") || paths.length > 0) return branch;
    return [...losesFiles(git, { why: WHY_ALL, loses: ["changes"] }), ...branch];
  },
  restore(git) {
    const options = readOptions(git.words, RESTORE, true);
    const staged = has(options, "S staged");
    const patch = has(options, "p patch");
    const side = has(options, CONFLICT) && !options.operands.some(({ text }) => WHOLE.test(text));
    if ((patch && !isFed(git.command)) || side) return [];
    if (staged && !has(options, "W worktree")) return [];
    const list = has(options, "pathspec-from-file");
    if (!list && !patch && options.operands.length === 0) return [];
    const loses = staged || has(options, "s source") ? ("changes" as const) : ("unstaged" as const);
    return losesFiles(git, { why: WHY_FILES, loses: [loses], ...(!list && !patch && { paths: options.operands }) });
  },
  switch(git) {
    const options = readOptions(git.words, SWITCH, true);
    const moved = valueGiven(options, "C force-create");
    return [
      ...(has(options, "f force discard-changes") ? losesFiles(git, { why: WHY_ALL, loses: ["changes"] }) : []),
      ...(moved ? losesBranches(git, { why: WHY_BRANCH, branches: [moved], possible: true, mayBeNew: true }) : []),
    ];
  },
};

/** The files that a checkout takes back; none when it goes to a branch, or when its words could be one. */
function pathsOf(operands: readonly Word[], named: readonly Word[] | undefined, command: Command): readonly Word[] {
  if (named) return named;
  const [first, ...rest] = operands;
  if (!first) return [];
  if (rest.length === 0) {
    if (looksLikePath(first)) return [first];
    return first.many && /^$|^\$\(|^`/.test(first.text) && listsFiles(command) ? [first] : [];
  }
  if (first.many && !first.glob) return rest.filter(looksLikePath);
  // With a second word the first is a commit or one more path: something is taken back in any case.
  if (looksLikePath(first)) return operands;
  return rest.every((word) => word.known || word.glob) || rest.some(looksLikePath) ? rest : [];
}

function looksLikePath(word: Word): boolean {
  if (word.glob) return true;
  const text = word.known ? word.text : (word.base ?? "");
  if (REVISION.test(text) || text === "-") return false;
  if (/^(?:\.{1,2}(?:\/|$)|\/|:[/(!^])/.test(text) || text.endsWith("/") || /[*?]/.test(text)) return true;
  const name = text.slice(text.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return FILE_NAMES.has(name) || (dot >= 0 && ENDINGS.has(name.slice(dot + 1).toLowerCase()));
}

/** Through xargs, or in `$(…)`: what comes in are names of files that git lists. */
function listsFiles(command: Command): boolean {
  return [...pipeBefore(command), ...command.inner].some(
    ({ program, args }) => program === "git" && args.some((word) => LISTS_FILES.has(word ?? "")),
  );
}
