import path from "node:path";

const OMC = ".omc";
const STATE = "state";
const NAME = ".gitignore";
const EVERYTHING = "*\n";
/** In a folder of others that has our notepad. */
export const NOTEPAD_ONLY = "/notepad.md\n/.gitignore\n";
/** Our files, by folder. For a folder that has files of others too, which git shows as before. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  [STATE]: [
    ...["/*-state.json*", "/sessions/", "/swarm-*", "/checkpoints/"],
    ...["/subagent-tracking.json*", "/agent-replay-*.jsonl*"],
  ],
  logs: ["/delegation-audit.jsonl*"],
  sessions: ["/*.json*"],
};

export interface IgnoreFile {
  readonly parts: readonly [string, ...string[]];
  readonly text: string;
}

/**
 * What has to be written before other files in this folder of `.omc`, so that `git status` stays as it was: a folder
 * that we make ignores everything in it, itself included. Undefined when nothing has to be.
 */
export function missingIgnoreFile(
  project: string,
  isThere: (file: string) => boolean,
  folder: string = STATE,
): IgnoreFile | undefined {
  if (!isThere(path.join(project, OMC))) return { parts: [project, OMC, NAME], text: EVERYTHING };
  const parts: IgnoreFile["parts"] = [project, OMC, folder, NAME];
  if (!isThere(path.join(project, OMC, folder))) return { parts, text: EVERYTHING };
  if (isThere(path.join(project, OMC, NAME)) || isThere(path.join(...parts))) return undefined;
  return { parts, text: besideOthers(folder) };
}

/** The texts that an ignore file of ours may have in this folder of `.omc`; empty: in `.omc` itself. */
export function ignoreTexts(folder: string): readonly string[] {
  return folder === "" ? [EVERYTHING, NOTEPAD_ONLY] : [EVERYTHING, besideOthers(folder)];
}

function besideOthers(folder: string): string {
  return [`/${NAME}`, ...(OURS[folder] ?? ["*"])].map((line) => `${line}\n`).join("");
}
