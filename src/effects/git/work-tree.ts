import { posix } from "node:path";
import { knownText, knownWord, type Word } from "../../shell/command.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";
import { type Effect, effect, pathsOf } from "../effect.ts";
import { movedInto } from "../files/deleting.ts";
import { lineIndex } from "../line/line-index.ts";
import { WHY_BRANCH } from "./checkout.ts";
import {
  type GitCommand,
  type GitFamily,
  has,
  isFalse,
  isFed,
  isOn,
  isPlainDiff,
  pipeBefore,
  valueGiven,
} from "./command.ts";
import { before } from "./earlier-commands.ts";
import { losesBranches, losesFiles } from "./losses.ts";

const SPECS = {
  reset: {
    short: "qpNU:",
    long: "quiet no-quiet mixed soft hard merge keep recurse-submodules:: no-recurse-submodules patch intent-to-add no-refresh refresh pathspec-from-file: pathspec-file-nul",
  },
  clean: { short: "qnfide:xX", long: "quiet dry-run no-dry-run force no-force interactive exclude:" },
  checkoutIndex: {
    short: "aufqnz",
    long: "all force quiet no-create index stdin temp prefix: stage: ignore-skip-worktree-bits",
  },
  readTree: {
    short: "mniuvq",
    long: "index-output: empty verbose merge trivial aggressive reset prefix: exclude-per-directory: dry-run no-sparse-checkout debug-unpack recurse-submodules:: quiet",
  },
  rm: {
    short: "nqfr",
    long: "dry-run quiet cached force ignore-unmatch sparse pathspec-from-file: pathspec-file-nul",
  },
  mv: { short: "vnfk", long: "verbose dry-run force sparse" },
  apply: {
    short: "Rp:C:NqvV3z",
    long: "reverse check stat numstat summary cached index apply exclude: include: directory: no-add 3way reject unsafe-paths whitespace: recount allow-empty",
  },
  worktree: {
    short: "fdb:B:qv",
    long: "force detach checkout no-checkout lock reason: orphan quiet track guess-remote",
  },
  submodule: {
    short: "fqNb:j:",
    long: "force all init no-fetch remote checkout merge rebase recursive reference: depth: jobs: quiet single-branch recommend-shallow no-recommend-shallow progress filter:",
  },
} satisfies Record<string, OptionSpec>;
const WHY_ALL = "discards every uncommitted change to tracked files";
/** Of several the last one counts. */
const MODE = /^--(?:h|s|mi|me|k)/;
/** The commit that is checked out already. */
const HERE = /^(?:HEAD|@)(?:[~^]0|@\{0\})?$/;
export const WORK_TREE: Readonly<Record<string, GitFamily>> = {
  reset,
  clean,
  stash,
  "checkout-index"(git) {
    const options = readOptions(git.words, SPECS.checkoutIndex, true);
    const all = has(options, "a all stdin");
    if (!has(options, "f force") || has(options, "prefix temp n no-create")) return [];
    if (!all && options.operands.length === 0) return [];
    const why = "writes the staged version over changed files";
    return losesFiles(git, { why, loses: ["unstaged"], ...(!all && { paths: options.operands }) });
  },
  "read-tree"(git) {
    const options = readOptions(git.words, SPECS.readTree, true);
    if (!has(options, "reset") || !has(options, "u") || has(options, "n dry-run")) return [];
    return losesFiles(git, { why: WHY_ALL, loses: ["changes"] });
  },
  rm(git) {
    const options = readOptions(git.words, SPECS.rm, true);
    if (!has(options, "f force") || has(options, "n dry-run cached")) return [];
    const list = has(options, "pathspec-from-file");
    if (!list && options.operands.length === 0) return [];
    const why = "deletes files even where they have uncommitted changes";
    return losesFiles(git, {
      why,
      loses: ["changes"],
      instead: "run it without force: git then refuses if something would be lost",
      ...(!list && { paths: options.operands }),
    });
  },
  mv(git) {
    const options = readOptions(git.words, SPECS.mv, true);
    const to = options.operands.at(-1);
    if (!has(options, "f force") || has(options, "n dry-run") || !to || options.operands.length !== 2) return [];
    if (to.text.endsWith("/") || git.command.remote) return [];
    const why = "replaces the file at the target";
    return pathsOf(to, { ...git.command, cwds: foldersOf(git) }, git.scene).map((place) =>
      effect("overwrite", git.command, why, { ...place, ifExists: true, instead: "move it without force" }),
    );
  },
  apply(git) {
    const options = readOptions(git.words, SPECS.apply, true);
    if (has(options, "check stat numstat summary cached")) return [];
    const reverse = has(options, "R reverse");
    // `git apply -R <(git diff)` reads the same.
    const own = [...pipeBefore(git.command), ...git.command.inner].some((one) =>
      reverse ? one.program === "git" && one.args.includes("diff") : isPlainDiff(one, false),
    );
    return own ? losesFiles(git, { why: "reverts uncommitted changes", loses: ["changes"] }) : [];
  },
  worktree(git) {
    const [action, ...words] = git.words;
    const options = readOptions(words, SPECS.worktree, true);
    const moved = action?.text === "add" ? valueGiven(options, "B") : undefined;
    if (moved) return losesBranches(git, { why: WHY_BRANCH, branches: [moved], possible: true, mayBeNew: true });
    if (action?.text !== "remove" || !has(options, "f force")) return [];
    return losesFiles(git, {
      why: "deletes a work tree with its uncommitted changes",
      target: options.operands.map(({ text }) => text).join(" "),
      loses: ["changes", "untracked"],
      instead: "run it without force: git then refuses if something would be lost",
      tree: treesOf(git, options.operands[0]),
      possible: options.operands.some((word) => !word.known),
    });
  },
  submodule(git) {
    const at = git.words.findIndex(({ text }) => !text.startsWith("-"));
    const action = git.words[at]?.text;
    const options = readOptions(git.words.slice(at + 1), SPECS.submodule, true);
    if ((action !== "deinit" && action !== "update") || !has(options, "f force")) return [];
    const [only, more] = options.operands;
    return losesFiles(git, {
      why: "discards uncommitted changes in submodules",
      target: options.operands.map(({ text }) => text).join(" "),
      loses: action === "deinit" ? ["changes", "untracked"] : ["changes"],
      tree: more || !only || only.text === "." ? [undefined] : treesOf(git, only),
    });
  },
};

