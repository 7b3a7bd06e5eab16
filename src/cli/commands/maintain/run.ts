import fs from "node:fs";
import { DEFAULT_LIMITS, expireSnapshots } from "../../../domain/undo/expire.ts";
import { runDueJobs } from "../../../engine/jobs/run-jobs.ts";
import { countEntries } from "../../../state/journal-query.ts";
import { believableTime, DEFAULT_RETENTION, prune } from "../../../state/retention.ts";
import type { Home } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { isProjectGone, readInstalls, saveInstalls } from "../../installation/installs.ts";
import { type SystemPlaces, systemPlaces } from "../../installation/system-folders.ts";
import { JOB_RUN } from "../../state/job-run.ts";
import { openState } from "../../state/open-state.ts";
import { type OldVersion, removeOldVersions, settingsNaming } from "./old-versions.ts";

interface Done {
  /** Undefined when nothing is recorded yet. */
  readonly journal?: { readonly removed: number; readonly left: number };
  readonly jobs: number;
  /** Settings files of deleted projects whose installation record was removed. */
  readonly forgotten: readonly string[];
  readonly versions: readonly OldVersion[];
  /** Number of expired snapshots. */
  readonly snapshots: number;
}

/** `places` and `now` are for tests. */
export async function runMaintain(
  { options, env, cwd, out, progress }: CommandContext,
  places: SystemPlaces = systemPlaces(),
  now: number = Date.now(),
): Promise<number> {
  const home = homeOf(env);
  const settings = settingsNaming(env, cwd);
  const db = openState(home.database);
  let state: Pick<Done, "journal" | "jobs"> = { jobs: 0 };
  let believed = now;
  if (db) {
    try {
      believed = believableTime(db, now);
      progress?.("Running background work that is due");
      const jobs = await runDueJobs(db, system, JOB_RUN);
      progress?.("Removing old journal entries");
      const removed = await prune(db, DEFAULT_RETENTION, now);
      state = { jobs, journal: { removed, left: countEntries(db).entries } };
    } finally {
      db.close();
    }
  }
  // Shared files of the machine are cleaned only by root.
  const isShared = places.uid === 0 && fs.existsSync(places.store.root);
  progress?.("Removing old versions");
  const forgotten = forgetGoneProjects(home);
  const versions = [
    ...removeOldVersions(home, settings, now),
    ...(isShared ? removeOldVersions(places.store, [places.settings], now) : []),
  ];
  const plainEnv = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ""]));
  progress?.("Removing old snapshots");
  const snapshots = await expireSnapshots({ folder: home.undo }, plainEnv, believed);
  const done: Done = { ...state, forgotten, versions, snapshots };
  out(options.json ? JSON.stringify(done) : sentences(done).join("\n"));
  return 0;
}

function forgetGoneProjects(home: Home): string[] {
  const installs = readInstalls(home);
  const gone = installs.records.filter(isProjectGone);
  if (gone.length > 0) {
    const left = installs.records.filter((record) => !gone.includes(record));
    saveInstalls(home, installs, left);
  }
  return gone.map(({ file }) => file);
}

function sentences({ journal, jobs, forgotten, versions, snapshots }: Done): string[] {
  const removed = versions.filter((one) => one.removed);
  const kept = versions.filter((one) => !one.removed);
  const { days, megabytes } = DEFAULT_RETENTION;
  return [
    journal === undefined
      ? "Journal: nothing is recorded yet."
      : `Journal: removed ${journal.removed} old entries, ${journal.left} are left (limits: ${days} days, ${megabytes} MB).`,
    `Background work: ${jobs === 0 ? "nothing was due" : `ran ${jobs} ${jobs === 1 ? "job" : "jobs"}`}.`,
    ...forgotten.map((file) => `Installations: removed the record of ${file}, whose project no longer exists.`),
    removed.length === 0 ? "Old versions: none to remove." : "Old versions: removed",
    ...removed.map(({ folder }) => `  ${folder}`),
    ...kept.map(({ folder, why }) => `  kept ${folder}: ${why}`),
    `Snapshots: removed ${snapshots} old ones (limits: ${DEFAULT_LIMITS.days} days, ${DEFAULT_LIMITS.megabytes} MB).`,
  ];
}
