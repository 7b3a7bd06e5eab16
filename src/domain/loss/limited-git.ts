import type { GitRun } from "../git-loss.ts";

/** Every question starts a git process, and the agent waits for all of them. */
const MOST_QUESTIONS = 60;

/** Git that stops answering after MOST_QUESTIONS different questions for one command line. */
export interface LimitedGit {
  readonly git: GitRun;
  /** A question was refused: no answer since then may be used. */
  readonly isCutOff: boolean;
}

/** A repeated question counts once: its answer comes from the recorded facts, without another process. */
export function withQuestionLimit(git: GitRun): LimitedGit {
  const asked = new Set<string>();
  let isCutOff = false;
  return {
    git(folder, args) {
      asked.add(`${folder}\0${args.join("\0")}`);
      if (asked.size <= MOST_QUESTIONS) return git(folder, args);
      isCutOff = true;
      return Promise.resolve({ code: null, stdout: "" });
    },
    get isCutOff() {
      return isCutOff;
    },
  };
}
