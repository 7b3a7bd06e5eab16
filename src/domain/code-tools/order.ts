import type { WantedTools } from "./tools.ts";

export const CHECK_JOB = "code-tools/check";

/** A type alias, because the arguments of a job are JSON. */
export type CheckOrder = WantedTools & {
  readonly agent: string;
  readonly session: string;
  readonly file: string;
  readonly project: string;
  /** Where the agent works: the project, or a linked worktree of it. */
  readonly cwd: string;
};

/** Is the file one of the project's own sources? Folders that begin with a dot are settings of tools. */
export function isOwnSource(name: string): boolean {
  const folders = name.split("/").slice(0, -1);
  return !name.startsWith("../") && !folders.some((part) => part.startsWith(".") || part === "node_modules");
}
