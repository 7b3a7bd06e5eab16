import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../core/event.ts";
import {
  approvals,
  IDEA,
  inPhase,
  PLAN_FILE,
  ralphChildren,
  rejections,
  reviewed,
  round,
  said,
  subagent,
  ultraqaChild,
  verdict,
  verdictLine,
} from "../../domain/mode/autopilot/autopilot.samples.ts";
import { detailsOf } from "../../domain/mode/autopilot/details.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import { STALE_MS } from "../../domain/mode/modes.ts";
import { prdText, ROOT, startedWith } from "../../domain/mode/ralph/ralph.samples.ts";
import { PROJECT, SESSION, stop, toolAfter } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./autopilot.ts";

const holds = { says: "hold", message: "goes_on" } as const;
const told = [{ says: "notice", message: "news" }] as const;
const ends = { says: "notice", message: "ended" } as const;
const on = (phase: Parameters<typeof inPhase>[0], ...more: readonly ModeRun[]) => withRuns(inPhase(phase), ...more);
const planned = { files: { [PLAN_FILE]: "# Plan" } };

testPolicy(policy, {
  hit: [
    {
      name: "expansion",
      event: stop(),
      ...on("expansion"),
      ...holds,
      text: "autopilot, round 1 of 20. Phase 1 of 5, expansion, of: Build me a parser.",
    },
    {
      name: "expansion is complete",
      event: said("EXPANSION_COMPLETE"),
      ...on("expansion"),
      ...holds,
      also: told,
      text: "Phase 2 of 5, planning",
    },
    {
      name: "planning without a plan",
      event: said("PLANNING_COMPLETE"),
      ...on("planning"),
      ...holds,
      text: "is missing or empty",
    },
    {
      name: "planning with the plan of before",
      event: said("PLANNING_COMPLETE"),
      ...withRuns(inPhase("planning", planned.files)),
      ...planned,
      ...holds,
      text: "is the same as before the start",
    },
    {
      name: "planning with a plan",
      event: said("PLANNING_COMPLETE"),
      ...on("planning"),
      ...planned,
      ...holds,
      also: told,
      text: "Phase 3 of 5, execution",
    },
    {
      name: "execution with ralph",
      event: stop(),
      ...on("execution", ...ralphChildren({ [ROOT]: prdText("+-") })),
      files: { [ROOT]: prdText("+-") },
      ...holds,
      text: "Current story: US-002 Story 2",
    },
    {
      name: "execution without ralph",
      event: stop(),
      ...on("execution"),
      ...holds,
      text: "Carry out every task of .omc/plans/autopilot-impl.md",
    },
    {
      name: "execution is complete",
      event: said("EXECUTION_COMPLETE"),
      ...on("execution"),
      ...holds,
      also: told,
      text: "Phase 4 of 5, qa",
    },
    {
      name: "qa cannot begin beside a mode of the person",
      event: said("EXECUTION_COMPLETE"),
      ...on("execution", startedWith({})),
      ...holds,
      text: "The phase qa cannot begin: ultraqa cannot start while ralph",
    },
    { name: "qa", event: stop(), ...on("qa", ultraqaChild()), ...holds, text: "Run build, lint and tests" },
    {
      name: "qa is complete",
      event: said("QA_COMPLETE"),
      ...on("qa", ultraqaChild()),
      ...holds,
      also: told,
      text: "Phase 5 of 5, validation",
    },
    {
      name: "the rounds of ultraqa are used up",
      event: stop(),
      ...on("qa", ultraqaChild({ round: 5 })),
      says: "notice",
      message: "paused",
      text: "The rounds of ultraqa are used up.",
    },
    { name: "validation", event: stop(), ...on("validation"), ...holds, text: "no reviewer has spoken yet" },
    {
      name: "the signal without a verdict",
      event: said("VALIDATION_COMPLETE"),
      ...on("validation"),
      ...holds,
      text: "does not count before all three",
    },
    {
      name: "the other signal without a verdict",
      event: said("AUTOPILOT_COMPLETE"),
      ...on("validation"),
      ...holds,
      text: "does not count before all three",
    },
    {
      name: "two of three approvals",
      event: said("VALIDATION_COMPLETE"),
      after: approvals.slice(0, 2),
      ...on("validation"),
      ...holds,
      text: "does not count before all three",
    },
    {
      name: "a reviewer rejects",
      event: said("VALIDATION_COMPLETE"),
      after: rejections,
      ...on("validation"),
      ...holds,
      also: told,
      text: "VALIDATION_COMPLETE does not count before all three reviewers have approved.",
    },
    {
      name: "the issues of a rejection",
      event: stop(),
      after: [...rejections, stop()],
      ...on("validation"),
      ...holds,
      text: "- [security] fix security",
    },
    {
      name: "verdicts of the main agent",
      event: said(["functional", "security", "quality"].map((type) => verdictLine(type, "APPROVED")).join("\n")),
      ...on("validation"),
      ...holds,
      text: "no reviewer has spoken yet",
    },
    {
      name: "a verdict without an agent's id",
      event: stop(),
      after: [verdict("functional", "APPROVED", { agent_id: "" })],
      ...on("validation"),
      ...holds,
      text: "no reviewer has spoken yet",
    },
    {
      name: "a verdict of an agent without a type",
      event: stop(),
      after: [verdict("functional", "APPROVED", { agent_type: "" })],
      ...on("validation"),
      ...holds,
      text: "no reviewer has spoken yet",
    },
    {
      name: "a verdict of a worker",
      event: stop(),
      after: [verdict("functional", "APPROVED", { agent_type: "omc:executor" })],
      ...on("validation"),
      ...holds,
      text: "no reviewer has spoken yet",
    },
    {
      name: "a verdict of another session's reviewer",
      event: stop(),
      after: [verdict("functional", "APPROVED", { session_id: "other" })],
      ...on("validation"),
      ...holds,
      text: "no reviewer has spoken yet",
    },
    {
      name: "verdicts of an earlier phase",
      event: stop(),
      after: [...approvals, said("QA_COMPLETE")],
      ...on("qa"),
      ...holds,
      text: "no reviewer has spoken yet",
    },
    {
      name: "a general agent reviews",
      event: stop(),
      after: [verdict("security", "APPROVED", { agent_type: "general-purpose" })],
      ...on("validation"),
      ...holds,
      text: "functional missing, security APPROVED, quality missing",
    },
    {
      name: "a verdict replaces the one before",
      event: stop(),
      after: [verdict("quality", "REJECTED"), verdict("quality")],
      ...on("validation"),
      ...holds,
      text: "functional missing, security missing, quality APPROVED",
    },
    {
      name: "all three approve",
      event: said("VALIDATION_COMPLETE"),
      after: approvals,
      ...on("validation"),
      ...ends,
      text: "autopilot has ended after 0 rounds. Idea: Build me a parser; phases",
    },
    {
      name: "all three approve, with the other signal",
      event: said("AUTOPILOT_COMPLETE"),
      after: approvals,
      ...on("validation"),
      ...ends,
      text: "1 round of validation",
    },
    {
      name: "all three approve in the second round",
      event: said("VALIDATION_COMPLETE"),
      after: [...rejections, stop(), ...approvals],
      ...on("validation"),
      ...ends,
      text: "2 rounds of validation",
    },
    {
      name: "three rejected rounds",
      event: stop(),
      after: [...rejections, ...rejections, ...rejections],
      ...on("validation"),
      ...ends,
      text: "Not approved in 3 rounds: [security] fix security; [quality] fix quality.",
    },
    {
      name: "a question",
      event: said("NEEDS_INPUT: which grammar?"),
      ...on("expansion"),
      says: "notice",
      message: "asks",
      text: "which grammar?",
    },
    {
      name: "a question beside a signal",
      event: said("EXPANSION_COMPLETE\nNEEDS_INPUT: which grammar?"),
      ...on("expansion"),
      says: "notice",
      message: "asks",
    },
    {
      name: "twenty rounds are used up",
      event: stop(),
      ...withRuns({ ...inPhase("qa"), round: 20 }),
      says: "notice",
      message: "used_up",
      text: "autopilot is paused, because its 20 rounds are used up. Left: Phase 4 of 5, qa",
    },
    {
      name: "the twentieth round",
      event: stop(),
      ...withRuns({ ...inPhase("qa"), round: 19 }),
      ...holds,
      text: "autopilot, round 20 of 20",
    },
    {
      name: "an approval after the last round still ends it",
      event: stop(),
      ...withRuns({ ...reviewed(...round("APPROVED", "APPROVED", "APPROVED")), round: 20 }),
      ...ends,
    },
    {
      name: "a state without details",
      event: stop(),
      ...withRuns(aRun("autopilot", { request: IDEA })),
      ...holds,
      text: "Phase 1 of 5, expansion, of: Build me a parser.",
    },
    {
      name: "a signal in a code block",
      event: said("```\nEXPANSION_COMPLETE\n```"),
      ...on("expansion"),
      ...holds,
      text: "Phase 1 of 5",
    },
    {
      name: "the signal of another phase",
      event: said("QA_COMPLETE"),
      ...on("expansion"),
      ...holds,
      text: "Phase 1 of 5",
    },
    {
      name: "the signal of another session",
      event: stop(),
      after: [said("EXPANSION_COMPLETE", { session_id: "other" })],
      ...on("expansion"),
      ...holds,
      text: "Phase 1 of 5",
    },
    {
      name: "the signal of a subagent",
      event: stop(),
      after: [subagent("EXPANSION_COMPLETE", "omc:planner")],
      ...on("expansion"),
      ...holds,
      text: "Phase 1 of 5",
    },
  ],
  pass: [
    { name: "no mode", event: said("EXPANSION_COMPLETE") },
    { name: "a subagent's stop", event: subagent("Done.", "omc:executor"), ...on("execution") },
    { name: "a reviewer's stop", event: verdict("functional"), ...on("validation") },
    { name: "another session in the same project", event: stop({ session_id: "other" }), ...on("expansion") },
    { name: "after its end", event: stop(), after: [...approvals, stop()], ...on("validation") },
    { name: "waiting", event: stop(), ...withRuns({ ...inPhase("qa"), status: "waiting" }) },
    { name: "paused", event: stop(), ...withRuns({ ...inPhase("qa"), status: "paused" }) },
    { name: "detached", event: stop(), ...withRuns({ ...inPhase("qa"), status: "detached" }) },
    { name: "stale", event: stop(), ...withRuns({ ...inPhase("qa"), seenAt: FAKE_NOW - STALE_MS - 1 }) },
  ],
});

