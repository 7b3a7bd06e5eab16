import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../../state/database.ts";
import { PROJECT, SESSION } from "../../../testing/events.ts";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import { cancelRuns, runsToCancel } from "../cancel.ts";
import { endRun, noFiles, saveRun } from "../files/exports.ts";
import { machineOf } from "../machines.ts";
import { aRun, runsIn } from "../mode.samples.ts";
import type { ModeRun } from "../mode-run.ts";
import type { ModeRuns } from "../mode-runs.ts";
import type { ModeName } from "../modes.ts";
import { readerOf } from "../ralph/ralph.samples.ts";
import { planResume, resume } from "../resume.ts";
import { planStart, start } from "../start.ts";
import {
  changed,
  IDEA,
  inPhase,
  modesOf,
  ralphChildren,
  reviewed,
  round,
  stopped,
  ultraqaChild,
} from "./autopilot.samples.ts";
import { detailsOf } from "./details.ts";
import type { Phase } from "./phases.ts";

const STARTER = { session: SESSION, promptId: "", pid: 1, pane: "", limits: {} };
const FILES = noFiles(PROJECT);
const REQUEST = { mode: "autopilot", request: IDEA } as const;

/** A run in each phase, with what it has started. */
const running = (phase: Phase): readonly ModeRun[] => {
  const run = { ...inPhase(phase), round: 4 };
  if (phase === "execution") return [run, ...ralphChildren({})];
  return phase === "qa" ? [run, ultraqaChild()] : [run];
};
/** Another mode as a person starts it. */
const begun = (mode: ModeName): ModeRun =>
  aRun(mode, { details: machineOf(mode).begin({ mode, request: "fix the login" }, readerOf({})) });

const PHASES_WITH: readonly [phase: Phase, modes: string][] = [
  ["expansion", "autopilot"],
  ["planning", "autopilot"],
  ["execution", "ralph autopilot ultrawork"],
  ["qa", "autopilot ultraqa"],
  ["validation", "autopilot"],
];

let db: Database;
let store: ModeRuns;
beforeEach(() => {
  db = new Database(":memory:", 50);
  store = runsIn(db);
});
afterEach(() => {
  db.close();
});

const modes = (): string => modesOf(store.of(SESSION)).join(" ");
const save = (...runs: readonly ModeRun[]): void => {
  for (const run of runs) saveRun(store, FILES, run);
};
const cancel = (mode?: ModeName): void => {
  cancelRuns(store, FILES, runsToCancel(store, SESSION, mode), FAKE_NOW);
};
const resumed = (session = SESSION, rounds?: number) => {
  const plan = planResume(store, session, "autopilot", rounds, STARTER, FAKE_NOW + 1);
  if (plan.kind === "resume") resume(store, FILES, plan, FAKE_NOW + 1);
  return plan;
};

describe("a cancellation", () => {
  it.each(PHASES_WITH)("in %s ends what was started, and keeps the state", (phase, started) => {
    save(...running(phase));
    expect(modes()).toBe(started);
    cancel("autopilot");
    expect(modes()).toBe("");
    const ended = store.history().find(({ mode }) => mode === "autopilot");
    expect(ended).toMatchObject({ outcome: "cancelled", phase, round: 4, details: inPhase(phase).details });
    expect(modesOf(store.history()).sort()).toEqual(started.split(" ").sort());
  });

  it("of all modes does the same", () => {
    save(...running("execution"));
    cancel();
    expect([modes(), store.history().length]).toEqual(["", 3]);
  });

  it.each([
    ["ralph", "execution", "autopilot"],
    ["ultraqa", "qa", "autopilot"],
  ] as const)("of %s alone leaves autopilot on", (mode, phase, left) => {
    save(...running(phase));
    cancel(mode);
    expect(modes()).toBe(left);
  });

  it("leaves the modes of other sessions alone", () => {
    save(...running("execution"), { ...inPhase("qa"), session: "another" });
    cancel("autopilot");
    expect(modesOf(store.of("another"))).toEqual(["autopilot"]);
  });
});

