import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import { withIntegrated, withSplit, withWorkers, workersOf } from "../../domain/mode/ultrapilot/details.ts";
import { subtaskOf } from "../../domain/mode/ultrapilot/split.ts";
import { markWorker, type WorkerStatus } from "../../domain/mode/ultrapilot/workers.ts";
import { PROJECT, SESSION, stop, toolAfter, toolBefore } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./ultrapilot.ts";

const begun = aRun("ultrapilot", { details: { workers: [], sharedFiles: [], integrated: false, callers: {} } });
const SPLIT = {
  subtasks: [
    { ...subtaskOf("1", "the server"), files: ["src/api"] },
    { ...subtaskOf("2", "the pages"), files: ["src/web", "docs/*.md"] },
  ],
  sharedFiles: ["src/shared.ts"],
};
const divided = withSplit(begun, SPLIT);

function after(...states: readonly [n: number, status: Exclude<WorkerStatus, "pending">, at?: number][]) {
  let workers = workersOf(divided);
  for (const [n, status, at = FAKE_NOW] of states) {
    const next = markWorker(workers, n, status, at);
    if ("problem" in next) throw new Error(next.problem);
    workers = next;
  }
  return withWorkers(divided, workers);
}
const complete = after([1, "running"], [2, "running"], [1, "complete"], [2, "complete"]);
const on = withRuns(divided);
const held = { event: stop(), says: "hold", message: "goes_on" } as const;
const foreign = { says: "deny", message: "foreign" } as const;
const worker = (n: number): JsonObject => ({ agent_id: `agent${n}`, agent_type: `worker-${n}` });
const edit = (file: string, more: JsonObject = {}): AnyEvent =>
  toolBefore("Edit", { file_path: `${PROJECT}/${file}`, old_string: "a", new_string: "b" }, more);
const bash = (command: string, more: JsonObject = {}): AnyEvent => toolBefore("Bash", { command }, more);