describe("the files that autopilot has changed", () => {
  const edited = async (world: SandboxOptions, tool: string, file: string, response: Json): Promise<JsonObject> => {
    const sandbox = createSandbox([policy], world);
    try {
      await sandbox.send(toolAfter(tool, { file_path: file }, "toolu_edit", { tool_response: response }));
      const run = runsIn(sandbox.db).get(SESSION, "autopilot");
      const { files_created, files_modified } = detailsOf(run ?? inPhase("execution")).execution;
      return { files_created, files_modified };
    } finally {
      sandbox.close();
    }
  };
  const file = `${PROJECT}/src/a.ts`;

  const cases: readonly [
    name: string,
    tool: string,
    file: string,
    response: Json,
    created: string[],
    modified: string[],
  ][] = [
    ["a new file", "Write", file, { type: "create" }, ["src/a.ts"], []],
    ["a file that was there", "Write", file, { type: "update" }, [], ["src/a.ts"]],
    ["an edit", "Edit", file, {}, [], ["src/a.ts"]],
    ["an edit without an answer", "Edit", file, null, [], ["src/a.ts"]],
    ["a file of the modes", "Write", PLAN_FILE, { type: "create" }, [], []],
    ["a call that is no edit", "Read", file, { type: "text" }, [], []],
  ];
  it.each(cases)("%s", async (_name, tool, path, response, files_created, files_modified) => {
    expect(await edited(on("execution"), tool, path, response)).toEqual({ files_created, files_modified });
  });

  it.each([
    ["it is paused", withRuns({ ...inPhase("execution"), status: "paused" })],
    ["only another mode is on", withRuns(startedWith({}))],
  ])("none while %s", async (_name, world) => {
    expect(await edited(world, "Write", file, { type: "create" })).toEqual({ files_created: [], files_modified: [] });
  });
});
