import type { GitRun } from "../git-loss.ts";

/** Each is a process of its own, and an agent waits for all of them. */
const MOST_QUESTIONS = 60;

/** Git as long as it is not asked too much for one line. */
export interface PatientGit {
  readonly git: GitRun;
  /** Something was not asked: nothing that git said since then is worth anything. */
  readonly isCutOff: boolean;
}

/** The same question is asked once, by whoever keeps the facts, so it counts once. */
export function patiently(git: GitRun): PatientGit {
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