describe("a resumption", () => {
  it.each(PHASES_WITH)("after a cancellation in %s goes on there, with what was started", (phase, started) => {
    save(...running(phase));
    cancel("autopilot");
    expect(resumed().kind).toBe("resume");
    expect(modes()).toBe(started);
    expect(store.get(SESSION, "autopilot")).toMatchObject({ status: "active", phase, round: 4, request: IDEA });
    expect(store.get(SESSION, "autopilot")?.details).toEqual(inPhase(phase).details);
    expect(store.history()).toEqual([]);
  });

  it.each(PHASES_WITH)("in another session in %s moves all of it", (phase, started) => {
    save(...running(phase).map((run): ModeRun => ({ ...run, status: "detached", why: "its session ended" })));
    expect(resumed("next").kind).toBe("resume");
    expect([modes(), modesOf(store.of("next")).join(" ")]).toEqual(["", started]);
    expect(store.get("next", "autopilot")).toMatchObject({ status: "active", phase, why: "" });
  });

  it("keeps the verdicts of the validation", () => {
    save(
      reviewed(...round("APPROVED", "REJECTED", "APPROVED"), ...round("APPROVED", "APPROVED", "APPROVED").slice(0, 1)),
    );
    cancel("autopilot");
    resumed();
    const run = store.get(SESSION, "autopilot") as ModeRun;
    expect(detailsOf(run).validation).toMatchObject({ validation_rounds: 2, verdicts: [{ type: "functional" }] });
    expect(stopped(run, "Done.").text).toContain("Round 2 of at most 3");
  });

  it("after a pause has as many rounds again, and ultraqa is on again", () => {
    save({ ...inPhase("qa"), status: "paused", round: 20 }, ultraqaChild({ status: "paused" }));
    resumed();
    expect(store.get(SESSION, "autopilot")).toMatchObject({ status: "active", round: 20, limit: 40 });
    expect(store.get(SESSION, "ultraqa")).toMatchObject({ status: "active", limit: 5 });
  });

  it("can name its rounds", () => {
    save({ ...inPhase("qa"), status: "paused", round: 20 });
    resumed(SESSION, 3);
    expect(store.get(SESSION, "autopilot")).toMatchObject({ limit: 23 });
  });

  it.each(["done", "failed"])("of a run that is %s is not possible", (outcome) => {
    endRun(
      store,
      FILES,
      { ...inPhase("validation"), phase: outcome === "done" ? "complete" : "failed" },
      outcome,
      FAKE_NOW,
    );
    expect(resumed().kind).toBe("none");
  });

  it("beside another mode that directs the work is refused", () => {
    save(...running("qa"));
    cancel("autopilot");
    save(begun("pipeline"));
    expect(resumed()).toMatchObject({ kind: "blocked", blocker: { mode: "pipeline" } });
  });

  it("does not begin the phase anew for a run of before", () => {
    const run = changed(inPhase("planning"), { planning: { plan_at_start: "x" } });
    save(run);
    cancel("autopilot");
    resumed();
    expect(detailsOf(store.get(SESSION, "autopilot") as ModeRun).planning.plan_at_start).toBe("x");
  });
});

describe("a start", () => {
  it("begins in the expansion, alone", () => {
    const plan = planStart(store, REQUEST, STARTER, readerOf({}));
    start(store, FILES, plan, FAKE_NOW);
    expect(store.of(SESSION)).toMatchObject([{ mode: "autopilot", phase: "expansion", round: 0, limit: 20 }]);
  });

  it.each(["autopilot", "ultrapilot", "swarm", "pipeline"] as const)("is refused while %s is on", (mode) => {
    save(begun(mode));
    expect(planStart(store, REQUEST, STARTER, readerOf({}))).toMatchObject({ kind: "blocked", blocker: { mode } });
  });

  it.each(["ralph", "ultraqa", "ultrawork", "ecomode"] as const)("is possible beside %s", (mode) => {
    save(begun(mode));
    expect(planStart(store, REQUEST, STARTER, readerOf({})).kind).toBe("start");
  });
});
