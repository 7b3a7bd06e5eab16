import { describe, expect, it } from "vitest";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import { readerOf } from "../ralph/ralph.samples.ts";
import {
  type Changed,
  changed,
  detailsAfter,
  type Files,
  IDEA,
  inPhase,
  MINUTE,
  modesOf,
  PLAN_FILE,
  ralphChildren,
  review,
  reviewed,
  round,
  stopped,
  ultraqaChild,
} from "./autopilot.samples.ts";
import { detailsOf } from "./details.ts";
import { autopilot } from "./machine.ts";
import { PHASES, type Phase } from "./phases.ts";

const SIGNALS = [
  "EXPANSION_COMPLETE",
  "PLANNING_COMPLETE",
  "EXECUTION_COMPLETE",
  "QA_COMPLETE",
  "VALIDATION_COMPLETE",
  "AUTOPILOT_COMPLETE",
];
const PLANNED: Files = { [PLAN_FILE]: "# Plan\n- parse\n" };
const OWN: Readonly<Record<string, string>> = {
  expansion: "EXPANSION_COMPLETE",
  planning: "PLANNING_COMPLETE",
  execution: "EXECUTION_COMPLETE",
  qa: "QA_COMPLETE",
};

describe("a phase ends by its signal", () => {
  it.each([
    ["expansion", "planning", 2],
    ["planning", "execution", 3],
    ["execution", "qa", 4],
    ["qa", "validation", 5],
  ] as const)("%s leads to %s", (phase, next, number) => {
    const step = stopped(inPhase(phase), `It is done.\n\n${OWN[phase]}`, { files: PLANNED });
    expect([step.kind, step.run.phase]).toEqual(["hold", next]);
    expect(step.news).toBe(`${phase} is complete, ${next} is next (phase ${number} of 5).`);
    expect(step.text).toContain(`Phase ${number} of 5, ${next}, of: ${IDEA}.`);
  });

  it.each(["expansion", "planning", "execution", "qa"] as const)("%s: the signal in bold", (phase) => {
    expect(stopped(inPhase(phase), `**${OWN[phase]}**`, { files: PLANNED }).run.phase).not.toBe(phase);
  });

  const wrong = PHASES.flatMap((phase) =>
    SIGNALS.filter((signal) => signal !== OWN[phase]).map((signal) => [phase, signal] as const),
  );
  it.each(wrong)("%s: %s does nothing", (phase, signal) => {
    const step = stopped(inPhase(phase), signal, { files: PLANNED });
    expect([step.kind, step.run.phase, step.news]).toEqual(["hold", phase, undefined]);
    expect(step.run.details).toEqual(inPhase(phase).details);
  });

  const places: readonly [name: string, said: (signal: string) => string][] = [
    ["in a sentence", (signal) => `I write ${signal} when it is done.`],
    ["in a code block", (signal) => `\`\`\`\n${signal}\n\`\`\``],
    ["in a block of tildes", (signal) => `~~~text\n${signal}\n~~~`],
    ["in a code block that is not closed", (signal) => `\`\`\`\n${signal}`],
    ["as inline code", (signal) => `\`${signal}\``],
    ["quoted", (signal) => `> ${signal}`],
    ["as an item of a list", (signal) => `- ${signal}`],
    ["in lower case", (signal) => signal.toLowerCase()],
    ["with a full stop", (signal) => `${signal}.`],
    ["nothing at all", () => ""],
  ];
  it.each(places)("not %s", (_name, said) => {
    for (const [phase, signal] of Object.entries(OWN)) {
      expect(stopped(inPhase(phase as Phase), said(signal), { files: PLANNED }).run.phase).toBe(phase);
    }
  });

  it("two signals in one message end one phase", () => {
    const said = "EXPANSION_COMPLETE\nPLANNING_COMPLETE";
    const step = stopped(inPhase("expansion"), said, { files: PLANNED });
    expect(step.run.phase).toBe("planning");
    expect(stopped(step.run, "Done.", { files: PLANNED }).run.phase).toBe("planning");
  });

  it("without a signal each phase goes on, and says which word ends it", () => {
    for (const phase of ["expansion", "planning", "execution", "qa"] as const) {
      const step = stopped(inPhase(phase), "I am done.", { files: PLANNED });
      expect([step.kind, step.run.phase, step.news]).toEqual(["hold", phase, undefined]);
      expect(step.text).toContain(`write ${OWN[phase]} alone on a line`);
    }
  });

  it.each(["", "strange", "complete"])("a run in the phase `%s` begins at the beginning", (phase) => {
    const step = stopped({ ...inPhase("expansion"), phase }, "EXPANSION_COMPLETE");
    expect(step.run.phase).toBe("planning");
  });

  it("records what has ended and how long it took", () => {
    const start = FAKE_NOW - MINUTE;
    const planning = stopped(inPhase("expansion"), "EXPANSION_COMPLETE", { now: FAKE_NOW });
    expect(detailsAfter(planning)).toMatchObject({
      expansion: { analyst_complete: true, architect_complete: true, spec_path: ".omc/autopilot/spec.md" },
      phase_durations: { expansion_start_ms: start, expansion: MINUTE, planning_start_ms: FAKE_NOW },
      completed_at: null,
    });
    const execution = stopped(planning.run, "PLANNING_COMPLETE", { files: PLANNED, now: FAKE_NOW + 5 });
    expect(detailsAfter(execution)).toMatchObject({
      planning: { plan_path: ".omc/plans/autopilot-impl.md", approved: true },
      phase_durations: { expansion: MINUTE, planning: 5, execution_start_ms: FAKE_NOW + 5 },
    });
    const qa = stopped(execution.run, "EXECUTION_COMPLETE", { now: FAKE_NOW + 7 });
    const validation = stopped(qa.run, "QA_COMPLETE", { now: FAKE_NOW + 17 });
    expect(detailsAfter(validation)).toMatchObject({
      qa: { qa_completed_at: new Date(FAKE_NOW + 17).toISOString() },
      phase_durations: { execution: 2, qa: 10, validation_start_ms: FAKE_NOW + 17 },
    });
  });

  it("a phase whose beginning was not recorded took no time", () => {
    const run = { ...inPhase("expansion"), details: {} };
    expect(detailsAfter(stopped(run, "EXPANSION_COMPLETE")).phase_durations.expansion).toBe(0);
  });
});