function reset(git: GitCommand) {
  const options = readOptions(git.words, SPECS.reset, true);
  const mode = git.words.findLast(({ text }) => MODE.test(text))?.text;
  const [commit] = options.operands;
  const hard = has(options, "hard") && mode?.startsWith("--h");
  const merge = has(options, "merge") && mode?.startsWith("--me");
  const keep = has(options, "keep") && mode?.startsWith("--k");
  if (!hard && !merge && !keep) return [];
  const files = keep
    ? []
    : losesFiles(git, {
        why: hard ? WHY_ALL : "discards staged changes",
        loses: ["changes"],
        target: commit?.text ?? "",
      });
  if (!commit || HERE.test(commit.text)) return files;
  const why = "moves the branch, so that its commits may be lost";
  return [...files, ...losesBranches(git, { why, branches: [knownWord("HEAD")], target: commit.text, possible: true })];
}

function clean(git: GitCommand) {
  const options = readOptions(git.words, SPECS.clean, true);
  const setting = git.settings.get("clean.requireforce");
  const interactive = has(options, "i interactive");
  const forced = isOn(options, git.words, "f force", "no-force") || isFalse(setting) || interactive;
  if (!forced || isOn(options, git.words, "n dry-run", "no-dry-run") || (interactive && !isFed(git.command))) return [];
  const ignored = has(options, "x X") || git.settings.has("core.excludesfile");
  const paths = options.operands.length > 0 ? options.operands : [knownWord(".")];
  const lost = losesFiles(git, {
    why: has(options, "X")
      ? "deletes ignored files"
      : ignored
        ? "deletes untracked and ignored files"
        : "deletes untracked files",
    target: options.operands.map(({ text }) => text).join(" "),
    loses: has(options, "X") ? ["ignored"] : ignored ? ["untracked", "ignored"] : ["untracked"],
    paths,
    instead: "list the files first with the dry run of git clean, or commit them on a branch",
  });
  return lost.length === 0 ? lost : [...lost, ...broughtIn(git)];
}

/** What the line moved into the work tree from elsewhere, which git does not know yet when it is asked. */
function broughtIn(git: GitCommand): readonly Effect[] {
  const folders = git.folders.filter((folder) => folder !== undefined);
  const adds = git.scene.shell.commands.some(({ program, args }) => program === "git" && args.includes("add"));
  if (adds || lineIndex(git.scene.shell).moves.length === 0) return [];
  const moved = movedInto("delete-file", folders.map(knownWord), git.command, git.scene);
  return moved.filter(({ path = "" }) => path !== "" && !folders.some((folder) => path.startsWith(`${folder}/`)));
}

function stash(git: GitCommand) {
  const [action, ...rest] = git.words;
  const which = rest.find(({ text }) => !text.startsWith("-"));
  const name = knownText(action);
  if (name !== "drop" && name !== "clear") return [];
  if (name === "drop" && before(git).applied && !which) return [];
  return git.folders.map((folder) =>
    effect("discard-uncommitted", git.command, name === "clear" ? "deletes every stash" : "deletes a stash", {
      target: name === "clear" ? "" : (which?.text ?? "stash@{0}"),
      instead: "look at what it holds first, with the subcommand show",
      // There is nothing to ask: a stash that can be dropped holds something.
      git: { folder: git.displaced ? undefined : folder, loses: [], only: [] },
    }),
  );
}

function treesOf(git: GitCommand, word: Word | undefined): readonly (string | undefined)[] {
  if (!word?.known) return [undefined];
  return git.folders.map((folder) =>
    folder === undefined && !word.text.startsWith("/") ? undefined : posix.resolve(folder ?? "/", word.text),
  );
}

function foldersOf(git: GitCommand): readonly string[] | undefined {
  const found = git.folders.filter((folder) => folder !== undefined);
  return found.length === git.folders.length ? found : undefined;
}