testPolicy(policy, {
  hit: [
    { name: "the work is not divided", ...held, ...withRuns(begun), text: "not divided yet" },
    {
      name: "workers are pending",
      ...held,
      ...on,
      text: "2 of 2 workers are not complete: worker-1 (pending) the server",
    },
    {
      name: "one worker is complete",
      ...held,
      ...withRuns(after([1, "running"], [1, "complete"])),
      text: "1 of 2 workers",
    },
    {
      name: "a worker has failed",
      ...held,
      ...withRuns(after([1, "running"], [1, "failed"])),
      text: "worker-1 failed",
    },
    {
      name: "all are complete, not integrated",
      ...held,
      ...withRuns(complete),
      text: "Run `hookwright mode integrate`",
    },
    {
      name: "a silent worker",
      ...held,
      ...withRuns(after([1, "running", FAKE_NOW - 300_001])),
      text: "worker-1 failed: silent for 5 minutes",
      also: [{ says: "notice", message: "news" }],
    },
    {
      name: "all are complete and integrated",
      event: stop(),
      ...withRuns(withIntegrated(complete, true)),
      says: "notice",
      message: "ended",
      text: "2 workers are complete",
    },
    {
      name: "a question",
      event: stop({ last_assistant_message: "NEEDS_INPUT: a or b?" }),
      ...on,
      says: "notice",
      message: "asks",
    },
    {
      name: "the rounds are used up",
      event: stop(),
      ...withRuns({ ...divided, round: 20 }),
      says: "notice",
      message: "used_up",
    },
    {
      name: "a file of another worker",
      event: edit("src/web/a.ts", worker(1)),
      ...on,
      ...foreign,
      text: "src/web/a.ts belongs to worker-2, and worker-1 may",
    },
    { name: "a glob of another worker", event: edit("docs/a.md", worker(1)), ...on, ...foreign },
    {
      name: "a shared file by a worker",
      event: edit("package.json", worker(1)),
      ...on,
      ...foreign,
      text: "belongs to coordinator",
    },
    { name: "a shared file that the split names", event: edit("src/shared.ts", worker(2)), ...on, ...foreign },
    {
      name: "a worker's file by the coordinator",
      event: edit("src/api/a.ts"),
      ...on,
      ...foreign,
      text: "coordinator may not",
    },
    {
      name: "a worker's file by another subagent",
      event: edit("src/api/a.ts", { agent_id: "x", agent_type: "executor" }),
      ...on,
      ...foreign,
      text: "an agent that is no worker",
    },
    {
      name: "a plugin's worker",
      event: edit("src/web/a.ts", { agent_id: "x", agent_type: "omc:worker-1" }),
      ...on,
      ...foreign,
      text: "worker-1 may not",
    },
    { name: "a redirection of the shell", event: bash("echo x > src/web/a.ts", worker(1)), ...on, ...foreign },
    { name: "a removal by the shell", event: bash("rm -r src/web", worker(1)), ...on, ...foreign },
    {
      name: "a file moved out of another worker's folder",
      event: bash("mv src/web/a.ts src/api/a.ts", worker(1)),
      ...on,
      ...foreign,
    },
    {
      name: "an agent that has said which worker it is",
      event: edit("src/web/a.ts", { agent_id: "x", agent_type: "general-purpose" }),
      after: [bash("hookwright mode worker 1 running", { agent_id: "x", agent_type: "general-purpose" })],
      ...on,
      ...foreign,
      text: "worker-1 may not",
    },
  ],
  pass: [
    { name: "no mode", event: stop() },
    { name: "its own file", event: edit("src/api/a.ts", worker(1)), ...on },
    { name: "its own glob", event: edit("docs/a.md", worker(2)), ...on },
    { name: "a file that nobody claims", event: edit("src/other.ts", worker(1)), ...on },
    { name: "a shared file by the coordinator", event: edit("package.json"), ...on },
    {
      name: "reading another's file",
      event: toolBefore("Read", { file_path: `${PROJECT}/src/web/a.ts` }, worker(1)),
      ...on,
    },
    { name: "a command that only reads", event: bash("cat src/web/a.ts", worker(1)), ...on },
    { name: "a file outside the project", event: bash("echo x > /tmp/a.txt", worker(1)), ...on },
    {
      name: "a file of a complete worker",
      event: edit("src/api/a.ts"),
      ...withRuns(after([1, "running"], [1, "complete"])),
    },
    { name: "before the work is divided", event: edit("src/web/a.ts", worker(1)), ...withRuns(begun) },
    { name: "paused", event: edit("src/web/a.ts", worker(1)), ...withRuns({ ...divided, status: "paused" }) },
    { name: "another session", event: edit("src/web/a.ts", { ...worker(1), session_id: "another" }), ...on },
    {
      name: "an agent in its own files, after it said which worker it is",
      event: edit("src/api/a.ts", { agent_id: "x", agent_type: "general-purpose" }),
      after: [bash("hookwright mode worker 1 running", { agent_id: "x", agent_type: "general-purpose" })],
      ...on,
    },
  ],
});

describe("what workers change", () => {
  it("is noted, starts a pending worker, and makes an integration void", async () => {
    const sandbox = createSandbox([policy], withRuns(withIntegrated(complete, true)));
    const input = { file_path: `${PROJECT}/src/api/a.ts`, content: "x" };
    await sandbox.send(toolAfter("Write", input, "toolu_1", worker(1)));
    const run = runsIn(sandbox.db).get(SESSION, "ultrapilot");
    expect(run?.details).toMatchObject({ integrated: false });
    expect(run && workersOf(run)[0]).toMatchObject({ filesModified: ["src/api/a.ts"] });
    sandbox.close();
  });

  it("is not written down again for a file that is known", async () => {
    const sandbox = createSandbox([policy], on);
    const input = { file_path: `${PROJECT}/src/api/a.ts`, content: "x" };
    await sandbox.send(toolAfter("Write", input, "toolu_1", worker(1)));
    const before = runsIn(sandbox.db).get(SESSION, "ultrapilot");
    expect(before && workersOf(before)[0]).toMatchObject({ status: "running", filesModified: ["src/api/a.ts"] });
    await sandbox.send(toolAfter("Write", input, "toolu_2", worker(1)));
    expect(runsIn(sandbox.db).get(SESSION, "ultrapilot")).toEqual(before);
    sandbox.close();
  });
});
