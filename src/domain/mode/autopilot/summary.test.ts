import { describe, expect, it } from "vitest";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import type { ModeReader } from "../machine.ts";
import { readerOf } from "../ralph/ralph.samples.ts";
import { type Changed, changed, IDEA, inPhase, MINUTE, review, reviewed, round, stopped } from "./autopilot.samples.ts";
import { autopilot } from "./machine.ts";
import { PHASES, type Phase } from "./phases.ts";
import { summaryText } from "./summary.ts";

const reader: ModeReader = readerOf({});
const approved = round("APPROVED", "APPROVED", "APPROVED");
const durations = Object.fromEntries(PHASES.map((phase) => [phase, 1]));

/** A run whose five phases are over. */
const finished = (changes: Changed = {}) => changed(reviewed(...approved), { phase_durations: durations, ...changes });

describe("the summary at the end", () => {
  it("has everything on one line", () => {
    const run = finished({
      execution: { tasks_completed: 4, tasks_total: 4, files_created: ["a", "b"], files_modified: ["c"] },
      qa: { test_status: "passing" },
    });
    expect(summaryText({ ...run, startedAt: FAKE_NOW - 65 * MINUTE }, FAKE_NOW)).toBe(
      "Idea: Build me a parser; phases 5/5; 4 of 4 stories; 2 files created, 1 changed; tests passing; 3 agents, 1 round of validation; 1 h 5 min",
    );
  });

  const parts: readonly [name: string, changes: Changed, part: string][] = [
    ["no stories", { execution: { tasks_total: 0 } }, "phases 5/5; 0 files created"],
    ["some stories", { execution: { tasks_completed: 2, tasks_total: 5 } }, "; 2 of 5 stories;"],
    ["one new file", { execution: { files_created: ["a"] } }, "; 1 file created, 0 changed;"],
    ["tests that succeeded", { qa: { test_status: "passing" } }, "; tests passing;"],
    ["tests that failed", { qa: { test_status: "failing" } }, "; tests failing;"],
    ["tests that nobody saw", {}, "; tests not seen to succeed;"],
    ["one agent", { total_agents_spawned: 1 }, "; 1 agent, 1 round of validation;"],
    ["several rounds", { validation: { validation_rounds: 2 } }, "2 rounds of validation;"],
    [
      "an execution that was not approved",
      { execution: { ralph_outcome: "unverified" } },
      "; ralph's reviewer did not approve the execution;",
    ],
    ["an idea of exactly 50 characters", { originalIdea: "x".repeat(50) }, `Idea: ${"x".repeat(50)};`],
    ["a longer idea, cut between words", { originalIdea: "word ".repeat(20) }, `Idea: ${"word ".repeat(8)}word…;`],
    ["a longer idea without blanks", { originalIdea: "x".repeat(51) }, `Idea: ${"x".repeat(49)}…;`],
    ["an idea on several lines", { originalIdea: "Build\n\n  a parser" }, "Idea: Build a parser;"],
    ["an idea that was not given", { originalIdea: "" }, `Idea: ${IDEA};`],
  ];
  it.each(parts)("%s", (_name, changes, part) => {
    expect(summaryText(finished(changes), FAKE_NOW)).toContain(part);
  });

  it.each([
    [0, "0 min"],
    [20_000, "0 min"],
    [40_000, "1 min"],
    [59 * MINUTE, "59 min"],
    [60 * MINUTE, "1 h 0 min"],
    [25 * 60 * MINUTE, "25 h 0 min"],
    [-MINUTE, "0 min"],
  ])("after %i ms: %s", (ms, text) => {
    expect(summaryText({ ...finished(), startedAt: FAKE_NOW - ms }, FAKE_NOW)).toMatch(new RegExp(`; ${text}$`));
  });

  it("stands at the end of a run that was approved", () => {
    const run = changed(reviewed(...approved), { phase_durations: { ...durations, validation_start_ms: FAKE_NOW } });
    expect(stopped(run, "VALIDATION_COMPLETE").text).toMatch(/^Idea: Build me a parser; phases 5\/5; /);
  });

  it("a run that failed has four of five phases", () => {
    const rejected = round("REJECTED", "APPROVED", "APPROVED");
    const run = changed(reviewed(...rejected, ...rejected, ...rejected), { phase_durations: durations });
    const { text } = stopped(run, "Done.");
    expect(text).toMatch(
      /^Not approved in 3 rounds: \[functional\] fix functional\. Idea: .*; phases 4\/5; .* 9 agents, 3 rounds/,
    );
  });
});

describe("the short form for tables and the status line", () => {
  const cases: readonly [name: string, phase: Phase, changes: Changed, text: string][] = [
    ["expansion", "expansion", {}, "phase 1 of 5"],
    ["planning", "planning", {}, "phase 2 of 5"],
    ["execution without stories", "execution", {}, "phase 3 of 5"],
    ["execution", "execution", { execution: { tasks_completed: 2, tasks_total: 5 } }, "phase 3 of 5, 2 of 5 stories"],
    ["qa", "qa", {}, "phase 4 of 5"],
    ["qa with tests that fail", "qa", { qa: { test_status: "failing" } }, "phase 4 of 5, tests failing"],
    ["stories in a later phase", "qa", { execution: { tasks_completed: 5, tasks_total: 5 } }, "phase 4 of 5"],
    ["validation", "validation", {}, "phase 5 of 5"],
  ];
  it.each(cases)("%s", (_name, phase, changes, text) => {
    expect(autopilot.progress(changed(inPhase(phase), changes), reader)).toBe(text);
  });

  it("validation with verdicts", () => {
    const run = reviewed(...round("APPROVED", "REJECTED", "APPROVED"), review("quality", "APPROVED"));
    expect(autopilot.progress(run, reader)).toBe("phase 5 of 5, 1 of 3 approved in round 2 of 3");
  });

  it("a state without details", () => {
    expect(autopilot.progress({ ...inPhase("qa"), details: {} }, reader)).toBe("phase 4 of 5");
  });
});