describe("planning", () => {
  const cases: readonly [name: string, atStart: Files, now: Files, problem: string][] = [
    ["without a plan", {}, {}, "is missing or empty"],
    ["with an empty plan", {}, { [PLAN_FILE]: "" }, "is missing or empty"],
    ["with a blank plan", {}, { [PLAN_FILE]: " \n\t\n" }, "is missing or empty"],
    ["with a plan that was removed", PLANNED, {}, "is missing or empty"],
    ["with the plan of before the start", PLANNED, PLANNED, "is the same as before the start"],
    ["with a plan in another file", {}, { [PLAN_FILE.replace("autopilot-impl", "plan")]: "x" }, "is missing or empty"],
  ];
  it.each(cases)("does not end %s", (_name, atStart, files, problem) => {
    const step = stopped(inPhase("planning", atStart), "PLANNING_COMPLETE", { files });
    expect([step.kind, step.run.phase, step.news]).toEqual(["hold", "planning", undefined]);
    expect(step.text).toContain(
      `PLANNING_COMPLETE does not count yet, because .omc/plans/autopilot-impl.md ${problem}`,
    );
    expect(step.begins).toBeUndefined();
  });

  it.each([
    ["a new plan", {}, PLANNED],
    ["an old plan that was changed", PLANNED, { [PLAN_FILE]: "# Plan\n- parse\n- print\n" }],
    ["an empty one that was filled", { [PLAN_FILE]: "\n" }, PLANNED],
  ])("ends with %s", (_name, atStart, files) => {
    expect(
      stopped(inPhase("planning", atStart as Files), "PLANNING_COMPLETE", { files: files as Files }).run.phase,
    ).toBe("execution");
  });

  it("says nothing about the plan without the signal", () => {
    expect(stopped(inPhase("planning"), "Done.").text).not.toContain("does not count");
  });

  it("the plan alone does not end it", () => {
    expect(stopped(inPhase("planning"), "Done.", { files: PLANNED }).run.phase).toBe("planning");
  });
});

