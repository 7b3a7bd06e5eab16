import type { GitQuestion } from "../shell/effects/effect.ts";
export type GitRun = (
  folder: string,
  args: readonly string[],
) => Promise<{ readonly code: number | null; readonly stdout: string }>;
export async function gitLoss(_q: GitQuestion, _run: GitRun): Promise<"nothing" | "something" | "unknown"> {
  return "unknown";
}
export async function trackedAndClean(_p: readonly string[], _f: string, _run: GitRun): Promise<boolean> {
  return false;
}
