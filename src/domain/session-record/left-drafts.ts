import path from "node:path";
import { isSafeSession, mayWriteIn, OMC, type OmcFiles } from "../omc-folder/omc-folder.ts";

/** The drafts of our files: the name of the file, the number of the process that writes it, `.tmp`. */
const STATE_DRAFT = /^(?:[a-z]+-state|subagent-tracking)\.json\.([1-9]\d*)\.tmp$/;
const SESSION_DRAFT = /^[\w-]+\.json\.([1-9]\d*)\.tmp$/;
const MOST = 50;

/** How the outside is looked at, and what was seen when it is looked at again. */
export interface DraftView {
  list(folder: string): readonly string[] | undefined;
  isAlive(pid: number): boolean;
}

type Draft = readonly [project: string, ...string[]];

/**
 * Our own drafts of a killed process in the folders of the session that ends: everybody else's temporary files stay, and
 * so do those of a process that still writes.
 */
export function leftDrafts(session: string, { project, info }: Pick<OmcFiles, "project" | "info">, view: DraftView) {
  const folders: readonly (readonly [string, RegExp])[] = [
    ["state", STATE_DRAFT],
    ["sessions", SESSION_DRAFT],
    ...(isSafeSession(session) ? [[`state/sessions/${session}`, STATE_DRAFT] as const] : []),
  ];
  return folders.flatMap(([folder, pattern]): Draft[] => {
    if (!mayWriteIn(folder, { project, info })) return [];
    const names = view.list(path.join(project, OMC, folder)) ?? [];
    const left = names.filter((name) => {
      const pid = pattern.exec(name)?.[1];
      return pid !== undefined && !view.isAlive(Number(pid));
    });
    return left.slice(0, MOST).map((name): Draft => [project, OMC, ...folder.split("/"), name]);
  });
}