describe("validation", () => {
  const approved = round("APPROVED", "APPROVED", "APPROVED");
  const rejected = round("APPROVED", "REJECTED", "NEEDS_FIX");

  it.each(["VALIDATION_COMPLETE", "AUTOPILOT_COMPLETE", "I am done."])("ends with three approvals and `%s`", (said) => {
    const step = stopped(reviewed(...approved), said);
    expect([step.kind, step.outcome, step.run.phase]).toEqual(["end", "done", "complete"]);
    expect(detailsAfter(step)).toMatchObject({
      completed_at: new Date(FAKE_NOW).toISOString(),
      phase_durations: { validation: 0 },
    });
  });

  it.each(["VALIDATION_COMPLETE", "AUTOPILOT_COMPLETE"])("does not end with `%s` alone", (signal) => {
    for (const run of [inPhase("validation"), reviewed(...approved.slice(0, 2)), reviewed(...rejected)]) {
      const step = stopped(run, signal);
      expect([step.kind, step.run.phase]).toEqual(["hold", "validation"]);
      expect(step.text).toContain("VALIDATION_COMPLETE does not count before all three reviewers have approved.");
    }
  });

  it("does not end with verdicts that the main agent writes", () => {
    const said = [...approved.map(([, message]) => message), "VALIDATION_COMPLETE"].join("\n");
    const step = stopped(inPhase("validation"), said);
    expect([step.kind, step.run.phase, detailsAfter(step).validation.verdicts]).toEqual(["hold", "validation", []]);
  });

  it.each([
    ["no verdict", [], "Round 1 of at most 3: no reviewer has spoken yet."],
    [
      "one approval",
      approved.slice(0, 1),
      "Round 1 of at most 3: functional APPROVED, security missing, quality missing.",
    ],
    ["a rejected round", rejected, "Round 1 of at most 3: functional APPROVED, security REJECTED, quality NEEDS_FIX."],
    [
      "a second round",
      [...rejected, ...approved.slice(1)],
      "Round 2 of at most 3: functional missing, security APPROVED, quality APPROVED.",
    ],
  ] as const)("goes on with %s", (_name, heard, text) => {
    const step = stopped(reviewed(...heard), "Done.");
    expect(step.kind).toBe("hold");
    expect(step.text).toContain(text);
  });

  it("tells the model the issues, with the type of their reviewer", () => {
    const { text } = stopped(reviewed(...rejected), "Done.");
    expect(text).toContain("- [security] fix security\n- [quality] fix quality");
    expect(text).toContain("Correct the issues. Then ask all three reviewers again");
  });

  it("tells the person of each rejected round once", () => {
    const first = stopped(reviewed(...rejected), "Done.");
    expect(first.news).toBe(
      "Round 1 of at most 3 of the validation was not approved: functional APPROVED, security REJECTED, quality NEEDS_FIX.",
    );
    expect(stopped(first.run, "Done.").news).toBeUndefined();
    expect(stopped(reviewed(...rejected, ...rejected), "Done.").news).toContain("Round 2 of at most 3");
  });

  it("fails after three rejected rounds, and names what is left", () => {
    const run = reviewed(...rejected, ...rejected, ...rejected);
    const step = stopped(run, "VALIDATION_COMPLETE");
    expect([step.kind, step.outcome, step.run.phase]).toEqual(["end", "failed", "failed"]);
    expect(step.text).toContain("Not approved in 3 rounds: [security] fix security; [quality] fix quality.");
    expect(detailsAfter(step).completed_at).toBe(new Date(FAKE_NOW).toISOString());
  });

  it("goes on while the third round is open", () => {
    expect(stopped(reviewed(...rejected, ...rejected, ...rejected.slice(0, 2)), "Done.").kind).toBe("hold");
  });

  it("ends when the third round approves", () => {
    expect(stopped(reviewed(...rejected, ...rejected, ...approved), "Done.").outcome).toBe("done");
  });

  it.each(["expansion", "planning", "execution", "qa"] as const)(
    "a reviewer in the phase %s is only counted",
    (phase) => {
      const run = inPhase(phase);
      const heard = autopilot.heard?.(run, ...review("functional", "APPROVED"), readerOf({})) ?? run;
      expect(detailsOf(heard)).toMatchObject({ total_agents_spawned: 1, validation: detailsOf(run).validation });
    },
  );

  it("counts every agent, and those that look at the plan", () => {
    const heard = ["omc:critic", "planner", ""].reduce(
      (run, type) => autopilot.heard?.(run, type, "Done.", readerOf({})) ?? run,
      inPhase("planning"),
    );
    expect(detailsOf(heard)).toMatchObject({ total_agents_spawned: 3, planning: { architect_iterations: 3 } });
  });
});

describe("a run in an odd state", () => {
  it("does not ask the children of another phase", () => {
    const children = [...ralphChildren({}), ultraqaChild()];
    for (const phase of ["expansion", "planning", "validation"] as const) {
      const step = stopped(inPhase(phase), "RALPH_COMPLETE\nULTRAQA_COMPLETE", { children });
      expect([step.kind, step.children, modesOf(step.finishes)]).toEqual(["hold", undefined, []]);
    }
  });

  it("keeps what it does not know how to read as in a new run", () => {
    const broken = { qa: "x", planning: [], validation: 3 } as unknown as Changed;
    const run = changed(inPhase("planning"), broken);
    expect(detailsAfter(stopped(run, "Done."))).toMatchObject({
      qa: { test_status: "pending" },
      planning: { approved: false },
    });
  });
});
