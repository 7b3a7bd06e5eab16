import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { sessionFile } from "../../domain/mode/files/exports.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import { STALE_MS } from "../../domain/mode/modes.ts";
import { detailsOf } from "../../domain/mode/ultraqa/details.ts";
import { failed, ran, startedAs } from "../../domain/mode/ultraqa/ultraqa.samples.ts";
import type { Database } from "../../state/database.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { PROJECT, prompt, SESSION, stop, toolAfter, toolBefore } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import keywordDetector from "../detection/keyword-detector.ts";
import registryPolicy from "./mode-registry.ts";
import policy from "./ultraqa.ts";

const NODE = { "package.json": '{"scripts": {"test": "vitest run"}}' };
const run = (changed: Partial<ModeRun> = {}): ModeRun => startedAs({}, NODE, changed);
const on = withRuns(run());
const said = (text: string) => stop({ last_assistant_message: text });
const fails = (name: string) => failed("npm test", `Exit code 1\nFAIL ${name}`);
const fiveFailures = ["a", "b", "c", "d", "e"].map(fails);
const missing = failed("npm test", "Exit code 127\n/bin/bash: line 1: npm: command not found");
const holds = { says: "hold", message: "goes_on" } as const;
const ends = { says: "notice", message: "ended" } as const;
const decides = { says: "note", message: "decided" } as const;
const unproven = { says: "note", message: "unproven" } as const;

testPolicy(policy, {
  hit: [
    { name: "no call yet", event: stop(), ...on, ...holds, text: "ultraqa, round 1 of 5. Cycle 1 of 5: `npm test`" },
    {
      name: "a failure",
      event: stop(),
      after: [fails("login")],
      ...on,
      ...holds,
      text: "Its last failure: FAIL login",
    },
    { name: "its cycle", event: stop(), after: [fails("a"), fails("b")], ...on, ...holds, text: "Cycle 3 of 5" },
    { name: "the model's own word", event: said("ULTRAQA_COMPLETE"), ...on, ...holds, text: "Cycle 1 of 5" },
    { name: "or true", event: stop(), after: [ran("npm test || true")], ...on, ...holds, text: "Cycle 1 of 5" },
    { name: "a list", event: stop(), after: [ran("npm test; echo ok")], ...on, ...holds, text: "Cycle 1 of 5" },
    { name: "a pipe", event: stop(), after: [ran("npm test | tail")], ...on, ...holds, text: "Cycle 1 of 5" },
    {
      name: "the background",
      event: stop(),
      after: [ran("npm test", {}, { run_in_background: true })],
      ...on,
      ...holds,
      text: "Cycle 1 of 5",
    },
    {
      name: "a call that was announced and then denied",
      event: stop(),
      after: [toolBefore("Bash", { command: "npm test" })],
      ...on,
      ...holds,
      text: "Cycle 1 of 5",
    },
    {
      name: "a success in another session",
      event: stop(),
      after: [ran("npm test", { session_id: "another" })],
      ...on,
      ...holds,
      text: "Cycle 1 of 5",
    },
    {
      name: "a success and then a failure",
      event: stop(),
      after: [ran("npm test"), fails("a")],
      ...on,
      ...holds,
      text: "Cycle 2 of 5",
    },
    { name: "a success", event: stop(), after: [fails("a"), ran("npm test")], ...on, ...ends, text: "in cycle 2 of 5" },
    {
      name: "a success of a subagent",
      event: stop(),
      after: [ran("npm test", { agent_id: "a1", agent_type: "tester" })],
      ...on,
      ...ends,
      text: "`npm test` has succeeded",
    },
    {
      name: "three equal failures",
      event: stop(),
      after: [fails("a 1ms"), fails("a 20 ms"), fails("A 3ms")],
      ...on,
      ...ends,
      text: "3 times in a row in the same way, in cycle 3 of 5. Left: FAIL A 3ms",
    },
    {
      name: "a failure in each cycle",
      event: stop(),
      after: fiveFailures,
      ...on,
      says: "notice",
      message: "paused",
      text: "Left: `npm test` has failed in each of its 5 cycles (max_cycles), the last time with: FAIL e Go on with `hookwright mode resume ultraqa`",
    },
    {
      name: "no more cycles than rounds",
      event: stop(),
      after: fiveFailures.slice(0, 3),
      ...withRuns(run({ limit: 3 })),
      says: "notice",
      message: "paused",
      text: "in each of its 3 cycles",
    },
    {
      name: "nothing to run",
      event: stop(),
      after: [missing],
      ...on,
      ...ends,
      text: "env_error: `npm test` cannot be run",
    },
    {
      name: "a question",
      event: said("NEEDS_INPUT: which one?"),
      ...on,
      says: "notice",
      message: "asks",
      text: "which one",
    },
    {
      name: "the rounds are used up",
      event: stop(),
      ...withRuns(run({ round: 5 })),
      says: "notice",
      message: "used_up",
      text: "Cycle 1 of 5",
    },
    { name: "tells of the success at once", event: ran("npm test"), ...on, ...decides, text: "ends with this turn" },
    {
      name: "tells of the third equal failure at once",
      event: fails("a"),
      after: [fails("a"), fails("a")],
      ...on,
      ...decides,
      text: "Say what the cause seems to be",
    },
    {
      name: "tells of the last cycle at once",
      event: fails("e"),
      after: fiveFailures.slice(0, 4),
      ...on,
      ...decides,
      text: "pauses with this turn",
    },
    { name: "tells of what cannot be run at once", event: missing, ...on, ...decides, text: "Install or repair" },
    { name: "tells that a pipe hides it", event: ran("npm test | tail"), ...on, ...unproven, text: "`npm test`" },
    { name: "tells that `or true` hides it", event: ran("npm test || true"), ...on, ...unproven },
    {
      name: "tells that the background hides it",
      event: ran("npm test", {}, { run_in_background: true }),
      ...on,
      ...unproven,
    },
    {
      name: "a run that autopilot has started records its calls as well",
      event: ran("npm test"),
      ...withRuns(aRun("autopilot"), run({ parent: "autopilot" })),
      ...decides,
      text: "`npm test` has succeeded",
    },
    {
      name: "while it waits for an answer",
      event: ran("npm test"),
      after: [said("NEEDS_INPUT: a?")],
      ...on,
      ...decides,
    },
  ],
  pass: [
    { name: "no mode: a stop", event: stop() },
    { name: "no mode: a success", event: ran("npm test") },
    { name: "no mode: a failure", event: fails("a") },
    { name: "another mode", event: fails("a"), ...withRuns(aRun("ultrawork")) },
    { name: "a failure in the middle", event: fails("a"), ...on },
    { name: "another command", event: ran("npm run lint"), ...on },
    { name: "another command that fails", event: failed("npm run lint"), ...on },
    { name: "another tool", event: toolAfter("Read", { file_path: "/home/dev/app/a.ts" }, "r1"), ...on },
    { name: "a pipe after the success", event: ran("npm test | tail"), after: [ran("npm test")], ...on },
    { name: "a second success", event: ran("npm test"), after: [ran("npm test")], ...on },
    { name: "a fourth failure", event: fails("a"), after: [fails("a"), fails("a"), fails("a")], ...on },
    { name: "after its end", event: stop(), after: [ran("npm test"), stop()], ...on },
    { name: "after its pause", event: stop(), after: [...fiveFailures, stop()], ...on },
    { name: "a stop of a subagent", event: stop({ agent_id: "a1", agent_type: "tester" }), ...on },
    { name: "a stop of another session", event: stop({ session_id: "another" }), ...on },
    {
      name: "a stop of a run that autopilot decides about",
      event: stop(),
      ...withRuns(aRun("autopilot"), run({ parent: "autopilot" })),
    },
    { name: "a paused run: a stop", event: stop(), ...withRuns(run({ status: "paused" })) },
    { name: "a paused run: a success", event: ran("npm test"), ...withRuns(run({ status: "paused" })) },
    { name: "a stale run", event: ran("npm test"), ...withRuns(run({ seenAt: FAKE_NOW - STALE_MS - 1 })) },
  ],
});

