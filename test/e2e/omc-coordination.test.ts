/** The pack `coordination` in the real client, one scenario for each of its hooks. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientUnderTest } from "./client.ts";
import { agent, bash, continuations, newProject, runWithModes, write } from "./mode-session.ts";
import { newText, toolResult, wholeText } from "./model-requests.ts";
import type { ToolCall } from "./model-script.ts";
import { killIfAlive, processesStartedWith } from "./processes.ts";
import { hookwright } from "./product.ts";
import type { Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = await newProject();
});
afterEach(() => scratch.dispose());

const omc = (...parts: string[]): string => join(scratch.project, ".omc", ...parts);
const json = (...parts: string[]): Record<string, unknown> =>
  JSON.parse(readFileSync(omc(...parts), "utf8")) as Record<string, unknown>;
const lines = (...parts: string[]): Record<string, unknown>[] =>
  readFileSync(omc(...parts), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const inBackground = (command: string, id: string): ToolCall => ({
  ...{ tool: "Bash", id },
  input: { command, description: `task ${id}`, run_in_background: true },
});

describe("subagent-tracker", () => {
  it("records a real subagent from its start to its end, and says nothing", async () => {
    let during: { agents: Record<string, unknown>[] } | undefined;
    const look = async (): Promise<void> => {
      during = JSON.parse(await hookwright(scratch, ["agents", "--json"])) as typeof during;
    };
    const { requests, model, result } = await runWithModes(scratch, {
      prompt: "look around",
      script: {
        main: [agent("general-purpose", "scout", "toolu_scout"), "Over."],
        queues: { scout: [{ say: bash("true"), before: look }, "Trees and a river."] },
      },
    });
    expect(during?.agents).toMatchObject([{ type: "general-purpose", state: "running", task: "a part" }]);
    const scout = model.conversation("scout");
    expect(scout).toHaveLength(2);
    expect([...requests, ...scout].map(wholeText).join("\n")).not.toMatch(/subagent-tracker|agent_start/);
    expect(json("state", "subagent-tracking.json")).toMatchObject({
      agents: [
        {
          ...{ agent_type: "general-purpose", status: "completed", session_id: result.session_id },
          ...{ task_description: "a part", output_summary: "Trees and a river." },
        },
      ],
      ...{ total_spawned: 1, total_completed: 1, total_failed: 0 },
    });
    const replay = lines("state", `agent-replay-${result.session_id}.jsonl`);
    expect(replay.map(({ event }) => event)).toEqual(["agent_start", "agent_stop"]);
    const table = await hookwright(scratch, ["agents"]);
    expect(table).toMatch(/general-purpose +completed .* a part$/m);
    expect((await scratch.run("git", ["status", "--porcelain"])).stdout).toBe("");
  });

  it("does not show the subagent of a killed session as running", async () => {
    const killed = runWithModes(scratch, {
      prompt: "look around",
      script: {
        main: [agent("general-purpose", "scout"), "Over."],
        queues: { scout: [bash("true"), { say: "Trees.", before: () => killIfAlive(clientPid()) }] },
      },
    });
    await expect(killed).rejects.toThrow("printed no result");
    expect(json("state", "subagent-tracking.json")).toMatchObject({ agents: [{ status: "running" }] });
    await runWithModes(scratch, { prompt: "what is 2 + 2?", script: { main: ["4."] } });
    expect(json("state", "subagent-tracking.json")).toMatchObject({ agents: [{ status: "failed" }], total_failed: 1 });
    expect(await hookwright(scratch, ["agents"])).toMatch(/ lost /);
  });
});

/** The client that runs in the scratch's home. */
function clientPid(): number {
  const { binary } = clientUnderTest();
  const pids = processesStartedWith([`HOME=${scratch.home}`], scratch.hookwrightHome);
  const isClient = (pid: number): boolean =>
    readFileSync(join("/proc", `${pid}`, "cmdline"), "utf8").startsWith(binary);
  return pids.find(isClient) ?? expect.fail("no client runs");
}

