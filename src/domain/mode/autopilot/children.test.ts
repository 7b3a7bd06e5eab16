import { afterEach, describe, expect, it, vi } from "vitest";
import { HookwrightError } from "../../../core/errors.ts";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import type { Step } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import { ralph } from "../ralph/machine.ts";
import { APPROVES, prdText, ROOT, readerOf, rejects } from "../ralph/ralph.samples.ts";
import { ultraqa } from "../ultraqa/machine.ts";
import {
  changed,
  detailsAfter,
  type Files,
  IDEA,
  inPhase,
  modesOf,
  PLAN_FILE,
  ralphChildren,
  stopped,
  ultraqaChild,
} from "./autopilot.samples.ts";

const PLANNED: Files = { [PLAN_FILE]: "# Plan" };
const OPEN: Files = { [ROOT]: prdText("+-") };
const COMPLETE: Files = { [ROOT]: prdText("++") };
const statusOf = (step: Step, mode: string) => step.children?.find((one) => one.mode === mode);

afterEach(() => {
  vi.restoreAllMocks();
});

/** What ultraqa says, whatever it has seen. */
function ultraqaSays(step: Partial<Step>): void {
  vi.spyOn(ultraqa, "step").mockImplementation((run) => ({ kind: "hold", text: "Run the tests.", run, ...step }));
}

function refuses(machine: typeof ultraqa): void {
  vi.spyOn(machine, "begin").mockImplementation(() => {
    throw new HookwrightError("HW_MODE_START", { mode: machine.mode, detail: "there are no tests", hint: "Write one" });
  });
}

describe("the start of ralph", () => {
  it("comes with execution, and ultrawork with ralph", () => {
    const step = stopped(inPhase("planning"), "PLANNING_COMPLETE", { files: { ...PLANNED, ...OPEN } });
    expect(step.begins).toMatchObject([
      { mode: "ralph", limit: 100, details: { prompt: IDEA, prd_mode: true, current_story_id: "US-002" } },
      { mode: "ultrawork", limit: 50, parent: "ralph" },
    ]);
    expect(step.begins?.[0]).not.toHaveProperty("parent");
    expect(step.text).toContain("Make a story of each task. ralph is on for this request: Build me a parser");
    expect(step.text).toContain("Carry out every task of .omc/plans/autopilot-impl.md.");
  });

  it.each(["ralph", "ultraqa"] as const)("is left out beside %s, which a person has started", (other) => {
    const step = stopped(inPhase("planning"), "PLANNING_COMPLETE", { files: PLANNED, beside: [other] });
    expect([step.run.phase, step.begins]).toEqual(["execution", undefined]);
    expect(step.text).toContain(
      `ralph cannot start while ${other}, which autopilot did not start, is on. Work without it.`,
    );
  });

  it.each(["ultrawork", "ecomode"] as const)("does not depend on %s", (other) => {
    const step = stopped(inPhase("planning"), "PLANNING_COMPLETE", { files: PLANNED, beside: [other] });
    expect(modesOf(step.begins)).toContain("ralph");
  });

  it("is left out when ralph refuses", () => {
    refuses(ralph);
    const step = stopped(inPhase("planning"), "PLANNING_COMPLETE", { files: PLANNED });
    expect([step.run.phase, step.begins]).toEqual(["execution", undefined]);
    expect(step.text).toContain("there are no tests");
  });

  it("lets an error of another kind through", () => {
    vi.spyOn(ralph, "begin").mockImplementation(() => {
      throw new TypeError("broken");
    });
    expect(() => stopped(inPhase("planning"), "PLANNING_COMPLETE", { files: PLANNED })).toThrow("broken");
  });
});

