/** Runs `hookwright run` with real processes: a fake agent, and the real wrapper, watchdog, job and hook. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { killByPid, type Running, sleep } from "../../../../test/support/processes.ts";
import { query } from "../../../../test/support/records.ts";
import { DIST, LAUNCHER, World } from "../../../../test/support/world.ts";

const ENGINE = path.resolve(import.meta.dirname, "../../../../bin/engine.mjs");
const AGENT = path.join(import.meta.dirname, "../../../../test/support/restarted-agent.mjs");
const DIR = "sessions/2026_01_02_LOGIN";
const HANDOVER = { summary: "Half the form is done.", nextSteps: ["write the button"], requiredFiles: ["form.md"] };
const ACTIVATE = `engine session activate ${DIR} implement`;
const DEHYDRATE = `engine session dehydrate <<< ${JSON.stringify(HANDOVER)}`;

interface Run {
  readonly pid: number;
  readonly args: readonly string[];
  readonly CLAUDE_SUPERVISOR_PID: string;
  readonly WATCHDOG_PID: string;
  readonly SESSION_REQUIRED: string;
}

let world: World;
beforeEach(() => {
  world = new World();
  fs.mkdirSync(world.home, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(world.home, "config.yml"), "profiles: [session]\ncontextPolicy: restart\n");
  fs.writeFileSync(path.join(world.project, "form.md"), "The form has one field.\n");
});
afterEach(() => world.dispose());

const runsFile = (): string => path.join(world.root, "runs.jsonl");
const lines = (file: string): string[] =>
  fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
const runs = (): Run[] => lines(runsFile()).map((line) => JSON.parse(line) as Run);
const output = (): string => lines(`${runsFile()}.out`).join("\n");
const state = () =>
  JSON.parse(fs.readFileSync(path.join(world.project, DIR, ".state.json"), "utf8")) as Record<string, unknown>;
const environment = () => ({ PATH: "/usr/local/bin:/usr/bin:/bin" });

/** The steps of the fake agent, one list for each of its starts. */
function start(script: readonly (readonly string[])[], args: readonly string[] = [], env: object = {}): Running {
  const own = { AGENT_RUNS: runsFile(), AGENT_SCRIPT: JSON.stringify(script), AGENT_ENGINE: ENGINE };
  const claude = path.join(world.root, "claude");
  fs.writeFileSync(claude, `#!/bin/sh\nexec "${process.execPath}" "${AGENT}" "$@"\n`, { mode: 0o755 });
  const command = [process.execPath, LAUNCHER, "run", "--", claude, ...args];
  return world.start(command, { env: { ...environment(), ...own, ...env }, limitMs: 60_000 });
}

async function until(what: string, isTrue: () => boolean, ms = 60_000): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 20) {
    if (waited > ms) throw new Error(`waited in vain: ${what}\n${output()}`);
    await sleep(20);
  }
}

/** A process that has ended but was not reaped yet counts as gone. */
function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return fs.existsSync(stat) && !/\) Z /.test(fs.readFileSync(stat, "utf8"));
}
const isReady = (): boolean => output().includes("ready");

/** Sends the session start of the agent's newest run through the real hook; returns the context for the model. */
async function conversationStarts(session: string, source = "startup"): Promise<string> {
  const { CLAUDE_SUPERVISOR_PID = "", WATCHDOG_PID = "" } = runs().at(-1) ?? expect.fail("no run");
  const event = { hook_event_name: "SessionStart", session_id: session, source, cwd: world.project };
  const { stdout } = await world.send(
    event,
    { client: "node", daemon: false },
    { env: { CLAUDE_SUPERVISOR_PID, WATCHDOG_PID } },
  );
  return stdout;
}

