import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";
import { OMC } from "../omc-folder/omc-folder.ts";

/** What oh-my-claudecode's hooks expect in a project. */
export const FOLDERS = ["state", "logs", "notepads", "state/checkpoints", "plans"] as const;

type Parts = readonly [string, ...string[]];

export interface FolderPlan {
  /** Folders that have to be made, as `.omc/…`, parents first. */
  readonly missing: readonly string[];
  /** What stands where a folder should be, as `.omc/…`. A link could lead anywhere, so nothing is made below one. */
  readonly blocked: readonly string[];
}

export function planFolders(project: string, info: (file: string) => FileInfo | undefined): FolderPlan {
  const missing: string[] = [];
  const blocked: string[] = [];
  for (const folder of [OMC, ...FOLDERS.map((name) => `${OMC}/${name}`)]) {
    if (blocked.some((above) => folder.startsWith(`${above}/`))) continue;
    const kind = info(path.join(project, folder))?.kind;
    if (kind === undefined) missing.push(folder);
    else if (kind !== "directory") blocked.push(folder);
  }
  return { missing, blocked };
}

/** What was done, as a sentence; empty when nothing could be. */
export function doneText({ missing, blocked }: FolderPlan): string {
  if (missing.length > 0) return `Setup of .omc: made ${missing.join(", ")}.`;
  return blocked.length > 0 ? "" : `Setup of .omc: its ${FOLDERS.length} folders were there.`;
}

/** The file by which a folder is made, and which keeps what is in it out of `git status`. */
export function ignoreFileOf(project: string, folder: string): Parts {
  return [project, ...folder.split("/"), ".gitignore"];
}

export const IGNORES_ALL = "*\n";

/** Why nothing can be done in a project's `.omc`, as a sentence; empty when it can. */
export function unusableOmc(project: string, info: (file: string) => FileInfo | undefined): string {
  const kind = info(path.join(project, OMC))?.kind ?? "directory";
  return kind === "directory" ? "" : `${path.join(project, OMC)} is no plain folder, so nothing was done in it.`;
}
