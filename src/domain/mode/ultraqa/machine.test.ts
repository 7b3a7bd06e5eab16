import { describe, expect, it } from "vitest";
import { PROJECT } from "../../../testing/events.ts";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import { exportedRun } from "../files/exports.ts";
import { checkRun, type ModeRun } from "../mode-run.ts";
import type { CallResult } from "./call-result.ts";
import { afterCall } from "./cycles.ts";
import { detailsOf, ULTRAQA_FIELDS, type UltraqaDetails, withDetails } from "./details.ts";
import { ultraqa } from "./machine.ts";
import { decidedText } from "./texts.ts";
import { readerOf, startedAs } from "./ultraqa.samples.ts";

const NODE = { "package.json": '{"scripts": {"test": "vitest run", "lint": "biome check"}}' };
const MET: CallResult = { kind: "met" };
const UNPROVEN: CallResult = { kind: "unproven" };
const fails = (text: string): CallResult => ({ kind: "failed", error: `Exit code 1\nFAIL ${text}` });
const MISSING: CallResult = { kind: "cannot-run", error: "Exit code 127\nbash: line 1: npm: command not found" };

const afterCalls = (run: ModeRun, ...results: readonly CallResult[]): ModeRun =>
  results.reduce((one, result) => withDetails(one, afterCall(detailsOf(one), result)), run);
const stepOf = (run: ModeRun, files: Record<string, string> = {}, lastMessage = "Done.") =>
  ultraqa.step(run, { lastMessage, now: FAKE_NOW }, readerOf(files), []);
const different = (count: number): CallResult[] => Array.from({ length: count }, (_, index) => fails(`test ${index}`));
const run = startedAs({}, NODE);

describe("a start", () => {
  it.each<[string, Parameters<typeof startedAs>, Partial<UltraqaDetails>]>([
    ["finds the check", [{}, NODE], { goal_type: "tests", goal_pattern: "npm test", goal_folder: "" }],
    ["with a goal", [{ request: "--goal lint" }, NODE], { goal_type: "lint", goal_pattern: "npm run lint" }],
    [
      "with a command",
      [{ request: '--goal custom --command "make check"' }, NODE],
      { goal_type: "custom", goal_pattern: "make check", goal_folder: "" },
    ],
    ["by options", [{ request: "x", goal: "tests", command: "sh t.sh" }, NODE], { goal_pattern: "sh t.sh" }],
    ["in a project without a check", [{}, {}], { goal_pattern: "", goal_folder: "" }],
    [
      "in a subfolder with its own check",
      [{ folder: `${PROJECT}/web` }, { ...NODE, "web/package.json": '{"scripts": {"test": "jest"}}' }],
      { goal_pattern: "npm test", goal_folder: "web" },
    ],
    ["in a subfolder without", [{ folder: `${PROJECT}/web` }, NODE], { goal_pattern: "npm test", goal_folder: "" }],
    [
      "in a subfolder, with a command",
      [{ folder: `${PROJECT}/web`, command: "make x" }, NODE],
      { goal_pattern: "make x", goal_folder: "web" },
    ],
    ["in a worktree", [{ folder: "/wt", command: "make x" }, {}], { goal_folder: "/wt" }],
    ["with the rounds of the configuration", [{ limit: 3 }, NODE], { max_cycles: 3, cycle: 1, failures: [] }],
  ])("%s", (_name, [start, files], details) => {
    const begun = startedAs(start, files);
    expect(begun.details).toMatchObject(details);
    expect(checkRun(begun, ULTRAQA_FIELDS)).toBe(begun);
  });

  it("exports the fields that the original has", () => {
    expect(exportedRun(afterCalls(run, fails("a")), PROJECT)).toMatchObject({
      active: true,
      goal_type: "tests",
      goal_pattern: "npm test",
      cycle: 2,
      max_cycles: 5,
      failures: ["fail a"],
      session_id: run.session,
      project_path: PROJECT,
      started_at: new Date(run.startedAt).toISOString(),
    });
  });

  it("tells the person until when it goes on, and the model how", () => {
    expect(ultraqa.until(run)).toBe("`npm test` has certainly succeeded");
    expect(ultraqa.until(startedAs({ folder: `${PROJECT}/web`, command: "make x" }))).toBe(
      "`make x` in web has certainly succeeded",
    );
    expect(ultraqa.until(startedAs({ request: "--goal lint" }))).toContain("a usual command for lint");
    const guide = ultraqa.guide(startedAs({ request: "--goal tests fix the login" }, NODE), readerOf({}));
    expect(guide).toMatch(/^ultraqa is on: it goes on until `npm test` has certainly succeeded \(all tests pass\)/);
    for (const text of ["exactly `npm test` in a call of its own", "cycle 1 of 5", "Request: fix the login\n"])
      expect(guide).toContain(text);
    expect(guide).toContain("NEEDS_INPUT");
  });
});