describe("ultraqa in a session", () => {
  const play = async (events: readonly AnyEvent[], seed: { seed?(db: Database): void } = on, files = {}) => {
    const sandbox = createSandbox([keywordDetector, registryPolicy, policy], { ...seed, files });
    const rulings = [];
    try {
      for (const event of events) rulings.push((await sandbox.send(event)).ruling);
      const runs = runsIn(sandbox.db);
      const file = mirrorOf(sandbox.db, sessionFile(PROJECT, SESSION, "ultraqa") ?? "", true);
      return { rulings, run: runs.get(SESSION, "ultraqa"), history: runs.history(), file: file?.content ?? "" };
    } finally {
      sandbox.close();
    }
  };

  it.each<[string, AnyEvent[], string, JsonObject]>([
    ["a success", [fails("a"), ran("npm test")], "goal_met", { cycle: 2, failures: ["fail a"] }],
    [
      "three equal failures",
      Array(3)
        .fill(0)
        .map(() => fails("a")),
      "same_failure",
      { cycle: 3, failures: Array(3).fill("fail a") },
    ],
    ["nothing to run", [missing], "env_error", { cycle: 1, failures: [] }],
  ])("keeps %s in the history, with the last failure and cycle", async (_name, events, outcome, details) => {
    const { run: left, history, file } = await play([...events, stop()]);
    expect(left).toBeUndefined();
    expect(file).toBe("");
    expect(history).toMatchObject([{ mode: "ultraqa", outcome, details: { exit_reason: outcome, ...details } }]);
  });

  it("keeps a run whose cycles are used up, and says why", async () => {
    const { run: left, file, rulings } = await play([...fiveFailures, stop()]);
    expect(left).toMatchObject({
      status: "paused",
      details: { cycle: 6, failures: { length: 5 }, exit_reason: "max_cycles" },
    });
    expect(left?.why).toContain("max_cycles");
    expect(JSON.parse(file)).toMatchObject({ status: "paused", cycle: 6, max_cycles: 5, goal_type: "tests" });
    expect(rulings.at(-1)?.outcome).toBe("pass");
  });

  it("goes on with new cycles where a person resumes it", async () => {
    const { run: left, rulings } = await play([...fiveFailures, stop(), prompt("ultraqa resume"), fails("f"), stop()]);
    expect(rulings.at(-1)?.outcome).toBe("hold");
    expect(rulings.at(-1)?.reason).toContain("Cycle 7 of 10");
    expect(left).toMatchObject({ status: "active", details: { cycle: 7, max_cycles: 10 } });
  });

  it("says in every continuation how to end it", async () => {
    const { rulings } = await play([stop()]);
    expect(rulings[0]?.reason).toContain("To end it: the person types `/cancel`");
  });

  it("is exported after each failure, before any stop", async () => {
    const { file } = await play([fails("Login 12ms")]);
    expect(JSON.parse(file)).toMatchObject({
      active: true,
      cycle: 2,
      failures: ["fail login"],
      goal_pattern: "npm test",
    });
  });

  it("is ended by a cancellation, and nothing is recorded any more", async () => {
    const { run: left, history } = await play([fails("a"), prompt("/cancel"), fails("b"), stop()]);
    expect(left).toBeUndefined();
    expect(history).toMatchObject([{ outcome: "cancelled", details: { failures: ["fail a"] } }]);
  });

  it.each<[string, string, JsonObject]>([
    ["a typed skill", "/ultraqa --goal tests", { goal_type: "tests", goal_pattern: "npm test", goal_folder: "" }],
    ["a skill of the plugin", "/omc:ultraqa --goal tests fix it", { goal_type: "tests", goal_pattern: "npm test" }],
    ["a command", '/ultraqa --goal custom --command "make check"', { goal_type: "custom", goal_pattern: "make check" }],
    ["a name", "ultraqa: --goal tests", { goal_type: "tests", goal_pattern: "npm test" }],
    ["words", "use ultraqa to fix the login", { goal_type: "tests", goal_pattern: "npm test" }],
  ])("is started by %s", async (_name, text, details) => {
    const files = { [`${PROJECT}/package.json`]: NODE["package.json"] };
    const { run: begun, rulings } = await play([prompt(text)], {}, files);
    expect(begun).toMatchObject({ status: "active", limit: 5, details });
    expect(rulings[0]?.notices[0]?.text).toContain(
      `ultraqa is on: it goes on until \`${String(details.goal_pattern)}\` has certainly succeeded`,
    );
    expect(rulings[0]?.notes[0]?.text).toMatch(/^ultraqa is on/);
  });

  it("is started for the folder of the person", async () => {
    const files = { [`${PROJECT}/.git`]: { dir: 0o755 }, [`${PROJECT}/web/package.json`]: NODE["package.json"] };
    const cwd = `${PROJECT}/web`;
    const events = [prompt("/ultraqa --goal tests", { cwd }), ran("npm test"), stop({ cwd }), ran("npm test", { cwd })];
    const { run: begun, rulings } = await play(events, {}, files);
    expect(begun && detailsOf(begun)).toMatchObject({ goal_folder: "web", exit_reason: "goal_met" });
    expect(rulings[2]?.outcome).toBe("hold");
  });

  it.each(["--goal speed", "--goal custom"])("is not started by %s, and says why", async (flags) => {
    const { run: none, rulings } = await play([prompt(`/ultraqa ${flags}`)], {});
    expect(none).toBeUndefined();
    expect(rulings[0]?.notices[0]?.text).toContain("ultraqa was not started");
  });

  it("writes nothing at a call without a mode, and nothing at a call that means nothing", async () => {
    for (const seed of [{}, on, withRuns(aRun("ralph"))]) {
      const sandbox = createSandbox([policy], seed);
      try {
        const rows = () => sandbox.db.all("SELECT * FROM entries WHERE store = 'modes' ORDER BY scope, key");
        const before = rows();
        for (const event of [ran("ls"), failed("ls"), ran("npm test | tail"), toolAfter("Read", {}, "r2")]) {
          await sandbox.send(event);
        }
        expect(rows()).toEqual(before);
      } finally {
        sandbox.close();
      }
    }
  });

  it("asks nothing of the outside while no mode is on", async () => {
    const sandbox = createSandbox([policy], {});
    try {
      for (const event of [ran("npm test"), fails("a"), stop()]) {
        const { looked, results } = await sandbox.send(event);
        expect(looked.filter((name) => !name.startsWith("project:"))).toEqual([]);
        expect(results.map(({ verdicts }) => verdicts.length)).toEqual([0]);
      }
    } finally {
      sandbox.close();
    }
  });
});
