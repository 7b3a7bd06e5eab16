import fs from "node:fs";
import path from "node:path";
import { readFailed } from "../../../agents/settings-file.ts";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { type Plan, parsePlan } from "../../../domain/plan/document.ts";
import { type CrashPointHook, readStateFile, type StateRead, stateFileIn } from "../../../domain/plan/plan-files.ts";
import type { PlanState } from "../../../domain/plan/state.ts";
import { plan as planStore } from "../../../domain/plan/store.ts";
import { Database } from "../../../state/database.ts";
import { bumpRevision } from "../../../state/sessions.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { crashPoint } from "../../../system/crash-point.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openStateOrEmpty } from "../../state/open-state.ts";

const BUSY_MS = 10_000;
export const LARGEST_PLAN = 4 * 1024 * 1024;

/** The folder of the plan's files, and the content of its state file. */
export interface PlanProject {
  readonly root: string;
  readonly read: StateRead;
}

/** Searches as the hooks do: first where the session was started, if known, then the main checkout of this repository. */
export function planProject({ cwd, env }: Pick<CommandContext, "cwd" | "env">): PlanProject {
  const own = projectRoot(cwd, system);
  const started = env.CLAUDE_PROJECT_DIR;
  const others = started !== undefined && path.isAbsolute(started) ? [path.normalize(started)] : [];
  for (const root of [...others, own]) {
    const read = readStateFile(root);
    if (read.kind !== "none") return { root, read };
  }
  return { root: own, read: { kind: "none" } };
}

export function activeState({ root, read }: PlanProject): PlanState {
  if (read.kind === "active") return read.state;
  if (read.kind === "none") throw new HookwrightError("HW_PLAN_NONE", { root });
  throw new HookwrightError("HW_PLAN_STATE", { file: stateFileIn(root), detail: read.detail });
}

export interface ReadPlan {
  readonly file: string;
  readonly text: string;
  readonly plan: Plan;
}

/** Reads the plan's document, which must be a text file inside the project. */
export function readPlan(root: string, name: string): ReadPlan {
  const file = path.resolve(root, name);
  const real = realPathOf(file);
  if (!isInside(file, root) || !isInside(real, fs.realpathSync(root))) {
    throw new HookwrightError("HW_PLAN_OUTSIDE", { file, root });
  }
  let text: string;
  try {
    const stat = fs.statSync(real);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > LARGEST_PLAN) throw new Error(`it has ${stat.size} bytes; more than ${LARGEST_PLAN} are not read`);
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(real));
  } catch (error) {
    throw readFailed(file, error);
  }
  return { file, text, plan: parsePlan(text, file) };
}

function realPathOf(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    throw readFailed(file, error);
  }
}

export function isInside(target: string, place: string): boolean {
  return target.startsWith(place.endsWith("/") ? place : `${place}/`);
}

type PlanStore = ReturnType<typeof planStore.open>;

/** Reads the stored state of the project's plan. */
export function readPlanStore<T>({ env }: Pick<CommandContext, "env">, root: string, ask: (store: PlanStore) => T): T {
  const db = openStateOrEmpty(homeOf(env).database);
  try {
    return ask(planStore.open(openTable(db, scopeOf(root), planStore.name)));
  } finally {
    db.close();
  }
}

/** The store's scope, the same as for hooks in that project. */
function scopeOf(root: string): string {
  return projectScope({ agent: "", session: "", agentId: "", project: root });
}

/**
 * Runs `work` so that only one process at a time changes the plan's files. The lock is a database transaction, so it is
 * never left behind, and the plan's stored state is written in the same transaction.
 */
export function withPlanLock<T>(
  { env }: Pick<CommandContext, "env">,
  root: string,
  work: (reached: CrashPointHook, store: PlanStore) => T,
): T {
  const home = homeOf(env);
  const db = new Database(home.database, BUSY_MS);
  try {
    const done = db.transaction(() => {
      let isChanged = false;
      const table = openTable(db, scopeOf(root), planStore.name, () => {
        isChanged = true;
      });
      const value = work((point) => crashPoint(home.root, point), planStore.open(table));
      if (isChanged) bumpRevision(db, scopeOf(root));
      return value;
    });
    if (done) return done.value;
    throw new HookwrightError("HW_WRITE_FAILED", { file: home.database, detail: "another hookwright keeps it locked" });
  } finally {
    db.close();
  }
}