describe("calls", () => {
  const state = (one: ModeRun) => {
    const { cycle, failures, equal_failures, exit_reason } = detailsOf(one);
    return [cycle, failures.length, equal_failures, exit_reason];
  };

  it.each<[string, CallResult[], [number, number, number, string]]>([
    ["none", [], [1, 0, 0, ""]],
    ["a success", [MET], [1, 0, 0, "goal_met"]],
    ["one that proves nothing", [UNPROVEN], [1, 0, 0, ""]],
    ["a failure ends a cycle", [fails("a")], [2, 1, 1, ""]],
    ["two equal failures", [fails("a"), fails("a")], [3, 2, 2, ""]],
    [
      "three equal failures: the last one and its cycle are saved",
      Array(3).fill(fails("a")),
      [3, 3, 3, "same_failure"],
    ],
    ["equal but for times", [fails("a 1 ms"), fails("a 22 ms"), fails("A  3ms")], [3, 3, 3, "same_failure"]],
    ["two equal failures and another one", [fails("a"), fails("a"), fails("b")], [4, 3, 1, ""]],
    ["equal ones, but not in a row", [fails("a"), fails("b"), fails("a"), fails("a")], [5, 4, 2, ""]],
    ["equal ones around a call that proves nothing", [fails("a"), UNPROVEN, fails("a")], [3, 2, 2, ""]],
    ["equal ones around a success", [fails("a"), fails("a"), MET, fails("a")], [4, 3, 1, ""]],
    ["four different failures", different(4), [5, 4, 1, ""]],
    ["five different failures: more than there are cycles", different(5), [6, 5, 1, "max_cycles"]],
    [
      "a failure in the last cycle that is the third equal one",
      [...different(2), ...Array(3).fill(fails("x"))],
      [5, 5, 3, "same_failure"],
    ],
    ["a failure after a success", [MET, fails("a")], [2, 1, 1, ""]],
    ["a success after three equal failures", [...Array(3).fill(fails("a")), MET], [3, 3, 0, "goal_met"]],
    ["a failure after three equal ones", [...Array(3).fill(fails("a")), fails("b")], [3, 3, 3, "same_failure"]],
    ["a success after the last cycle", [...different(5), MET], [6, 5, 0, "goal_met"]],
    ["a failure after the last cycle", different(6), [6, 5, 1, "max_cycles"]],
    ["a command that cannot be run is no cycle", [MISSING], [1, 0, 0, "env_error"]],
    ["it can be run again", [MISSING, MET], [1, 0, 0, "goal_met"]],
    ["it can be run again, and fails", [MISSING, fails("a")], [2, 1, 1, ""]],
    ["it can no longer be run", [fails("a"), MISSING], [2, 1, 1, "env_error"]],
    ["it cannot be run after three equal failures", [...Array(3).fill(fails("a")), MISSING], [3, 3, 3, "same_failure"]],
  ])("%s", (_name, results, expected) => {
    expect(state(afterCalls(run, ...results))).toEqual(expected);
  });

  it("keep the last twenty failures of a long run", () => {
    const long = afterCalls(startedAs({ limit: 100 }, NODE, { limit: 100 }), ...different(30));
    expect(detailsOf(long).failures).toHaveLength(20);
    expect(detailsOf(long)).toMatchObject({ cycle: 31, max_cycles: 100, exit_reason: "" });
  });

  it("change nothing where they say nothing new", () => {
    const met = detailsOf(afterCalls(run, MET));
    expect(afterCall(met, MET)).toBe(met);
    expect(afterCall(met, UNPROVEN)).toBe(met);
  });
});