describe("the wrapper", () => {
  it("is as if it were not there: words, exit code, and what tells the agent about it", async () => {
    const wrapper = start([["exit 7"]], ["--model", "x", "--help"]);
    expect((await wrapper.ended).exit).toBe(7);
    expect(runs()).toMatchObject([{ args: ["--model", "x", "--help"], SESSION_REQUIRED: "1" }]);
    expect(runs()[0]?.CLAUDE_SUPERVISOR_PID).toBe(String(wrapper.pid));
    const watchdog = Number(runs()[0]?.WATCHDOG_PID);
    await until("the watchdog ends", () => !isAlive(watchdog));
  });

  it("says what is wrong when there is no such program", async () => {
    const { exit, stderr } = await world.start([process.execPath, LAUNCHER, "run", "--", "no-such-agent"]).ended;
    expect(exit).toBe(1);
    expect(stderr).toContain("HW_RUN_FAILED");
    const nothing = await world.hookwright("run");
    expect([nothing.exit, nothing.stderr.includes("HW_USAGE")]).toEqual([1, true]);
  });

  it("leaves SESSION_REQUIRED to whoever set it", async () => {
    await start([["exit 0"]], [], { SESSION_REQUIRED: "0" }).ended;
    expect(runs()[0]?.SESSION_REQUIRED).toBe("0");
  });

  it("tries once more without resuming when a resumed conversation dies at once, and only once", async () => {
    const wrapper = start([["exit 1"], ["exit 3"]], ["--resume", "abc", "--model", "x", "go on"]);
    expect((await wrapper.ended).exit).toBe(3);
    expect(runs().map(({ args }) => args)).toEqual([
      ["--resume", "abc", "--model", "x", "go on"],
      ["--model", "x", "--", "go on"],
    ]);
  });
});

