import type { Database } from "../../state/database.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { openTable, projectScope } from "../../state/stores.ts";
import { PROJECT, SESSION } from "../../testing/events.ts";
import { FAKE_NOW, FAKE_PID } from "../../testing/fake-ports.ts";
import { machineOf } from "./machines.ts";
import type { ModeRun } from "./mode-run.ts";
import { ModeRuns } from "./mode-runs.ts";
import { DEFAULT_ROUNDS, type ModeName } from "./modes.ts";

/** A run as it is after a start, with some fields changed. */
export function aRun(mode: ModeName, changed: Partial<ModeRun> = {}): ModeRun {
  return {
    mode,
    session: SESSION,
    status: "active",
    round: 0,
    limit: DEFAULT_ROUNDS[mode],
    phase: machineOf(mode).firstPhase ?? "",
    request: "fix the login",
    startedAt: FAKE_NOW - 60_000,
    seenAt: FAKE_NOW - 60_000,
    parent: "",
    promptId: "",
    pid: FAKE_PID,
    pane: "",
    why: "",
    details: {},
    ...changed,
  };
}

/** The stored runs of the test's project. */
export function runsIn(db: Database): ModeRuns {
  const scope = projectScope({ agent: "", session: "", agentId: "", project: PROJECT });
  return new ModeRuns(openTable(db, scope, "modes", () => bumpRevision(db, scope)));
}

/** A world in which these runs are stored, but not exported. */
export function withRuns(...runs: readonly ModeRun[]) {
  const seed = (db: Database): void => {
    for (const run of runs) runsIn(db).save(run);
  };
  return { seed };
}