describe("a stop", () => {
  const ends = (one: ModeRun) => {
    const { kind, outcome } = stepOf(one);
    return outcome === undefined ? kind : `${kind} ${outcome}`;
  };

  it.each<[string, CallResult[], string]>([
    ["before any call is held", [], "hold"],
    ["after a call that proves nothing is held", [UNPROVEN], "hold"],
    ["after a failure is held", [fails("a")], "hold"],
    ["after a success ends it", [MET], "end goal_met"],
    ["after a success and a failure is held", [MET, fails("a")], "hold"],
    ["after three equal failures ends it", Array(3).fill(fails("a")), "end same_failure"],
    ["after the last cycle pauses it", different(5), "pause"],
    ["ends it where the command cannot be run", [MISSING], "end env_error"],
  ])("%s", (_name, results, expected) => {
    expect(ends(afterCalls(run, ...results))).toBe(expected);
  });

  it.each(["ULTRAQA_COMPLETE", "QA_COMPLETE", "All tests pass."])("is held, whatever the model says: %s", (message) => {
    expect(stepOf(run, {}, message).kind).toBe("hold");
  });

  it.each<[string, CallResult[], string[]]>([
    ["at first", [], ["Cycle 1 of 5: `npm test` has not certainly succeeded yet.", "No failure of it was seen yet."]],
    ["after a failure", [fails("login works")], ["Cycle 2 of 5", "Its last failure: FAIL login works"]],
    ["after two equal ones", [fails("a"), fails("a")], ["Cycle 3 of 5", "2 times in a row", "look for another cause"]],
  ])("says %s where the run is and what proves its end", (_name, results, texts) => {
    const { text } = stepOf(afterCalls(run, ...results));
    for (const part of [...texts, "Run exactly `npm test` in a call of its own", "`|| true`", "The call itself counts"])
      expect(text).toContain(part);
    expect(text.length).toBeLessThan(1_500);
  });

  it("names the request without the flags", () => {
    const named = startedAs({ request: "--goal tests --command 'npm test' fix the login" }, NODE);
    expect(stepOf(named).text).toContain("Request: fix the login\n");
    expect(stepOf(run).text).not.toContain("Request");
  });

  it("stays short with an endless command, request and failure", () => {
    const huge = startedAs({ request: "fix ".repeat(2_000), command: "make ".repeat(300) });
    expect(stepOf(afterCalls(huge, fails("x".repeat(50_000)))).text.length).toBeLessThan(2_000);
  });

  it.each<[string, CallResult[], string]>([
    ["the success", [fails("a"), MET], "`npm test` has succeeded in cycle 2 of 5."],
    [
      "three equal failures",
      Array(3).fill(fails("a")),
      "3 times in a row in the same way, in cycle 3 of 5. Left: FAIL a",
    ],
    ["the last cycle", different(5), "in each of its 5 cycles (max_cycles), the last time with: FAIL test 4"],
    ["what cannot be run", [MISSING], "env_error: `npm test` cannot be run here. Left: bash: line 1: npm"],
  ])("tells the person of %s", (_name, results, text) => {
    expect(stepOf(afterCalls(run, ...results)).text).toContain(text);
  });

  it.each<[string, CallResult[], string]>([
    ["the success", [MET], "`npm test` has succeeded"],
    ["three equal failures", Array(3).fill(fails("a")), "what was tried, and end the turn"],
    ["the last cycle", different(5), "in each of the 5 cycles"],
    ["what cannot be run", [MISSING], "Install or repair what is missing"],
  ])("was announced to the model after %s", (_name, results, text) => {
    expect(decidedText(detailsOf(afterCalls(run, ...results)))).toContain(text);
  });

  it("looks again for the check of a project that had none", () => {
    const bare = startedAs({}, {});
    expect(stepOf(bare).text).toContain("a usual command for tests that checks the whole project");
    const { run: found, text } = stepOf(bare, NODE);
    expect(detailsOf(found).goal_pattern).toBe("npm test");
    expect(text).toContain("exactly `npm test`");
  });

  it("looks for no check of a goal that the person has defined", () => {
    const custom = startedAs({ request: '--goal custom --command "./x.sh"' });
    expect(detailsOf(stepOf(custom, NODE).run).goal_pattern).toBe("./x.sh");
  });

  it("means the same for a run that autopilot has started", () => {
    const child = startedAs({ goal: "tests", request: "build a shop" }, NODE, { parent: "autopilot" });
    expect(stepOf(child)).toMatchObject({ kind: "hold" });
    expect(stepOf(afterCalls(child, fails("a"), MET))).toMatchObject({ kind: "end", outcome: "goal_met" });
    expect(stepOf(afterCalls(child, ...different(5)))).toMatchObject({ kind: "pause" });
  });

  it("is held for a state without details, as another build wrote it", () => {
    const old = { ...run, details: {} };
    expect(stepOf(old).text).toContain("Cycle 1 of 5: a usual command for tests");
    expect(stepOf(afterCalls(old, MET)).outcome).toBe("goal_met");
  });
});

