import type { Command, Word } from "../../shell/command.ts";
import { subcommandOf } from "../../shell/launch/subcommand.ts";
import { type OptionReading, type OptionSpec, readOptions } from "../../shell/options.ts";

/** A command that the one-strike policy denies the first time, as a warning, and lets pass the next time. */
export interface Strike {
  readonly class: StrikeClass;
  /** The operands of the command, as written. */
  readonly target: string;
}

/** For each class: what the command does, and what to check first. */
export const STRIKE_CLASSES = {
  rm: { what: "deletes without asking", first: "list the files, and commit or move those you may need" },
  push: { what: "replaces commits on the remote", first: "fetch, and look at the commits that others have pushed" },
  reset: { what: "discards uncommitted changes", first: "look at the status, and commit the changes you may need" },
  clean: { what: "deletes files that git does not track", first: "list these files with a dry run" },
  checkout: { what: "overwrites uncommitted changes", first: "look at the diff, and commit the changes you may need" },
  restore: { what: "overwrites uncommitted changes", first: "look at the diff, and commit the changes you may need" },
  stash: {
    what: "moves uncommitted changes into or out of the stash, where they are easily lost",
    first: "look at the status, or commit the changes on a branch instead",
  },
  switch: { what: "discards uncommitted changes", first: "look at the status, and commit the changes you may need" },
  branch: {
    what: "deletes a branch whose commits may exist nowhere else",
    first: "check whether the commits are merged",
  },
} as const;

export type StrikeClass = keyof typeof STRIKE_CLASSES;

const RM: OptionSpec = {
  short: "rRfidvI",
  long: "recursive force interactive:: dir verbose one-file-system no-preserve-root preserve-root:: help version",
};
/** Operands that mean a whole folder or the whole tree. */
const ALL = new Set([".", "./", ":/", ":", "*", ":(top)"]);

/** The class of a command; undefined for one that needs no warning. */
export function strikeOf(command: Command): Strike | undefined {
  const { program, argv, uncertain } = command;
  // The body of a function that is never called.
  if (uncertain.includes("uncalled")) return undefined;
  if (program === "rm") return removal(argv.slice(1));
  if (program === "find" && argv.some(({ text }) => text === "-delete")) {
    return { class: "rm", target: argv[1]?.text ?? "" };
  }
  return program === "git" ? gitStrike(command) : undefined;
}

function removal(words: readonly Word[]): Strike | undefined {
  const options = readOptions(words, RM, true);
  if (has(options, "help version") || !has(options, "r R recursive f force")) return undefined;
  return { class: "rm", target: operandsText(options.operands) };
}

type GitClass = Exclude<StrikeClass, "rm">;

const GIT: Readonly<Record<GitClass, OptionSpec & { isStrike(options: OptionReading): boolean }>> = {
  push: {
    short: "vqnfu46o:d",
    long: "force force-with-lease:: force-if-includes mirror dry-run delete tags all prune set-upstream no-verify atomic follow-tags quiet verbose porcelain progress thin push-option: repo: signed:: recurse-submodules: receive-pack: exec:",
    isStrike: (options) =>
      !has(options, "n dry-run") &&
      (has(options, "f force mirror") || options.operands.some(({ text }) => text.startsWith("+"))),
  },
  reset: {
    short: "qpNU:",
    long: "hard merge keep soft mixed quiet patch no-refresh refresh recurse-submodules:: pathspec-from-file:",
    isStrike: (options) => has(options, "hard merge keep"),
  },
  clean: {
    short: "dfinqe:xX",
    long: "force interactive dry-run quiet exclude:",
    isStrike: (options) => has(options, "f force") && !has(options, "n dry-run"),
  },
  checkout: {
    short: "qfb:B:ltdpm",
    long: "force quiet orphan: detach track:: no-track guess no-guess ours theirs merge conflict: patch pathspec-from-file: overlay no-overlay ignore-skip-worktree-bits",
    isStrike: (options) => has(options, "f force") || options.operands.some(({ text }) => ALL.has(text)),
  },
  restore: {
    short: "s:pWSq",
    long: "source: patch worktree staged quiet ours theirs merge conflict: ignore-unmerged ignore-skip-worktree-bits overlay no-overlay pathspec-from-file:",
    isStrike: (options) =>
      options.operands.some(({ text }) => ALL.has(text)) && (!has(options, "S staged") || has(options, "W worktree")),
  },
  stash: {
    short: "pkuaqm:S",
    long: "patch keep-index no-keep-index include-untracked all quiet message: staged index pathspec-from-file:",
    isStrike: ({ operands }) => !["list", "show"].includes(operands[0]?.text ?? ""),
  },
  switch: {
    short: "c:C:dfmqt",
    long: "create: force-create: detach force discard-changes merge quiet orphan: guess no-guess track:: conflict:",
    isStrike: (options) => has(options, "f force discard-changes"),
  },
  branch: {
    short: "dDfmMcCrailvqtu:",
    long: "delete force move copy remotes all list verbose quiet track:: set-upstream-to: unset-upstream contains:: merged:: sort: format: show-current",
    isStrike: (options) => has(options, "D") || (has(options, "d delete") && has(options, "f force")),
  },
};

function gitStrike(command: Command): Strike | undefined {
  const sub = subcommandOf(command);
  const name = sub?.name ?? "";
  if (!sub || !Object.hasOwn(GIT, name)) return undefined;
  const git = GIT[name as GitClass];
  if (sub.words.some(({ text }) => text === "-h" || text === "--help")) return undefined;
  const options = readOptions(sub.words, git, true);
  if (!git.isStrike(options)) return undefined;
  return { class: name as GitClass, target: operandsText(options.operands) };
}

function has(options: OptionReading, names: string): boolean {
  return names.split(" ").some((name) => options.given.has(name));
}

function operandsText(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(" ");
}
