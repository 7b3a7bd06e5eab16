import { describe, expect, it } from "vitest";
import { PROJECT, SESSION } from "../../../testing/events.ts";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import { exportedRun } from "../files/exports.ts";
import { aRun } from "../mode.samples.ts";
import { checkRun, readRun } from "../mode-run.ts";
import { readerOf } from "../ralph/ralph.samples.ts";
import { changed, IDEA, inPhase, PLAN_FILE, ralphChildren, reviewed, round, stopped } from "./autopilot.samples.ts";
import { withChangedFiles } from "./changed-files.ts";
import { AUTOPILOT_FIELDS, detailsOf } from "./details.ts";
import { autopilot } from "./machine.ts";
import { PHASES } from "./phases.ts";

const begin = (request: string, files: Record<string, string> = {}) =>
  autopilot.begin({ mode: "autopilot", request }, readerOf(files));

describe("the state of a new run", () => {
  it("has the fields and defaults of oh-my-claudecode's file", () => {
    const run = aRun("autopilot", { request: IDEA, details: begin(IDEA), startedAt: FAKE_NOW });
    expect(exportedRun(run, PROJECT)).toMatchObject({
      active: true,
      phase: "expansion",
      max_iterations: 20,
      originalIdea: IDEA,
      expansion: {
        analyst_complete: false,
        architect_complete: false,
        spec_path: null,
        requirements_summary: "",
        tech_stack: [],
      },
      planning: { plan_path: null, architect_iterations: 0, approved: false },
      execution: {
        ralph_iterations: 0,
        ultrawork_active: false,
        tasks_completed: 0,
        tasks_total: 0,
        files_created: [],
        files_modified: [],
        ralph_completed_at: null,
      },
      qa: {
        ultraqa_cycles: 0,
        build_status: "pending",
        lint_status: "pending",
        test_status: "pending",
        qa_completed_at: null,
      },
      validation: { architects_spawned: 0, verdicts: [], all_approved: false, validation_rounds: 0 },
      started_at: new Date(FAKE_NOW).toISOString(),
      completed_at: null,
      phase_durations: { expansion_start_ms: FAKE_NOW },
      total_agents_spawned: 0,
      wisdom_entries: 0,
      session_id: SESSION,
      project_path: PROJECT,
    });
  });

  it.each([
    [IDEA, IDEA],
    ["", "the work at hand"],
    ["Ein Parser für Änderungen", "Ein Parser für Änderungen"],
  ])("keeps the idea `%s`", (request, idea) => {
    expect(begin(request)).toMatchObject({ originalIdea: idea });
  });

  it("remembers a plan that was there before, by its text", () => {
    const [none, empty, one, same, other] = [
      {},
      { [PLAN_FILE]: " \n" },
      { [PLAN_FILE]: "a" },
      { [PLAN_FILE]: "a" },
      { [PLAN_FILE]: "b" },
    ].map(
      (files) =>
        detailsOf(aRun("autopilot", { details: begin(IDEA, files as Record<string, string>) })).planning.plan_at_start,
    );
    expect([none, empty]).toEqual(["", ""]);
    expect(one).not.toBe("");
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it("says until when it goes on", () => {
    expect(autopilot.until(inPhase("expansion"))).toBe(
      "the functional, the security and the quality reviewer have approved the result",
    );
  });
});

describe("a stored state", () => {
  it.each(PHASES)("can be written and read in the phase %s", (phase) => {
    const run = inPhase(phase);
    expect(checkRun(run, AUTOPILOT_FIELDS)).toEqual(run);
    expect(readRun(JSON.parse(JSON.stringify(run)), () => AUTOPILOT_FIELDS)).toEqual(run);
  });

  it("is the same after a look at it", () => {
    const run = reviewed(...round("APPROVED", "REJECTED", "NEEDS_FIX"));
    expect(detailsOf(run)).toEqual(run.details);
  });

  const odd: readonly [name: string, value: unknown][] = [
    ["missing parts", {}],
    ["null", { expansion: null, planning: null, execution: null, qa: null, validation: null, phase_durations: null }],
    ["parts of other types", { expansion: [], execution: "x", qa: 4, validation: true, phase_durations: ["a"] }],
    [
      "fields of other types",
      {
        expansion: { spec_path: 4, tech_stack: "x" },
        qa: { test_status: "fine", ultraqa_cycles: "3" },
        phase_durations: { qa: "3" },
      },
    ],
  ];
  it.each(odd)("with %s is as in a new run", (_name, details) => {
    const run = aRun("autopilot", { request: IDEA, details: details as never });
    const { phase_durations: _begun, ...expected } = detailsOf(inPhase("expansion"));
    expect(detailsOf(run)).toEqual({ ...expected, phase_durations: {} });
  });

  it.each([
    ["an unknown field", { plan: "x" }],
    ["a count that is text", { total_agents_spawned: "3" }],
    ["a part that is a list", { qa: [] }],
  ])("is refused with %s", (_name, details) => {
    expect(() => checkRun(aRun("autopilot", { details: details as never }), AUTOPILOT_FIELDS)).toThrow(/autopilot/);
  });
});

describe("the texts for the model", () => {
  it.each(PHASES)("the guide in the phase %s says where the run stands and how it goes on", (phase) => {
    const guide = autopilot.guide(inPhase(phase), readerOf({}));
    expect(guide).toMatch(/^autopilot is on for this request: Build me a parser\n/);
    expect(guide).toContain(`Phase ${PHASES.indexOf(phase) + 1} of 5, ${phase}, of: ${IDEA}.`);
    expect(guide).toContain("NEEDS_INPUT: the question");
    const others = PHASES.filter((other) => other !== phase).map((other) => `${other.toUpperCase()}_COMPLETE`);
    for (const signal of others) expect(guide).not.toContain(signal);
  });

  it.each([
    ["expansion", ".omc/autopilot/spec.md"],
    ["planning", ".omc/plans/autopilot-impl.md"],
    ["planning", "`critic` or `general-purpose`"],
    ["execution", "`RALPH_COMPLETE` asks for its reviewer"],
    ["qa", "Run build, lint and tests"],
    ["qa", "the mode ultraqa works inside"],
    ["validation", '<validation-verdict type="functional">APPROVED</validation-verdict>'],
    ["validation", "`general-purpose`, one for each type"],
    ["validation", "REJECTED or NEEDS_FIX"],
  ] as const)("the guide in the phase %s has: %s", (phase, part) => {
    expect(autopilot.guide(inPhase(phase), readerOf({}))).toContain(part);
  });

  it("stay short, whatever was asked for and found", () => {
    const issues = Array.from({ length: 10 }, (_, index) => `${index} ${"long ".repeat(60)}`);
    const heard = round("APPROVED", "REJECTED", "NEEDS_FIX").map(
      ([agent, message]) => [agent, `${issues.map((one) => `- ${one}\n`).join("")}${message}`] as const,
    );
    const run = changed(reviewed(...heard), { originalIdea: "idea ".repeat(500) });
    const { text } = stopped(run, "Done.");
    expect(text.length).toBeLessThan(2_600);
    expect(text).toMatch(/more in the reviewers' messages/);
    expect(text).toContain("ask all three reviewers again");
    const execution = changed(inPhase("execution"), { originalIdea: "idea ".repeat(500) });
    expect(stopped(execution, "Done.", { children: ralphChildren({}) }).text.length).toBeLessThan(2_000);
  });

  it("a text does not end the mode when the agent repeats it", () => {
    for (const phase of PHASES) {
      const run = inPhase(phase);
      const { text } = stopped(run, "Done.");
      expect(stopped(run, text, { files: { [PLAN_FILE]: "x" } }).run.phase).toBe(phase);
    }
  });
});

describe("the files that it has changed", () => {
  const execution = inPhase("execution");
  const edit = (run: typeof execution, file: string, isNew = false) =>
    withChangedFiles(run, { files: [file], isNew, project: PROJECT });

  it("are told apart by whether they were there", () => {
    const first = edit(execution, `${PROJECT}/src/new.ts`, true) ?? execution;
    const second = edit(first, `${PROJECT}/src/old.ts`) ?? first;
    expect(detailsOf(second).execution).toMatchObject({
      files_created: ["src/new.ts"],
      files_modified: ["src/old.ts"],
    });
  });

  it.each([true, false])("count once", (isNew) => {
    const first = edit(execution, `${PROJECT}/src/a.ts`, isNew) ?? execution;
    expect(edit(first, `${PROJECT}/src/a.ts`)).toBeUndefined();
    expect(edit(first, `${PROJECT}/src/a.ts`, true)).toBeUndefined();
  });

  it.each([
    ["outside of the project", "/home/dev/other/a.ts"],
    ["beside the project, with a name that begins alike", `${PROJECT}-2/a.ts`],
    ["of the modes", PLAN_FILE],
    ["that is the project itself", PROJECT],
  ])("not a file %s", (_name, file) => {
    expect(edit(execution, file, true)).toBeUndefined();
  });

  it("a folder whose name only begins like that of the modes counts", () => {
    expect(edit(execution, `${PROJECT}/.omc-docs/a.md`)).toBeDefined();
  });

  it.each(PHASES)("in the phase %s", (phase) => {
    const isCounted = phase !== "expansion" && phase !== "planning";
    expect(edit(inPhase(phase), `${PROJECT}/a.ts`) !== undefined).toBe(isCounted);
  });

  it("are at most 500", () => {
    const files = Array.from({ length: 499 }, (_, index) => `f${index}`);
    const run = changed(execution, { execution: { files_created: files } });
    const last = edit(run, `${PROJECT}/last.ts`) ?? run;
    expect(detailsOf(last).execution.files_modified).toEqual(["last.ts"]);
    expect(edit(last, `${PROJECT}/more.ts`)).toBeUndefined();
  });
});