describe("ralph in execution", () => {
  const run = inPhase("execution");

  it("says what is to be done", () => {
    const step = stopped(run, "Done.", { files: OPEN, children: ralphChildren(OPEN) });
    expect([step.kind, step.run.phase, step.driven]).toEqual(["hold", "execution", "ralph"]);
    expect(step.text).toContain("Phase 3 of 5, execution");
    expect(step.text).toContain("Current story: US-002 Story 2");
    expect(step.text).toContain(
      "When ralph ends, because its reviewer has approved the work, this phase ends as well.",
    );
    expect(modesOf(step.children)).toEqual(["ralph", "ultrawork"]);
    expect(detailsAfter(step).execution).toMatchObject({ tasks_completed: 1, tasks_total: 2, ultrawork_active: true });
  });

  it("tells of finished stories, and asks for its review", () => {
    const step = stopped(run, "Done.", { files: COMPLETE, children: ralphChildren(OPEN) });
    expect(step.news).toContain("US-002 Story 2 passes (2 of 2).");
    expect(step.text).toContain("Review 1 of at most 3 is open");
    expect(statusOf(step, "ralph")?.details).toMatchObject({ verification: { pending: true } });
    expect(detailsAfter(step).execution).toMatchObject({ tasks_completed: 2, tasks_total: 2 });
  });

  it("RALPH_COMPLETE asks for its review, and does not end the phase", () => {
    const step = stopped(run, "RALPH_COMPLETE", { children: ralphChildren({ [ROOT]: prdText("") }) });
    expect(step.run.phase).toBe("execution");
    expect(step.text).toContain("because RALPH_COMPLETE was written");
  });

  /** ralph after these last messages of its reviewer, each of them in a review of its own. */
  const judged = (...messages: readonly string[]): ModeRun[] => {
    const [first, helper] = ralphChildren(OPEN, { round: 7 });
    const reader = readerOf(COMPLETE);
    const last = messages.reduce((child, message) => {
      const { run: asked } = ralph.step(child, { lastMessage: "RALPH_COMPLETE", now: FAKE_NOW }, reader, []);
      return ralph.heard?.(asked, "architect", message, reader) ?? asked;
    }, first as ModeRun);
    return [last, helper as ModeRun];
  };

  it("its reviewer's approval ends the phase", () => {
    const step = stopped(run, "Done.", { files: COMPLETE, children: judged(APPROVES) });
    expect([step.kind, step.run.phase]).toEqual(["hold", "qa"]);
    expect(step.finishes).toEqual([{ mode: "ralph", outcome: "done" }]);
    expect(modesOf(step.begins)).toEqual(["ultraqa"]);
    expect(step.news).toContain(
      "ralph has ended. 2 of 2 stories of prd.json pass. The reviewer (architect) has approved the work",
    );
    expect(step.news).toContain("execution is complete, qa is next (phase 4 of 5).");
    expect(detailsAfter(step).execution).toMatchObject({
      ralph_iterations: 7,
      ralph_completed_at: new Date(FAKE_NOW).toISOString(),
      ralph_outcome: "done",
    });
  });

  it("three rejections by its reviewer end the phase as well, and are not forgotten", () => {
    const step = stopped(run, "Done.", { files: COMPLETE, children: judged(rejects("a"), rejects("b"), rejects("c")) });
    expect(step.run.phase).toBe("qa");
    expect(step.finishes).toEqual([{ mode: "ralph", outcome: "unverified" }]);
    expect(step.news).toContain("The work is not verified");
    expect(detailsAfter(step).execution.ralph_outcome).toBe("unverified");
  });

  it("EXECUTION_COMPLETE ends it, saves its iteration and starts ultraqa for the tests", () => {
    const begin = vi.spyOn(ultraqa, "begin");
    const step = stopped(run, "EXECUTION_COMPLETE", { files: OPEN, children: ralphChildren(OPEN, { round: 12 }) });
    expect(step.run.phase).toBe("qa");
    expect(step.finishes).toEqual([{ mode: "ralph", outcome: "ended" }]);
    expect(step.begins).toMatchObject([{ mode: "ultraqa", limit: 5 }]);
    expect(begin.mock.calls[0]?.[0]).toEqual({ mode: "ultraqa", request: IDEA, goal: "tests" });
    expect(detailsAfter(step).execution).toMatchObject({ ralph_iterations: 12, ralph_completed_at: null });
  });

  it("EXECUTION_COMPLETE counts without ralph, which a person has cancelled", () => {
    const step = stopped(run, "EXECUTION_COMPLETE");
    expect([step.run.phase, step.finishes, modesOf(step.begins)]).toEqual(["qa", undefined, ["ultraqa"]]);
  });

  it("goes on without ralph, which a person has cancelled", () => {
    const step = stopped(run, "Done.");
    expect([step.kind, step.run.phase, step.children, step.driven]).toEqual([
      "hold",
      "execution",
      undefined,
      undefined,
    ]);
    expect(step.begins).toBeUndefined();
  });

  it.each(["paused", "detached", "waiting"] as const)("does not ask a ralph that is %s", (status) => {
    const step = stopped(run, "Done.", { files: OPEN, children: ralphChildren(OPEN, { status }) });
    expect([step.kind, step.driven]).toEqual(["hold", undefined]);
    expect(step.text).not.toContain("US-002");
  });

  it("ends a ralph that rests with its phase", () => {
    const children = ralphChildren(OPEN, { status: "paused" });
    expect(modesOf(stopped(run, "EXECUTION_COMPLETE", { children }).finishes)).toEqual(["ralph"]);
  });

  it("pauses when the rounds of ralph are used up, and gives it as many again", () => {
    const children = ralphChildren(OPEN, { round: 100 });
    const step = stopped(run, "Done.", { files: OPEN, children });
    expect([step.kind, step.run.phase]).toEqual(["pause", "execution"]);
    expect(step.text).toContain("The rounds of ralph are used up.");
    expect(statusOf(step, "ralph")).toMatchObject({ status: "paused", limit: 200, round: 100 });
    expect(modesOf(step.children)).toEqual(["ralph", "ultrawork"]);
  });
});

