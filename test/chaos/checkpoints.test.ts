import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prompt } from "../support/events.ts";
import { sized } from "../support/long.ts";
import { query } from "../support/records.ts";
import { isMissing, type Route, World } from "../support/world.ts";

const SESSIONS = ["session-a", "session-b"] as const;
const EACH = sized(6, 25);
const ROUTE: Route = { client: isMissing("c") ? "node" : "c", daemon: false };
const OMC = { args: ["--profile", "omc"] };
const POINTS = ["after-read", "before-commit", "after-commit"] as const;
const NAME = /^checkpoint-[\dTZ-]+\.json$/;

let world: World;
beforeEach(() => {
  world = new World();
  world.allowCrashPoints();
});
afterEach(() => world.dispose());

const event = (session: string, hook_event_name: string, more: Record<string, unknown>): Record<string, unknown> => ({
  session_id: session,
  transcript_path: "",
  cwd: world.project,
  hook_event_name,
  ...more,
});
const compacts = (session: string): Record<string, unknown> =>
  event(session, "PreCompact", { trigger: "auto", custom_instructions: null });
const folder = (): string => path.join(world.project, ".omc/state/checkpoints");

/** A hook that is killed at this point, which it has to reach. */
async function killed(session: string, point: string): Promise<void> {
  const running = world.begin(compacts(session), ROUTE, { ...OMC, env: { HOOKWRIGHT_CRASH_POINT: point } });
  await running.sees("stderr", new RegExp(`^crash point ${point} reached by ${running.pid}$`, "m"));
  running.kill("SIGKILL");
  expect((await running.ended).signal).toBe("SIGKILL");
}

it("checkpoints of two sessions stay whole and apart while their hooks are killed", async () => {
  for (const session of SESSIONS) {
    const task = { task_id: "1", task_subject: `task of ${session}`, task_description: "" };
    expect((await world.send(event(session, "TaskCreated", task), ROUTE, OMC)).exit).toBe(0);
  }
  const work = SESSIONS.map(async (session) => {
    for (let at = 0; at < EACH; at++) {
      const point = at % 3 === 0 ? POINTS[(at / 3) % POINTS.length] : undefined;
      if (point) await killed(session, point);
      else expect((await world.send(compacts(session), ROUTE, OMC)).exit).toBe(0);
    }
  });
  await Promise.all(work);
  // Whatever was committed and not written yet is written with the next event.
  await world.send(prompt(world, "go on", SESSIONS[0]), ROUTE, OMC);

  const committed = query(world, "SELECT count(*) AS n FROM journal WHERE event = 'compact.before'")[0]?.n;
  const names = fs.readdirSync(folder()).filter((name) => NAME.test(name));
  expect(names).toHaveLength(Number(committed));
  expect(Number(committed)).toBeGreaterThanOrEqual(2 * EACH - 2 * Math.ceil(EACH / 3));
  for (const name of names) {
    const file = path.join(folder(), name);
    const text = fs.readFileSync(file, "utf8");
    expect(query(world, "SELECT content FROM mirrors WHERE path = ?", file)).toEqual([{ content: text }]);
    const { session_id, open_tasks } = JSON.parse(text) as { session_id: string; open_tasks: string[] };
    expect(open_tasks).toEqual([`task of ${session_id}`]);
  }
  expect(query(world, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
});