describe("omc-orchestrator", () => {
  it("reminds the main agent of delegation once, and a subagent never", async () => {
    const file = (name: string): string => join(scratch.project, name);
    const { requests, model } = await runWithModes(scratch, {
      prompt: "port it",
      script: {
        main: [
          write(file("one.ts"), "1;\n", "toolu_one"),
          write(file("two.ts"), "2;\n", "toolu_two"),
          agent("general-purpose", "helper"),
          "Over.",
        ],
        queues: { helper: [write(file("three.ts"), "3;\n", "toolu_three"), "Written."] },
      },
    });
    expect(newText(requests[1] ?? expect.fail("no second request"))).toContain(
      "one.ts: edits are left to subagents here",
    );
    const later = [...requests.slice(2), ...model.conversation("helper")].map(newText).join("\n");
    expect(later).not.toContain("edits are left to subagents");
    expect(
      readdirSync(scratch.project)
        .filter((name) => name.endsWith(".ts"))
        .sort(),
    ).toEqual(["one.ts", "three.ts", "two.ts"]);
    const audit = lines("logs", "delegation-audit.jsonl");
    expect(audit.map(({ decision, filePath }) => [decision, filePath])).toEqual([
      ["warned", "one.ts"],
      ["warned", "two.ts"],
    ]);
  });

  it("leaves edits to subagents where the person has made it strict", async () => {
    scratch.write(join(scratch.home, ".claude", ".omc-config.json"), '{ "delegationEnforcementLevel": "strict" }');
    const file = join(scratch.project, "one.ts");
    const { requests } = await runWithModes(scratch, {
      prompt: "port it",
      script: {
        main: [write(file, "1;\n", "toolu_main"), agent("general-purpose", "helper"), "Over."],
        queues: { helper: [write(file, "2;\n", "toolu_helper"), "Written."] },
      },
    });
    const refused = toolResult(requests, "toolu_main");
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("one.ts is to be changed by a subagent");
    expect(readFileSync(file, "utf8")).toBe("2;\n");
  });

  it("denies the third background task where two are allowed, with their list, and says what pkill -f ends", async () => {
    const { requests } = await runWithModes(scratch, {
      prompt: "start the servers",
      env: { OMC_MAX_BACKGROUND_TASKS: "2" },
      script: {
        main: [
          inBackground("sleep 20", "toolu_one"),
          inBackground("sleep 21", "toolu_two"),
          inBackground("touch made-by-three", "toolu_three"),
          bash("true || pkill -f no-such-server", "toolu_kill"),
          "Over.",
        ],
      },
    });
    const refused = toolResult(requests, "toolu_three");
    expect(refused.text).toContain("2 background tasks of this session run, and 2 is the limit:");
    expect(refused.text).toContain("task toolu_one");
    expect(refused.text).toContain("task toolu_two");
    expect(existsSync(join(scratch.project, "made-by-three"))).toBe(false);
    expect(requests.map(newText).join("\n")).toContain("`pkill -f no-such-server` looks at whole command lines");
  });
});

describe("background-notification", () => {
  it("tells the next session of a task whose session was killed, once", async () => {
    const killed = runWithModes(scratch, {
      prompt: "start the build",
      script: {
        main: [inBackground("sleep 3", "toolu_build"), { say: "Over.", before: () => killIfAlive(clientPid()) }],
      },
    });
    await expect(killed).rejects.toThrow("printed no result");
    const asks = { prompt: "what is 2 + 2?", script: { main: ["4."] } };
    const next = await runWithModes(scratch, asks);
    expect(wholeText(next.requests[0] ?? expect.fail("no request"))).toContain(
      '- command "task toolu_build": did not end before its session was over',
    );
    const third = await runWithModes(scratch, asks);
    expect(wholeText(third.requests[0] ?? expect.fail("no request"))).not.toContain("toolu_build");
  });

  it("says nothing of a task that the client itself reports", async () => {
    const script = {
      main: [inBackground("true", "toolu_build"), bash("sleep 1"), "Over.", "Over."],
      whenExhausted: "Over.",
    };
    await runWithModes(scratch, { prompt: "start the build", script });
    const next = await runWithModes(scratch, { prompt: "what is 2 + 2?", script: { main: ["4."] } });
    expect(wholeText(next.requests[0] ?? expect.fail("no request"))).not.toContain("toolu_build");
  });
});

describe("session-end", () => {
  it("writes the file of the session before the client is gone, and detaches its modes", async () => {
    const { result } = await runWithModes(scratch, {
      prompt: "ultrawork: port the scripts",
      script: {
        main: [agent("general-purpose", "scout"), "NEEDS_INPUT: which scripts?"],
        queues: { scout: ["Trees."] },
      },
    });
    const id = result.session_id;
    expect(json("sessions", `${id}.json`)).toMatchObject({
      ...{ session_id: id, reason: "other", agents_spawned: 1, agents_completed: 1, modes_used: ["ultrawork"] },
      started_at: expect.stringMatching(/^\d{4}-/),
      ended_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(json("state", "ultrawork-state.json")).toMatchObject({ session_id: id, status: "detached" });
    expect((await scratch.run("git", ["status", "--porcelain"])).stdout).toBe("");
  });
});

describe("todo-continuation", () => {
  it("holds the completion line of a mode once while a task of the session is open", async () => {
    const task = { subject: "write the test", description: "For the login." };
    const { requests } = await runWithModes(scratch, {
      prompt: "ultrawork: port the scripts",
      env: { CLAUDE_CODE_ENABLE_TASKS: "1" },
      script: { main: [{ tool: "TaskCreate", input: task }, "ULTRAWORK_COMPLETE", "ULTRAWORK_COMPLETE"] },
    });
    const texts = continuations(requests);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain("this session has 1 open task: write the test");
  });
});
