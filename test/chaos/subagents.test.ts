import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FrameSender, frameFor } from "../support/frames.ts";
import { sized } from "../support/long.ts";
import { query } from "../support/records.ts";
import { World } from "../support/world.ts";

const PROCESSES = 6;
const AGENTS_EACH = sized(10, 60);
const SESSIONS = ["session-1", "session-2"];

let world: World;
let senders: FrameSender[];
beforeEach(() => {
  world = new World();
  senders = [];
});
afterEach(async () => {
  for (const sender of senders) sender.kill();
  await world.dispose();
});

/** Each process has subagents of both sessions that start; all of them end but the last of each session. */
function framesOf(sender: number): Buffer[] {
  const agents = Array.from({ length: AGENTS_EACH }, (_, n) => ({ id: `a${sender}-${n}`, session: SESSIONS[n % 2] }));
  return agents.flatMap(({ id, session }, n) => {
    const about = { session_id: session, cwd: world.project, agent_id: id, agent_type: "executor" };
    const frame = (event: string, more: object = {}): Buffer =>
      frameFor(world, { ...about, hook_event_name: event, ...more }, `${event}-${id}`, ["--profile", "omc"]);
    const goesOn = n >= AGENTS_EACH - SESSIONS.length;
    const ends = frame("SubagentStop", { stop_hook_active: false, last_assistant_message: "Over." });
    return goesOn ? [frame("SubagentStart")] : [frame("SubagentStart"), ends];
  });
}

it(`${PROCESSES} processes report the subagents of two sessions: none is lost, counted twice or mixed up`, async () => {
  await world.startDaemon();
  for (let i = 0; i < PROCESSES; i++) {
    senders.push(new FrameSender(world, i % 2 === 0 ? "daemon" : "cold", framesOf(i)));
  }
  await Promise.all(senders.map((sender) => sender.ready()));
  const sent = await Promise.all(senders.map((sender) => sender.send()));
  for (const { replies } of sent)
    for (const { stdout, exit } of replies) expect([exit, String(stdout)]).toEqual([0, ""]);

  const total = PROCESSES * AGENTS_EACH;
  const running = PROCESSES * SESSIONS.length;
  const rows = query(
    world,
    "SELECT key, value FROM entries WHERE store = 'agents' AND key LIKE 'session:%' ORDER BY key",
  );
  const sessions = rows.map(
    (row) => JSON.parse(String(row.value)) as { spawned: number; completed: number; failed: number },
  );
  expect(rows.map(({ key }) => key)).toEqual(SESSIONS.map((session) => `session:${session}`));
  for (const { spawned, completed, failed } of sessions) {
    expect([spawned, completed, failed]).toEqual([total / 2, (total - running) / 2, 0]);
  }

  const folder = path.join(world.project, ".omc", "state");
  const file = JSON.parse(fs.readFileSync(path.join(folder, "subagent-tracking.json"), "utf8")) as {
    agents: { agent_id: string; status: string }[];
  };
  expect(file).toMatchObject({ total_spawned: total, total_completed: total - running, total_failed: 0 });
  expect(file.agents.filter(({ status }) => status === "running")).toHaveLength(running);
  for (const session of SESSIONS) {
    const lines = fs
      .readFileSync(path.join(folder, `agent-replay-${session}.jsonl`), "utf8")
      .trimEnd()
      .split("\n");
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toHaveLength((2 * total - running) / 2);
  }
});
