import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toolCall } from "../support/events.ts";
import { FrameSender, frameFor } from "../support/frames.ts";
import { sized } from "../support/long.ts";
import { sleep } from "../support/processes.ts";
import { query } from "../support/records.ts";
import { World } from "../support/world.ts";

const ENGINE = path.resolve(import.meta.dirname, "../../bin/engine.mjs");
const SESSION = "session-1";
const DIR = "sessions/2026_01_02_LOGIN";
const EVENTS = sized(20, 50);
/** How often a command is killed, a little later each time. */
const ROUNDS = sized(8, 24);
const PHASES = [
  { label: "1", name: "Setup" },
  { label: "2", name: "Build" },
  { label: "3", name: "Test" },
];
const PARAMETERS = {
  taskType: "",
  taskSummary: "",
  scope: "",
  directoriesOfInterest: [],
  contextPaths: [],
  planTemplate: "",
  logTemplate: "",
  debriefTemplate: "",
  requestTemplate: "",
  responseTemplate: "",
  requestFiles: [],
  nextSkills: [],
  extraInfo: "",
  phases: PHASES,
};

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

function engine(args: readonly string[], input = "", env: Record<string, string> = {}) {
  const own = { CLAUDE_CODE_SESSION_ID: SESSION, ...env };
  return world.start([process.execPath, ENGINE, ...args], { input, env: own });
}

const stateFile = (): string => path.join(world.project, DIR, ".state.json");
const exported = (): Record<string, unknown> | undefined =>
  fs.existsSync(stateFile())
    ? (JSON.parse(fs.readFileSync(stateFile(), "utf8")) as Record<string, unknown>)
    : undefined;
const stored = (): Record<string, unknown> | undefined => {
  const sql = "SELECT value FROM entries WHERE store = 'session' AND key LIKE 'state:%LOGIN'";
  const [row] = query(world, sql);
  return row && (JSON.parse(String(row.value)) as Record<string, unknown>);
};

/** Each call from a process of its own, half of them through the daemon, half deciding by themselves. */
async function callAtOnce(): Promise<{ exit: number; pid: number }[]> {
  const senders = Array.from({ length: EVENTS }, (_, i) => {
    const event = toolCall(world, `call-${i}`, "Read", { file_path: `/file-${i}` }, SESSION);
    const frame = frameFor(world, event, `nonce-${i}`, ["--profile", "session"]);
    return new FrameSender(world, i % 2 === 0 ? "daemon" : "cold", [frame]);
  });
  try {
    await Promise.all(senders.map((sender) => sender.ready()));
    const sent = await Promise.all(senders.map((sender) => sender.send()));
    const answers = sent.flatMap(({ pid, replies }) => replies.map((reply) => ({ ...reply, pid })));
    expect(answers.filter(({ stderr }) => stderr.includes("could not record"))).toEqual([]);
    console.log(`${answers.length} calls from pids ${answers.map(({ pid }) => pid).join(" ")}`);
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(EVENTS);
    return answers;
  } finally {
    for (const sender of senders) sender.kill();
  }
}

describe(`${EVENTS} calls at once in one session`, () => {
  it("are all counted, once each, in the database and in the file", { timeout: 120_000 }, async () => {
    await world.startDaemon();
    await engine(["session", "activate", DIR, "implement"]).ended;
    await engine(["session", "update", DIR, "toolUseWithoutLogsBlockAfter", "1000"]).ended;
    const answers = await callAtOnce();
    expect(answers.map(({ exit }) => exit)).toEqual(Array.from({ length: EVENTS }, () => 0));
    expect(stored()).toMatchObject({ toolCallsByTranscript: { "session-1.jsonl": EVENTS } });
    expect(exported()).toEqual(stored());
    expect(query(world, "SELECT count(*) AS n FROM journal WHERE event = 'tool.before'")).toEqual([{ n: EVENTS }]);
    console.log(`counted ${JSON.stringify(exported()?.toolCallsByTranscript)}`);
  });

  it("exactly nine pass where the tenth has to wait", { timeout: 120_000 }, async () => {
    await world.startDaemon();
    await engine(["session", "activate", DIR, "implement"]).ended;
    const answers = await callAtOnce();
    const passed = answers.filter(({ exit }) => exit === 0).length;
    console.log(`${passed} passed, ${EVENTS - passed} were denied`);
    expect(passed).toBe(9);
    expect(exported()).toMatchObject({ toolCallsByTranscript: { "session-1.jsonl": passed } });
  });
});