describe("qa that cannot begin", () => {
  const run = inPhase("execution");

  it.each(["ralph", "ultraqa"] as const)("beside %s of a person: execution goes on", (other) => {
    const step = stopped(run, "EXECUTION_COMPLETE", { beside: [other] });
    expect([step.kind, step.run.phase, step.begins, step.finishes]).toEqual([
      "hold",
      "execution",
      undefined,
      undefined,
    ]);
    expect(step.text).toContain(`The phase qa cannot begin: ultraqa cannot start while ${other}`);
    expect(step.news).toBeUndefined();
  });

  it("because ultraqa refuses: ralph goes on as well", () => {
    refuses(ultraqa);
    const step = stopped(run, "EXECUTION_COMPLETE", { files: OPEN, children: ralphChildren(OPEN) });
    expect([step.run.phase, step.finishes, step.driven]).toEqual(["execution", undefined, "ralph"]);
    expect(step.text).toContain("there are no tests");
  });

  it("after ralph has ended: it is tried again at the next stop, without a signal", () => {
    const details = { execution: { ralph_completed_at: "2026-01-02T03:04:05.000Z", ralph_outcome: "done" } };
    const ended = changed(run, details);
    const blocked = stopped(ended, "Done.", { beside: ["ultraqa"] });
    expect(blocked.run.phase).toBe("execution");
    expect(stopped(blocked.run, "Done.").run.phase).toBe("qa");
  });
});

