import { knownText } from "../../shell/command.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";
import { walkedBefore } from "../line/succeeded.ts";
import { type GitCommand, has, readGitWords, valueGiven } from "./command.ts";

const BRANCH: OptionSpec = {
  short: "qtfvdDmMcCralu:",
  long: "quiet track:: no-track create-reflog force set-upstream-to:",
};
const CHECKOUT: OptionSpec = { short: "b:qt", long: "quiet track:: no-track" };
const SWITCH: OptionSpec = { short: "c:qt", long: "create: quiet track:: no-track" };
const WORKTREE: OptionSpec = { short: "b:qdf", long: "quiet track no-track detach checkout no-checkout lock reason:" };
/** With these a commit that was nowhere before gets under a branch, or a branch gets another one's commits. */
const FILLS = new Set(["commit", "am", "update-ref", "reset", "fast-import", "commit-tree", "rebase"]);

/** Branches that the line itself made for sure and put nothing of its own in: git makes none that is there already. */
export function createdBranches(git: GitCommand): ReadonlySet<string> {
  const made = new Set<string>();
  for (const { command, isSure } of walkedBefore(git.command, git.scene.shell)) {
    const earlier = command.program === "git" ? readGitWords(command, git.scene) : undefined;
    if (!earlier) continue;
    // Found from the last one on: what is made before it may hold new work by now.
    if (FILLS.has(earlier.name) || movesBranch(earlier)) break;
    if (!isSure) continue;
    const name = earlier.folders.join() === git.folders.join() ? madeBy(earlier) : undefined;
    if (name !== undefined) made.add(name);
  }
  return made;
}

function madeBy({ name, words }: GitCommand): string | undefined {
  if (name === "branch") {
    const options = readOptions(words, BRANCH, true);
    const isMaking = !options.doubtful && !has(options, "f force d D m M c C r a l u set-upstream-to v");
    return isMaking ? knownText(options.operands[0]) : undefined;
  }
  if (name === "checkout") return knownText(valueGiven(readOptions(words, CHECKOUT, true), "b"));
  if (name === "switch") return knownText(valueGiven(readOptions(words, SWITCH, true), "c create"));
  if (name !== "worktree" || words[0]?.text !== "add") return undefined;
  return knownText(valueGiven(readOptions(words.slice(1), WORKTREE, true), "b"));
}

function movesBranch({ name, words }: GitCommand): boolean {
  if (name !== "branch" && name !== "checkout" && name !== "switch" && name !== "fetch") return false;
  return words.some(({ text }) => /^(?:-\w*[BCMmf]|--(?:force|move|copy)|\+)/.test(text));
}