const POINTS = ["before-commit", "after-commit"] as const;

describe.each(POINTS)("killed at %s", (point) => {
  async function killAtPoint(args: readonly string[], input = ""): Promise<void> {
    const running = engine(args, input, { HOOKWRIGHT_CRASH_POINT: point });
    await running.sees("stderr", new RegExp(`^crash point ${point} reached by ${running.pid}$`, "m"));
    running.kill("SIGKILL");
    expect((await running.ended).signal).toBe("SIGKILL");
  }

  it("activate leaves nothing or all of it, and can be done again", async () => {
    world.allowCrashPoints();
    await killAtPoint(["session", "activate", DIR, "implement"], JSON.stringify(PARAMETERS));
    expect(stored()?.lifecycle).toBe(point === "after-commit" ? "active" : undefined);
    // The file is written after the commit; whoever comes next does it.
    expect(exported()).toBeUndefined();
    const found = await engine(["session", "find"]).ended;
    expect(found.exit).toBe(point === "after-commit" ? 0 : 1);
    expect(exported()).toEqual(point === "after-commit" ? stored() : undefined);
    const again = await engine(["session", "activate", DIR, "implement"], JSON.stringify(PARAMETERS)).ended;
    expect(again.exit).toBe(0);
    expect(exported()).toMatchObject({ lifecycle: "active", currentPhase: "1: Setup", sessionId: SESSION });
    expect(query(world, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });

  it("phase leaves the one or the other, and a hook that comes next sees the same", async () => {
    await engine(["session", "activate", DIR, "implement"], JSON.stringify(PARAMETERS)).ended;
    world.allowCrashPoints();
    await killAtPoint(["session", "phase", DIR, "2: Build"]);
    expect(stored()?.currentPhase).toBe(point === "after-commit" ? "2: Build" : "1: Setup");
    // Its file is the older one until somebody comes by.
    expect(exported()?.currentPhase).toBe("1: Setup");
    const event = toolCall(world, "call-1", "Read", { file_path: "/a" }, SESSION);
    const answer = await world.send(event, { client: "node", daemon: false }, { args: ["--profile", "session"] });
    expect(answer).toMatchObject({ exit: 0, stderr: "" });
    expect(exported()).toEqual(stored());
    const next = await engine(["session", "phase", DIR, "2: Build"]).ended;
    expect(next.exit).toBe(0);
    expect(exported()?.currentPhase).toBe("2: Build");
  });
});

describe("killed at any moment", () => {
  it("activate and phase always leave a state that can be read and agrees with itself", {
    timeout: 180_000,
  }, async () => {
    const seen = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const isPhase = round % 2 === 1;
      const running = isPhase
        ? engine(["session", "phase", DIR, `${1 + (round % 3)}: P`, "--user-approved", "test"])
        : engine(
            ["session", "activate", DIR, round % 4 === 0 ? "implement" : "test", "--fast-track"],
            JSON.stringify(PARAMETERS),
          );
      await sleep(40 + (round * 288) / ROUNDS);
      running.kill("SIGKILL");
      const { signal } = await running.ended;
      const found = await engine(["session", "find", "--json"]).ended;
      expect(found.stderr).toBe("");
      const state = exported();
      expect(state).toEqual(stored());
      const kind = `${isPhase ? "phase" : "activate"} ${signal === "SIGKILL" ? "killed" : "done"}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    console.log([...seen].map(([kind, count]) => `${kind}: ${count}`).join(", "));
    expect((seen.get("activate killed") ?? 0) + (seen.get("phase killed") ?? 0)).toBeGreaterThan(ROUNDS / 6);
    expect(query(world, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });
});
