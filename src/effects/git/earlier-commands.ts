import { posix } from "node:path";
import { type Command, knownText, type Word } from "../../shell/command.ts";
import { isGeneratedName } from "../../shell/expand/temporary-names.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";
import { lineIndex } from "../line/line-index.ts";
import { type GitCommand, has, readGitWords } from "./command.ts";

/** How the earlier commands of the line changed the repository before a call of git. */
export interface EarlierCommands {
  /** Kept in a commit or a stash by then. */
  readonly saved: ReadonlySet<"changes" | "untracked" | "ignored">;
  /** Made by the line itself: there is nothing old in it. */
  readonly fresh: boolean;
  /** What git says about files now may be wrong by then. */
  readonly disturbed: boolean;
  /** The branch that is checked out by then; undefined when it cannot be told. */
  readonly head: string | undefined;
  /** The changes of the last stash are in the work tree as well. */
  readonly applied: boolean;
}

type Kept = "changes" | "untracked" | "ignored";

const STASH: OptionSpec = {
  short: "kuaqm:pS",
  long: "keep-index no-keep-index include-untracked no-include-untracked all quiet message: patch staged pathspec-from-file: pathspec-file-nul",
};
const COMMIT: OptionSpec = {
  short: "aqvm:F:C:c:esnpS::iotu::z",
  long: "all message: file: amend no-verify dry-run patch only include reuse-message: author: date: allow-empty quiet no-edit signoff fixup: squash:",
};
const MAKING: OptionSpec = {
  short: "b:B:o:j:u:c:",
  long: "depth: branch: origin: reason: reference: jobs: config: filter: template: recurse-submodules:: shallow-since:",
};
/** How many earlier commands are examined, so that long lines stay cheap. */
const MAX_EARLIER = 50;
const SUCCESS = new Set(["&&"]);
const CHAIN = new Set(["&&", ";", "\n"]);
const NOTHING: EarlierCommands = { saved: new Set(), fresh: false, disturbed: false, head: "HEAD", applied: false };
const MOVERS = new Set(["commit", "merge", "rebase", "pull", "cherry-pick", "revert", "am", "bisect", "update-ref"]);
const DISCARDERS = new Set(["reset", "checkout", "switch", "restore", "clean", "rm", "read-tree", "checkout-index"]);
const UNSETTLED: Readonly<Record<string, (words: readonly Word[]) => boolean>> = {
  apply: () => true,
  "cherry-pick": (words) => any(words, "-n", "--no-commit"),
  merge: (words) => any(words, "--no-commit", "--squash"),
  "read-tree": () => true,
  reset: (words) => !any(words, "--hard", "--keep"),
  restore: (words) => any(words, "-S", "--staged"),
  revert: (words) => any(words, "-n", "--no-commit"),
  rm: (words) => any(words, "--cached"),
  stash: ([first]) => first?.text === "pop",
  "symbolic-ref": (words) => words.length > 1,
  "update-index": () => true,
  "update-ref": () => true,
};

export function before(git: GitCommand): EarlierCommands {
  // There is only what the line puts there.
  if (!git.displaced && git.folders.every((folder) => folder !== undefined && isGeneratedName(folder)))
    return { ...NOTHING, fresh: true };
  const { commands } = git.scene.shell;
  const end = lineIndex(git.scene.shell).positions.get(git.command) ?? -1;
  if (end <= 0) return NOTHING;
  let state = NOTHING;
  let added = false;
  const start = Math.max(0, end - MAX_EARLIER);
  const [ended, broken] = [SUCCESS, CHAIN].map((connectors) => lastBreak(commands, start, end, connectors));
  for (const [offset, command] of commands.slice(start, end).entries()) {
    if (command.program !== "git") continue;
    const earlier = readGitWords(command, git.scene);
    if (!earlier) continue;
    const at = start + offset;
    const stands = command.within.length === 0 && !command.negated;
    // A clone fails where the folder is there already, and a stash hardly ever does.
    if (stands && (ended ?? -1) <= at && isFresh(earlier, git)) return { ...NOTHING, fresh: true };
    const sure = stands && (broken ?? -1) <= at;
    added ||= earlier.name === "add" && any(earlier.words, "-A", "--all", ".", ":/");
    state = after(state, earlier, sure, added, git);
  }
  return state;
}