describe("ultraqa in qa", () => {
  const run = inPhase("qa");
  const children = [ultraqaChild({ round: 2, details: {} })];

  it("says what is to be done", () => {
    ultraqaSays({ text: "Run npm test.", news: "cycle 2 of 5" });
    const step = stopped(run, "Done.", { children });
    expect([step.kind, step.run.phase, step.driven, step.news]).toEqual(["hold", "qa", "ultraqa", "cycle 2 of 5"]);
    expect(step.text).toContain("Run npm test.");
    expect(step.text).toContain("write QA_COMPLETE alone on a line");
  });

  it("its success does not end the phase, which has build and lint as well", () => {
    ultraqaSays({ kind: "end", outcome: "goal_met", text: "npm test has succeeded." });
    const step = stopped(run, "Done.", { children });
    expect([step.kind, step.run.phase, step.driven]).toEqual(["hold", "qa", undefined]);
    expect(step.text).toContain("ultraqa: npm test has succeeded. See to build and lint as well.");
    expect(step.news).toBe("ultraqa has seen the tests succeed. npm test has succeeded.");
    expect(detailsAfter(step).qa.test_status).toBe("passing");
    expect(stopped(step.run, "Done.", { children }).news).toBeUndefined();
  });

  it("QA_COMPLETE saves its cycles and ends it", () => {
    ultraqaSays({});
    const step = stopped(run, "QA_COMPLETE", { children });
    expect([step.run.phase, step.finishes]).toEqual(["validation", [{ mode: "ultraqa", outcome: "ended" }]]);
    expect(detailsAfter(step).qa).toMatchObject({ ultraqa_cycles: 2, test_status: "pending" });
    expect(step.text).toContain("`functional-reviewer`, `security-reviewer`, `quality-reviewer`");
  });

  it.each([
    ["failures", { cycle: 3, failures: ["expected 2"] }, "failing"],
    ["no failures", { cycle: 3, failures: [] }, "pending"],
  ])("QA_COMPLETE with %s: the status is what was seen", (_name, details, test_status) => {
    ultraqaSays({});
    const step = stopped(run, "QA_COMPLETE", { children: [ultraqaChild({ round: 9, details })] });
    expect(detailsAfter(step).qa).toMatchObject({ ultraqa_cycles: 3, test_status });
  });

  it("QA_COMPLETE after its success", () => {
    ultraqaSays({ kind: "end", outcome: "goal_met" });
    const step = stopped(run, "QA_COMPLETE", { children });
    expect(step.finishes).toEqual([{ mode: "ultraqa", outcome: "goal_met" }]);
    expect(detailsAfter(step).qa.test_status).toBe("passing");
  });

  it("QA_COMPLETE counts without ultraqa, which a person has cancelled", () => {
    const step = stopped(run, "QA_COMPLETE");
    expect([step.run.phase, step.finishes]).toEqual(["validation", undefined]);
  });

  it("goes on without ultraqa, which a person has cancelled", () => {
    const step = stopped(run, "Done.");
    expect([step.kind, step.run.phase, step.children, step.begins]).toEqual(["hold", "qa", undefined, undefined]);
  });

  it.each(["same_failure", "env_error"])("its end without success (%s) asks the person", (outcome) => {
    ultraqaSays({ kind: "end", outcome, text: "The same failure 3 times: expected 2." });
    const step = stopped(run, "Done.", { children });
    expect([step.kind, step.run.phase]).toEqual(["pause", "qa"]);
    expect(step.text).toBe("ultraqa has ended without success. The same failure 3 times: expected 2.");
    expect(detailsAfter(step).qa).toMatchObject({ test_status: "failing", ultraqa_cycles: 2 });
    expect(statusOf(step, "ultraqa")).toMatchObject({ status: "paused", round: 0, limit: 5 });
  });

  it("cycles before a pause are counted", () => {
    ultraqaSays({ kind: "end", outcome: "failed" });
    const paused = stopped(run, "Done.", { children });
    ultraqaSays({});
    expect(detailsAfter(stopped(paused.run, "QA_COMPLETE", { children })).qa.ultraqa_cycles).toBe(4);
  });

  it("ends without success for good when it cannot begin anew", () => {
    ultraqaSays({ kind: "end", outcome: "failed" });
    refuses(ultraqa);
    const step = stopped(run, "Done.", { children });
    expect([step.kind, step.children, step.finishes]).toEqual([
      "pause",
      undefined,
      [{ mode: "ultraqa", outcome: "failed" }],
    ]);
  });

  it("pauses when its five cycles are used up", () => {
    ultraqaSays({ text: "Left: npm test." });
    const step = stopped(run, "Done.", { children: [ultraqaChild({ round: 5 })] });
    expect([step.kind, step.text]).toEqual(["pause", "The rounds of ultraqa are used up. Left: npm test."]);
    expect(statusOf(step, "ultraqa")).toMatchObject({ status: "paused", limit: 10 });
  });

  it("pauses when ultraqa does", () => {
    ultraqaSays({ kind: "pause", text: "Left: npm test." });
    expect(stopped(run, "Done.", { children }).kind).toBe("pause");
  });
});
