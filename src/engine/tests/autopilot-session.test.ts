import { afterEach, describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import {
  approvals,
  IDEA,
  inPhase,
  PLAN_FILE,
  ralphChildren,
  rejections,
  said,
  subagent,
  ultraqaChild,
  verdict,
} from "../../domain/mode/autopilot/autopilot.samples.ts";
import { detailsOf } from "../../domain/mode/autopilot/details.ts";
import { noFiles } from "../../domain/mode/files/exports.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import { APPROVES, prdText, ROOT, startedWith } from "../../domain/mode/ralph/ralph.samples.ts";
import { planResume, resume } from "../../domain/mode/resume.ts";
import autopilotPolicy from "../../policies/modes/autopilot.ts";
import persistentPolicy from "../../policies/modes/persistent-mode.ts";
import ralphPolicy from "../../policies/modes/ralph.ts";
import ultraqaPolicy from "../../policies/modes/ultraqa.ts";
import { claudeEvent, PROJECT, SESSION, stop, toolAfter, toolBefore } from "../../testing/events.ts";
import { FAKE_NOW, type FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../testing/sandbox.ts";

const on = (phase: Parameters<typeof inPhase>[0], ...more: readonly ModeRun[]) => withRuns(inPhase(phase), ...more);
const planned = { files: { [PLAN_FILE]: "# Plan" } };

const STARTER = { promptId: "", pid: 1, pane: "", limits: {} };

/** A run of all tests that has ended. */
const tests = (isOk: boolean): AnyEvent => {
  const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_tests" };
  return isOk
    ? claudeEvent({ hook_event_name: "PostToolUse", ...call, tool_response: { stdout: "ok" } })
    : claudeEvent({ hook_event_name: "PostToolUseFailure", ...call, error: "Exit code 1\nexpected 2, received 1" });
};

describe("autopilot in a session", () => {
  let sandbox: Sandbox | undefined;
  afterEach(() => {
    sandbox?.close();
    sandbox = undefined;
  });
  const open = (options: SandboxOptions, ...more: Parameters<typeof createSandbox>[0]): Sandbox => {
    sandbox = createSandbox([autopilotPolicy, ralphPolicy, ...more], options);
    return sandbox;
  };
  const runs = (): string[] =>
    runsIn((sandbox as Sandbox).db)
      .of(SESSION)
      .map(({ mode, round }) => `${mode} ${round}`);
  const own = (): ModeRun => runsIn((sandbox as Sandbox).db).get(SESSION, "autopilot") as ModeRun;
  const ended = (): string[] =>
    runsIn((sandbox as Sandbox).db)
      .history()
      .map(({ mode, outcome }) => `${mode} ${outcome}`);
  /** A call that ran, and an end of the turn. */
  const turn = async (text: string) => {
    const before = toolBefore("Read", { file_path: `${PROJECT}/src/a.ts` });
    await sandbox?.send(before);
    await sandbox?.send(
      toolAfter("Read", { file_path: `${PROJECT}/src/a.ts` }, before.name === "tool.before" ? before.tool.useId : ""),
    );
    const { ruling } = (await sandbox?.send(said(text))) ?? {};
    return {
      outcome: ruling?.outcome,
      reason: ruling?.reason ?? "",
      news: (ruling?.notices ?? []).map((one) => one.text).join("\n"),
    };
  };
  const edit = async (tool: string, file: string, type: string) => {
    const event = toolAfter(tool, { file_path: file }, "toolu_edit", { tool_response: { type, filePath: file } });
    await sandbox?.send(event);
  };

  it("goes through all phases to its summary, and says each of them once", async () => {
    const files: Record<string, FakeFile> = {};
    open({ ...withRuns(inPhase("expansion")), files });
    expect((await turn("A first look.")).reason).toContain("Phase 1 of 5");
    expect((await turn("EXPANSION_COMPLETE")).news).toBe(
      "autopilot: expansion is complete, planning is next (phase 2 of 5).",
    );
    expect((await turn("PLANNING_COMPLETE")).reason).toContain("does not count yet");
    files[PLAN_FILE] = "# Plan";
    expect((await turn("PLANNING_COMPLETE")).news).toContain("execution is next (phase 3 of 5)");
    expect(runs()).toEqual(["ralph 0", "autopilot 4", "ultrawork 0"]);
    expect(own().phase).toBe("execution");

    files[ROOT] = prdText("--");
    expect((await turn("Working.")).reason).toContain("Current story: US-001");
    expect(runs()).toEqual(["ralph 1", "autopilot 5", "ultrawork 0"]);
    files[ROOT] = prdText("++");
    await edit("Write", `${PROJECT}/src/new.ts`, "create");
    await edit("Edit", `${PROJECT}/src/old.ts`, "update");
    const asked = await turn("All stories pass.");
    expect(asked.news).toContain("2 of 2");
    expect(asked.reason).toContain("Review 1 of at most 3 is open");
    await sandbox?.send(subagent(APPROVES, "omc:architect"));
    const qa = await turn("The architect has approved.");
    expect(qa.news).toContain("ralph has ended.");
    expect(qa.news).toContain("execution is complete, qa is next (phase 4 of 5).");
    expect(runs()).toEqual(["autopilot 7", "ultraqa 0"]);
    expect(ended().sort()).toEqual(["ralph done", "ultrawork done"]);

    expect((await turn("QA_COMPLETE")).news).toContain("validation is next (phase 5 of 5)");
    expect(runs()).toEqual(["autopilot 8"]);
    for (const event of rejections) await sandbox?.send(event);
    const rejected = await turn("Two have objections.");
    expect(rejected.news).toContain("Round 1 of at most 3 of the validation was not approved");
    expect(rejected.reason).toContain("[quality] fix quality");
    for (const event of approvals) await sandbox?.send(event);
    const end = await turn("VALIDATION_COMPLETE");
    expect(end.outcome).toBe("pass");
    expect(end.news).toMatch(
      /^autopilot has ended after 9 rounds\. Idea: Build me a parser; phases 5\/5; 2 of 2 stories; 1 file created, 1 changed; tests .*; 7 agents, 2 rounds of validation; 1 min$/,
    );
    expect([runs(), ended()[0]]).toEqual([[], "autopilot done"]);
    expect(runsIn((sandbox as Sandbox).db).history()[0]).toMatchObject({
      phase: "complete",
      details: { completed_at: new Date(FAKE_NOW).toISOString() },
    });
    expect(await turn("Done.")).toMatchObject({ outcome: "pass", news: "" });
  });

  it("fails after three rejected rounds, and keeps the run in the history as failed", async () => {
    open({ ...on("validation") });
    for (let at = 1; at <= 3; at++) {
      for (const event of rejections) await sandbox?.send(event);
      expect((await turn("Corrected.")).outcome).toBe(at < 3 ? "hold" : "pass");
    }
    expect([runs(), ended()]).toEqual([[], ["autopilot failed"]]);
  });

  it("hears no reviewer that another policy holds", async () => {
    const holder = policy({
      id: "test/holder",
      summary: "Holds every subagent.",
      why: "For this test.",
      stage: "delegation",
      messages: { wait: "Go on." },
      examples: { hit: ["a"], pass: ["b"] },
      on: { "subagent.stop": (_event, ctx) => ctx.hold("wait", {}, { exit: "" }) },
    });
    open({ ...on("validation") }, holder);
    for (const event of approvals) await sandbox?.send(event);
    expect((await turn("VALIDATION_COMPLETE")).outcome).toBe("hold");
  });

  it("hears reviewers while it waits for an answer of the person, but not when it is stale", async () => {
    open({
      ...withRuns(
        { ...inPhase("validation"), status: "waiting" },
        { ...inPhase("validation"), session: "other", seenAt: 0 },
      ),
    });
    await sandbox?.send(verdict("quality"));
    await sandbox?.send(verdict("quality", "APPROVED", { session_id: "other" }));
    expect(detailsOf(own()).validation.verdicts).toHaveLength(1);
    const stale = runsIn((sandbox as Sandbox).db).get("other", "autopilot") as ModeRun;
    expect(detailsOf(stale).validation.verdicts).toEqual([]);
  });

  it("does not let ralph or ultraqa hold a stop of their own", async () => {
    open({ ...on("execution", ...ralphChildren({ [ROOT]: prdText("-") })), files: { [ROOT]: prdText("-") } });
    const { results } = (await sandbox?.send(stop())) ?? { results: [] };
    expect(results.filter(({ verdicts }) => verdicts.length > 0).map(({ id }) => id)).toEqual(["modes/autopilot"]);
  });

  it("keeps what the person has started: ralph stays, and execution goes on without it", async () => {
    const files: Record<string, FakeFile> = { ...planned.files, [ROOT]: prdText("-") };
    open({ ...on("planning", startedWith({ [ROOT]: prdText("-") }, "of the person")), files });
    const { reason } = await turn("PLANNING_COMPLETE");
    expect(reason).toContain("ralph cannot start while ralph, which autopilot did not start, is on. Work without it.");
    const ralph = runsIn((sandbox as Sandbox).db).get(SESSION, "ralph");
    expect(ralph).toMatchObject({ request: "of the person", parent: "" });
    await turn("EXECUTION_COMPLETE");
    expect([own().phase, runs().length]).toEqual(["execution", 2]);
  });

  it("starts ralph without ultrawork beside ecomode", async () => {
    open({ ...on("planning", aRun("ecomode")), ...planned });
    await turn("PLANNING_COMPLETE");
    expect(runs()).toEqual(["ralph 0", "autopilot 1", "ecomode 0"]);
  });

  it("counts a round of ralph only when the stop was held", async () => {
    const seed = on("execution", ...ralphChildren({ [ROOT]: prdText("-") }));
    open({ ...seed, files: { [ROOT]: prdText("-") } });
    const outcomes: (string | undefined)[] = [];
    for (let at = 0; at < 5; at++) outcomes.push((await sandbox?.send(stop()))?.ruling.outcome);
    expect(outcomes).toEqual(["hold", "hold", "hold", "pass", "pass"]);
    expect(runs()).toEqual(["ralph 3", "autopilot 3", "ultrawork 0"]);
  });

  it("begins the next phase also in the stop at which its rounds are used up", async () => {
    const run = { ...inPhase("execution"), round: 20 };
    open({ ...withRuns(run, ...ralphChildren({})) });
    expect((await turn("EXECUTION_COMPLETE")).news).toContain("its 20 rounds are used up. Left: Phase 4 of 5, qa");
    expect(own()).toMatchObject({ status: "paused", phase: "qa", round: 20 });
    expect(runs()).toEqual(["autopilot 20", "ultraqa 0"]);
  });

  it("pauses with ultraqa, which has new cycles when the person resumes", async () => {
    open({ ...on("qa", ultraqaChild({ round: 5 })) });
    expect((await turn("Done.")).outcome).toBe("pass");
    expect(own()).toMatchObject({ status: "paused", phase: "qa", round: 0 });
    const child = runsIn((sandbox as Sandbox).db).get(SESSION, "ultraqa");
    expect(child).toMatchObject({ status: "paused", parent: "autopilot", round: 5, limit: 10 });
  });

  it("exports its state under the names of oh-my-claudecode", async () => {
    open({ ...on("expansion") });
    await turn("EXPANSION_COMPLETE");
    const rows =
      sandbox?.db.all("SELECT content FROM mirrors WHERE path LIKE '%/.omc/state/autopilot-state.json'") ?? [];
    expect(rows).toHaveLength(1);
    expect(JSON.parse(String(rows[0]?.content))).toMatchObject({
      active: true,
      phase: "planning",
      iteration: 1,
      max_iterations: 20,
      originalIdea: IDEA,
      expansion: { spec_path: ".omc/autopilot/spec.md" },
      phase_durations: { expansion: 60_000 },
    });
  });

  it("links the files of the modes that it starts", async () => {
    open({ ...on("planning"), ...planned });
    await turn("PLANNING_COMPLETE");
    const rows = sandbox?.db.all("SELECT content FROM mirrors WHERE path LIKE '%/.omc/state/ralph-state.json'") ?? [];
    expect(JSON.parse(String(rows[0]?.content))).toMatchObject({
      linked_to: "autopilot",
      linked_to_autopilot: true,
      prompt: IDEA,
    });
  });

  it("reads the same files while it settles as while it decides", async () => {
    open({ ...on("planning"), ...planned });
    const { looked } = (await sandbox?.send(said("PLANNING_COMPLETE"))) ?? { looked: [] };
    expect(looked).toContain(`autopilot-plan:${PLAN_FILE}`);
    expect(own().phase).toBe("execution");
  });

  it("says after a compaction where it stands", async () => {
    open({ ...on("qa", ultraqaChild()) }, persistentPolicy);
    const event = claudeEvent({ hook_event_name: "SessionStart", source: "compact" });
    const { ruling } = (await sandbox?.send(event)) ?? {};
    expect(JSON.stringify(ruling)).toContain("autopilot is on for this request: Build me a parser");
    expect(JSON.stringify(ruling)).toContain("Phase 4 of 5, qa");
    expect(JSON.stringify(ruling)).not.toContain("ultraqa is on for this request");
  });

  it("takes what ultraqa has seen: a test that succeeds, and three equal failures", async () => {
    open({ ...on("qa", ultraqaChild()) }, ultraqaPolicy);
    await sandbox?.send(tests(true));
    const { reason, news } = await turn("The tests pass.");
    expect(reason).toContain("See to build and lint as well.");
    expect(news).toContain("autopilot: ultraqa has seen the tests succeed.");
    expect(detailsOf(own()).qa.test_status).toBe("passing");

    for (let at = 0; at < 3; at++) await sandbox?.send(tests(false));
    const paused = await turn("They fail now.");
    expect(paused).toMatchObject({ outcome: "pass" });
    expect(paused.news).toContain("autopilot is paused. Left: ultraqa has ended without success.");
    expect(own()).toMatchObject({ status: "paused", phase: "qa", details: { qa: { test_status: "failing" } } });

    const plan = planResume(runsIn((sandbox as Sandbox).db), SESSION, "autopilot", undefined, STARTER, FAKE_NOW);
    if (plan.kind === "resume") resume(runsIn((sandbox as Sandbox).db), noFiles(PROJECT), plan, FAKE_NOW);
    await sandbox?.send(tests(false));
    expect((await turn("One failure more.")).reason).toContain("Cycle 2 of 5");
    await sandbox?.send(tests(true));
    await turn("QA_COMPLETE");
    expect(own()).toMatchObject({ phase: "validation", details: { qa: { test_status: "passing" } } });
    expect(ended()).toEqual(["ultraqa goal_met"]);
  });
});
