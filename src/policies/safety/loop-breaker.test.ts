import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { madeSecrets } from "../../core/secrets/secrets.samples.ts";
import { claudeEvent, prompt, toolAfter, toolBefore } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./loop-breaker.ts";

const subagent = { agent_id: "a1", agent_type: "Explore" };
const INPUT = { command: "npm test", description: "Run the tests" };
const ERROR = "Exit code 1\nsrc/cart.test.ts:12:5 expected 3, got 4";

let calls = 0;
const failed = (error = ERROR, input: JsonObject = INPUT, more: JsonObject = {}): AnyEvent =>
  claudeEvent({
    hook_event_name: "PostToolUseFailure",
    tool_name: "Bash",
    tool_input: input,
    tool_use_id: `toolu_loop_${++calls}`,
    error,
    ...more,
  });
const ran = (tool: string, input: JsonObject): AnyEvent => toolAfter(tool, input, `toolu_ran_${++calls}`);
const again = (input: JsonObject = INPUT, more: JsonObject = {}): AnyEvent => toolBefore("Bash", input, more);
const times = (count: number, error = ERROR): AnyEvent[] => Array.from({ length: count }, () => failed(error));

const asks = { says: "ask", message: "loop" } as const;
const tells = { says: "note", message: "again" } as const;

testPolicy(policy, {
  hit: [
    { name: "the third failure", after: times(2), event: failed(), ...tells, text: "failed 3 times in a row" },
    {
      name: "the try after it",
      after: times(3),
      event: again(),
      ...asks,
      text: "(src/cart.test.ts:12:5 expected 3, got 4)",
    },
    { name: "yet another try, after a person let one pass", after: times(4), event: again(), ...asks, text: "4 times" },
    {
      name: "a call that is described in other words",
      after: times(3),
      event: again({ ...INPUT, description: "Once more" }),
      ...asks,
    },
    {
      name: "its fields in another order",
      after: times(3),
      event: again({ description: "", command: "npm test" }),
      ...asks,
    },
    {
      name: "errors that differ in times, durations, line numbers and temporary names",
      after: [
        failed("Exit code 1\n2026-11-19T21:30:01.123Z src/a.ts:12:5 failed in 1.25s, see /tmp/x81a/log (pid 4711)"),
        failed("Exit code 1\n2026-11-19T21:31:07.001Z src/a.ts:19:1 failed in 903ms, see /tmp/qq12/log (pid 4802)"),
        failed("Exit code 1\n2026-11-19T21:32:59.500Z src/a.ts:7 failed in 2 s, see /tmp/0007/log (pid 5000)"),
      ],
      event: again(),
      ...asks,
    },
    {
      name: "after looking at files in between",
      after: [failed(), ran("Read", { file_path: "/p/a" }), failed(), ran("Grep", { pattern: "x" }), failed()],
      event: again(),
      ...asks,
    },
    { name: "a smaller limit", options: { times: 2 }, after: times(2), event: again(), ...asks },
    {
      name: "a subagent's own calls",
      after: [1, 2, 3].map(() => failed(ERROR, INPUT, subagent)),
      event: again(INPUT, subagent),
      ...asks,
    },
    { name: "an error without a text", after: times(3, ""), event: again(), ...asks, text: "(without a text)" },
    { name: "an error of a million characters", after: times(3, `x${"y".repeat(1e6)}`), event: again(), ...asks },
    {
      name: "a prompt that a machine wrote",
      after: [...times(3), prompt("<task-notification>done</task-notification>")],
      event: again(),
      ...asks,
    },
  ],
  pass: [
    { name: "the first failure", event: failed() },
    { name: "the second failure", after: times(1), event: failed() },
    { name: "the fourth failure, which was told before", after: times(3), event: failed() },
    { name: "the third try", after: times(2), event: again() },
    { name: "another call", after: times(3), event: again({ command: "npm run lint" }) },
    { name: "the same command with another tool", after: times(3), event: toolBefore("PowerShell", INPUT) },
    { name: "after an edit", after: [...times(3), ran("Edit", { file_path: "/p/a" })], event: again() },
    { name: "after another command", after: [...times(3), ran("Bash", { command: "npm ci" })], event: again() },
    { name: "after it has succeeded", after: [...times(3), ran("Bash", INPUT)], event: again() },
    { name: "after another failure", after: [...times(3), failed("Exit code 2", { command: "make" })], event: again() },
    {
      name: "after another error of it",
      after: [...times(3), failed("Exit code 1\nexpected 3, got 5")],
      event: again(),
    },
    {
      name: "fewer tests that fail",
      after: [failed("12 tests failed"), failed("11 tests failed")],
      event: failed("10 tests failed"),
    },
    { name: "after a prompt of a person", after: [...times(3), prompt("try again")], event: again() },
    { name: "in another session", after: times(3), event: again(INPUT, { session_id: "another" }) },
    { name: "a subagent, when the main thread has failed", after: times(3), event: again(INPUT, subagent) },
    {
      name: "calls that a person has interrupted",
      after: [1, 2, 3].map(() => failed("Interrupted", INPUT, { is_interrupt: true })),
      event: again(),
    },
  ],
});

describe("what is kept of a failing call", () => {
  it("has no secret of the call or its error", async () => {
    const secret = madeSecrets(200).find(({ shape }) => shape === "GitLab")?.secret ?? expect.fail("no sample");
    const sandbox = createSandbox([policy]);
    for (const event of [1, 2, 3].map(() => failed(`login with ${secret} refused`, { command: `login ${secret}` }))) {
      await sandbox.send(event);
    }
    const rows = JSON.stringify(sandbox.db.all("SELECT * FROM entries"));
    expect(rows).toContain('\\"count\\":3');
    expect(rows).not.toContain(secret);
    sandbox.close();
  });

  it("is nothing after a success, and a call that succeeds writes nothing", async () => {
    const sandbox = createSandbox([policy]);
    const changes = (): number => Number(sandbox.db.get("SELECT COUNT(*) AS n FROM entries")?.n);
    await sandbox.send(failed());
    expect(changes()).toBe(1);
    await sandbox.send(ran("Bash", { command: "ls" }));
    expect(changes()).toBe(0);
    const before = sandbox.db.all("SELECT * FROM revisions");
    await sandbox.send(ran("Bash", { command: "ls" }));
    expect(sandbox.db.all("SELECT * FROM revisions")).toEqual(before);
    sandbox.close();
  });
});
