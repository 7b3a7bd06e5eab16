import fs from "node:fs";
import path from "node:path";
import { describe, HookwrightError } from "../../core/errors.ts";
import type { Json } from "../../core/event.ts";
import { draftOf, removeLeftDrafts } from "../../system/left-drafts.ts";
import { makeFolder } from "../../system/make-folder.ts";
import { asideName } from "../../system/set-aside.ts";
import { PLAN_STATE_FILE, type PlanState, planStateRecord, readPlanState } from "./state.ts";

/** The result of reading the state file. */
export type StateRead =
  | { readonly kind: "none" }
  | { readonly kind: "active"; readonly state: PlanState }
  | { readonly kind: "broken"; readonly detail: string };

/** Called at the crash points of a write, for tests that kill the process there. */
export type CrashPointHook = (point: "plan-half-written" | "plan-before-rename") => void;

export const stateFileIn = (root: string): string => path.join(root, PLAN_STATE_FILE);

export function readStateFile(root: string): StateRead {
  const file = stateFileIn(root);
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    return isMissing(error) ? { kind: "none" } : { kind: "broken", detail: describe(error) };
  }
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { kind: "broken", detail: describe(error) };
  }
  const state = readPlanState(value);
  return state ? { kind: "active", state } : { kind: "broken", detail: "it has no `active_plan`" };
}

export function writeStateFile(root: string, state: PlanState, reached: CrashPointHook): void {
  const file = stateFileIn(root);
  try {
    makeFolder(path.dirname(file));
  } catch (error) {
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  }
  replaceFile(file, `${JSON.stringify(planStateRecord(state), null, 2)}\n`, reached);
}

/** Deletes the state file. A broken one is renamed instead, and its new path is returned. */
export function removeStateFile(root: string, read: StateRead, now: number): string | undefined {
  const file = stateFileIn(root);
  try {
    if (read.kind === "broken") {
      const aside = asideName(file, now);
      fs.renameSync(file, aside);
      return aside;
    }
    fs.rmSync(file, { force: true });
    return undefined;
  } catch (error) {
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  }
}

/**
 * Replaces the file atomically: a reader sees either the old text or the new one. A link is followed, and the file keeps
 * its mode.
 */
export function replaceFile(file: string, text: string, reached: CrashPointHook): void {
  try {
    const target = fs.existsSync(file) ? fs.realpathSync(file) : file;
    const mode = fs.statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644;
    const draft = draftOf(target);
    removeLeftDrafts(target);
    try {
      const fd = fs.openSync(draft, "wx", mode & 0o777);
      try {
        // As bytes: a text could be parted between the two halves of a character.
        const bytes = Buffer.from(text);
        const half = Math.floor(bytes.length / 2);
        fs.writeSync(fd, bytes, 0, half);
        reached("plan-half-written");
        fs.writeSync(fd, bytes, half);
        fs.fsyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
      reached("plan-before-rename");
      fs.renameSync(draft, target);
    } finally {
      fs.rmSync(draft, { force: true });
    }
  } catch (error) {
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