function after(
  state: EarlierCommands,
  earlier: GitCommand,
  sure: boolean,
  added: boolean,
  git: GitCommand,
): EarlierCommands {
  const { name, words } = earlier;
  if (sure && earlier.folders.join() === git.folders.join()) {
    const kept = keeps(earlier, added);
    if (kept.length > 0) {
      return {
        ...state,
        saved: new Set([...state.saved, ...kept]),
        disturbed: false,
        head: name === "commit" ? undefined : state.head,
      };
    }
  }
  if (Object.hasOwn(UNSETTLED, name) && UNSETTLED[name]?.(words))
    return { ...state, saved: new Set(), disturbed: true, applied: false };
  // The stash keeps what it puts into the work tree; what is lost is what was there before.
  if (name === "stash" && words[0]?.text === "apply") return { ...state, applied: sure && words.length === 1 };
  if (DISCARDERS.has(name) && state.applied) return after({ ...state, applied: false }, earlier, sure, added, git);
  if (name === "checkout" || name === "switch") return { ...state, head: switchedTo(words) };
  return MOVERS.has(name) ? { ...state, head: undefined } : state;
}

/**
 * The last command that is joined by another connector than these. What stands at it or after it ran and succeeded, or
 * could hardly fail.
 */
function lastBreak(commands: readonly Command[], start: number, end: number, connectors: ReadonlySet<string>): number {
  for (let at = end; at > start; at--) {
    const command = commands[at];
    if (command && !connectors.has(command.joined) && command.joined !== "" && command.via === undefined) return at;
  }
  return -1;
}

function isFresh({ name, words, folders }: GitCommand, git: GitCommand): boolean {
  const [folder, other] = folders;
  if (folder === undefined || other !== undefined || (name !== "clone" && name !== "worktree")) return false;
  const { operands } = readOptions(words, MAKING, true);
  const [first, second] = operands[0]?.text === "add" ? operands.slice(1) : operands;
  const made =
    name === "clone"
      ? (second ?? named(first))
      : name === "worktree" && operands[0]?.text === "add"
        ? first
        : undefined;
  const path = knownText(made);
  if (path === undefined) return false;
  const whole = posix.resolve(folder, path);
  return git.folders.length > 0 && git.folders.every((at) => at === whole || at?.startsWith(`${whole}/`));
}

/** The folder a clone makes when it is not told one. */
function named(address: Word | undefined): Word | undefined {
  if (!address?.known) return undefined;
  const last = address.text.replace(/\/+$/, "").split(/[/:]/).at(-1) ?? "";
  const text = last.endsWith(".git") ? last.slice(0, -4) : last;
  return text === "" ? undefined : { text, known: true };
}

function keeps({ name, words }: GitCommand, added: boolean): readonly Kept[] {
  if (name === "commit") {
    const options = readOptions(words, COMMIT, true);
    if (has(options, "dry-run patch p") || options.operands.length > 0) return [];
    return added ? ["changes", "untracked"] : has(options, "a all") ? ["changes"] : [];
  }
  if (name !== "stash") return [];
  const [first, ...rest] = words;
  if (first && !/^(?:-.*|push|save)$/.test(first.text)) return [];
  const options = readOptions(first?.text.startsWith("-") ? words : rest, STASH, true);
  const partial = has(options, "p patch S staged pathspec-from-file") || options.doubtful;
  if (partial || (first?.text !== "save" && options.operands.length > 0)) return [];
  if (has(options, "a all")) return ["changes", "untracked", "ignored"];
  return has(options, "u include-untracked") ? ["changes", "untracked"] : ["changes"];
}

function switchedTo(words: readonly Word[]): string | undefined {
  const [only, more] = words;
  return only?.known && !more && /^[\w][\w./-]*$/.test(only.text) ? only.text : undefined;
}

function any(words: readonly Word[], ...texts: readonly string[]): boolean {
  return words.some(({ text }) => texts.includes(text));
}
