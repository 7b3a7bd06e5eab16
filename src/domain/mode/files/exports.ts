import path from "node:path";
import type { Json, JsonObject } from "../../../core/event.ts";
import type { FileInfo } from "../../../core/ports.ts";
import { beginWriting, isSafeSession, mayWriteIn, OMC } from "../../omc-folder/omc-folder.ts";
import type { EndedRun, ModeRun } from "../mode-run.ts";
import type { ModeRuns } from "../mode-runs.ts";
import type { ModeName } from "../modes.ts";

const STATE = "state";
const SESSIONS = "sessions";
const FOLDER = `${STATE}/${SESSIONS}`;

/** How files that other programs read are written: by a hook while it settles, or by a command. */
export interface ModeFiles {
  readonly project: string;
  info(file: string): FileInfo | undefined;
  mirror(parts: readonly [string, ...string[]], value: Json | undefined): void;
  mirrorText(parts: readonly [string, ...string[]], text: string): void;
  /** Adds to a person's file, or makes it. Nothing is written to a file that contains `marker`. */
  append(parts: readonly [string, ...string[]], text: string, marker: string): void;
}

/** For a draft: writes nothing. */
export function noFiles(project: string): ModeFiles & { endBoard(): void } {
  const nothing = (): undefined => undefined;
  return { project, info: nothing, mirror: nothing, mirrorText: nothing, append: nothing, endBoard: nothing };
}

/** The file of one session's run; undefined for a session whose id cannot be a part of a path. */
export function sessionFile(project: string, session: string, mode: ModeName): string | undefined {
  if (!isSafeSession(session)) return undefined;
  return path.join(project, OMC, STATE, SESSIONS, session, `${mode}-state.json`);
}

/** The file that shows the newest run of a mode, whichever session it belongs to. */
export function projectFile(project: string, mode: ModeName): string {
  return path.join(project, OMC, STATE, `${mode}-state.json`);
}

/** Stores the run, and exports it to its files. */
export function saveRun(store: ModeRuns, files: ModeFiles, run: ModeRun): void {
  store.save(run);
  exportRun(store, files, run);
}

export function exportRun(store: ModeRuns, files: ModeFiles, run: ModeRun): void {
  if (!beginWriting(FOLDER, files)) return;
  const value = exportedRun(run, files.project);
  const { mode, session } = run;
  if (isSafeSession(session)) files.mirror([files.project, OMC, STATE, SESSIONS, session, `${mode}-state.json`], value);
  const owner = store.get(store.owner(mode), mode);
  if (owner && owner.session !== session && owner.startedAt > run.startedAt) return;
  store.setOwner(mode, session);
  files.mirror([files.project, OMC, STATE, `${mode}-state.json`], value);
}

/** Removes the run and its files, and keeps it in the history. */
export function endRun(store: ModeRuns, files: ModeFiles, run: ModeRun, outcome: string, now: number): EndedRun {
  const ended: EndedRun = { ...run, outcome, endedAt: now };
  forgetRun(store, files, run);
  store.addToHistory(ended);
  return ended;
}

/** Removes the run and its files without a trace in the history, because it goes on under another session. */
export function forgetRun(store: ModeRuns, files: ModeFiles, { mode, session }: ModeRun): void {
  store.remove({ mode, session });
  const isOwner = store.owner(mode) === session;
  if (isOwner) store.setOwner(mode, undefined);
  if (!mayWriteIn(FOLDER, files)) return;
  if (isSafeSession(session))
    files.mirror([files.project, OMC, STATE, SESSIONS, session, `${mode}-state.json`], undefined);
  if (!isOwner) return;
  files.mirror([files.project, OMC, STATE, `${mode}-state.json`], undefined);
  // Only this file: that the other session's own file was changed or removed may not have been noticed yet.
  const [next] = store.all().filter((run) => run.mode === mode);
  if (!next) return;
  store.setOwner(mode, next.session);
  files.mirror([files.project, OMC, STATE, `${mode}-state.json`], exportedRun(next, files.project));
}

/** A run as oh-my-claudecode's own files have it. */
export function exportedRun(run: ModeRun, project: string): JsonObject {
  return {
    active: run.status === "active" || run.status === "waiting",
    status: run.status,
    mode: run.mode,
    session_id: run.session,
    original_prompt: run.request,
    started_at: new Date(run.startedAt).toISOString(),
    last_checked_at: new Date(run.seenAt).toISOString(),
    reinforcement_count: run.round,
    iteration: run.round,
    max_iterations: run.limit,
    project_path: project,
    ...(run.phase === "" ? {} : { phase: run.phase }),
    ...(run.parent === "" ? {} : { linked_to: run.parent, [`linked_to_${run.parent}`]: true }),
    ...(run.why === "" ? {} : { why: run.why }),
    ...run.details,
  };
}