describe("a run that was paused after its last cycle", () => {
  const paused: ModeRun = { ...stepOf({ ...afterCalls(run, ...different(5)), round: 3 }).run, status: "paused" };
  const resumed: ModeRun = { ...paused, status: "active", limit: 8 };

  it("shows that all of them are used up", () => {
    expect(ultraqa.progress(paused, readerOf({}))).toBe("cycle 5 of 5");
  });

  it.each([
    ["as many as at the start", 8, "cycle 6 of 10", 4],
    ["one", 4, "cycle 6 of 6", 0],
    ["just as many rounds as before", 5, "cycle 6 of 7", 1],
  ])("has so many new cycles when it is resumed: %s", (_name, limit, progress, more) => {
    const one = { ...resumed, limit };
    expect(ultraqa.progress(one, readerOf({}))).toBe(progress);
    expect(stepOf(one).kind).toBe("hold");
    const fresh = Array.from({ length: more + 1 }, (_, index) => fails(`new test ${index}`));
    expect(stepOf(afterCalls(one, ...fresh.slice(0, more))).kind).toBe("hold");
    expect(stepOf(afterCalls(one, ...fresh)).kind).toBe("pause");
  });

  it("keeps them over further stops and a second pause", () => {
    const held: ModeRun = { ...stepOf(resumed).run, round: 4 };
    expect(ultraqa.progress(held, readerOf({}))).toBe("cycle 6 of 10");
    const again: ModeRun = { ...stepOf(afterCalls(held, ...different(5))).run, status: "paused" };
    expect(ultraqa.progress(again, readerOf({}))).toBe("cycle 10 of 10");
    expect(ultraqa.progress({ ...again, status: "active", limit: 9 }, readerOf({}))).toBe("cycle 11 of 15");
  });

  it("has more cycles as well where its rounds were used up", () => {
    const rounds: ModeRun = { ...afterCalls(run, ...different(2)), round: 5, limit: 10 };
    expect(ultraqa.progress(rounds, readerOf({}))).toBe("cycle 3 of 10");
  });
});