describe("a hand-over", () => {
  it("ends the agent, starts it anew with the prompt that goes on, and is delivered there", async () => {
    const wrapper = start([[ACTIVATE, DEHYDRATE], []], ["--continue", "--model", "x", "build it"]);
    await until("the second run", () => runs().length === 2);
    const [first, second] = runs();
    await until("the first run is gone", () => !isAlive(first?.pid ?? 0));
    expect(second?.args.slice(0, 3)).toEqual(["--model", "x", "--"]);
    expect(second?.args[3]).toContain(
      `engine session continue --session ${path.join(world.project, DIR)} --skill implement`,
    );
    expect(state()).toMatchObject({ lifecycle: "restarting", killRequested: false, dehydratedContext: HANDOVER });
    const told = await conversationStarts("agent-1");
    for (const part of ["Half the form is done.", "write the button", "The form has one field."])
      expect(told).toContain(part);
    expect(state()).toMatchObject({ lifecycle: "resuming", sessionId: "agent-1" });
    killByPid(second?.pid ?? 0);
    expect((await wrapper.ended).exit).toBe(137);
    expect(query(world, "SELECT tries, error FROM jobs WHERE name = 'session/restart'")).toEqual([
      { tries: 1, error: "" },
    ]);
  });

  it("ends an agent that does not listen by force, after a second", async () => {
    start([["stubborn", ACTIVATE, DEHYDRATE], []]);
    await until(
      "the request",
      () => fs.existsSync(path.join(world.project, DIR, ".state.json")) && state().killRequested === true,
    );
    const asked = Date.now();
    await until("the second run", () => runs().length === 2);
    expect(Date.now() - asked).toBeGreaterThan(700);
    expect(isAlive(runs()[0]?.pid ?? 0)).toBe(false);
  });

  it("captures before it ends: without a hand-over a small one is made", async () => {
    start([[ACTIVATE, "engine session restart"], []]);
    await until("the second run", () => runs().length === 2);
    expect(state().dehydratedContext).toMatchObject({ lastAction: "The agent was restarted." });
    expect(fs.readFileSync(path.join(world.project, DIR, "DEHYDRATED_CONTEXT.md"), "utf8")).toContain("# Hand-over");
  });

  it("can be made several times in one run of the wrapper", async () => {
    const wrapper = start([[ACTIVATE, DEHYDRATE], [`engine session continue ${DIR}`, DEHYDRATE], ["exit 5"]]);
    expect((await wrapper.ended).exit).toBe(5);
    expect(runs()).toHaveLength(3);
    expect(output()).toContain("Half the form is done.");
  });

  it("only says what it would do in a dry run", async () => {
    const wrapper = start([[ACTIVATE, "engine session restart", "exit 0"]], [], { TEST_MODE: "1" });
    expect((await wrapper.ended).exit).toBe(0);
    expect(output()).toContain("TEST_MODE: nothing is ended. By wrapper:");
    expect(state()).not.toHaveProperty("dehydratedContext");
  });

  it("restarts nothing where contexts are preserved", async () => {
    fs.writeFileSync(path.join(world.home, "config.yml"), "profiles: [session]\n");
    const wrapper = start([[ACTIVATE, DEHYDRATE, "exit 0"]]);
    expect((await wrapper.ended).exit).toBe(0);
    expect(runs()).toHaveLength(1);
    expect(output()).toContain("The agent is not restarted");
    expect(state()).toMatchObject({ dehydratedContext: HANDOVER, lifecycle: "active" });
  });

  it("is printed for the person where nothing can reach the agent", async () => {
    const env = { ...environment(), CLAUDE_CODE_SESSION_ID: "alone", CLAUDE_PID: "1" };
    const engine = (args: string[], input = "") =>
      world.start([process.execPath, ENGINE, "session", ...args], { env, input }).ended;
    await engine(["activate", DIR, "implement"]);
    const { stdout, exit } = await engine(["dehydrate"], JSON.stringify(HANDOVER));
    expect(exit).toBe(0);
    expect(stdout).toMatch(/End this agent, then start a new one with: claude ".*engine session continue --session/);
    expect(query(world, "SELECT id FROM jobs")).toEqual([]);
  });
});

describe("killed", () => {
  const pids = () => ({ agent: runs().at(-1)?.pid ?? 0, watchdog: Number(runs().at(-1)?.WATCHDOG_PID) });

  it("wrapper: neither agent nor watchdog stay behind, and the hand-over waits", async () => {
    const wrapper = start([["stubborn", ACTIVATE, `engine session update ${DIR} taskSummary login`]]);
    await until("the agent is ready", isReady);
    const { agent, watchdog } = pids();
    killByPid(wrapper.pid);
    await until("the agent is gone", () => !isAlive(agent));
    await until("the watchdog is gone", () => !isAlive(watchdog));
    expect(state()).toMatchObject({ lifecycle: "active", taskSummary: "login" });
  });

  it("agent, after it was given the hand-over and before it did anything: the next is given it again, then never", async () => {
    start([[ACTIVATE, DEHYDRATE], []]);
    await until("the second run", () => runs().length === 2);
    expect(await conversationStarts("agent-1")).toContain("Half the form is done.");
    expect(await conversationStarts("agent-2")).toContain("Half the form is done.");
    const { CLAUDE_SUPERVISOR_PID = "" } = runs().at(-1) ?? {};
    const call = {
      hook_event_name: "PreToolUse",
      session_id: "agent-2",
      cwd: world.project,
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "t1",
    };
    await world.send(call, { client: "node", daemon: false }, { env: { CLAUDE_SUPERVISOR_PID } });
    expect(await conversationStarts("agent-3", "clear")).not.toContain("Half the form is done.");
    expect(fs.readFileSync(path.join(world.project, DIR, "DEHYDRATED_CONTEXT.md"), "utf8")).toContain("**Delivered**");
  });

  it("watchdog: the wrapper does its part, and another one watches", async () => {
    const wrapper = start([[ACTIVATE], []]);
    await until("the agent is ready", isReady);
    const { agent, watchdog } = pids();
    killByPid(watchdog);
    await until("the watchdog is gone", () => !isAlive(watchdog));
    const { CLAUDE_SUPERVISOR_PID = "", WATCHDOG_PID = "" } = runs()[0] ?? expect.fail("no run");
    const env = { ...environment(), CLAUDE_SUPERVISOR_PID, WATCHDOG_PID, CLAUDE_CODE_SESSION_ID: "agent-0" };
    await world.start([process.execPath, ENGINE, "session", "restart"], { env }).ended;
    await until("the second run", () => runs().length === 2);
    expect(isAlive(agent)).toBe(false);
    const now = pids();
    expect(now.watchdog).not.toBe(watchdog);
    killByPid(wrapper.pid);
    await until("nobody is left", () => !isAlive(now.agent) && !isAlive(now.watchdog));
  });
});

it("the watchdog is part of the build", () => {
  expect(fs.existsSync(path.join(DIST, "watchdog.cjs"))).toBe(true);
});
