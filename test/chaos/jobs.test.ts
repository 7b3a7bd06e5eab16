import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Event, prompt } from "../support/events.ts";
import { jobsAreDone, query } from "../support/records.ts";
import { CLIENTS, isMissing, World } from "../support/world.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

/** The first one of a day leaves the clean-up of the journal behind. */
function sessionStart(): Event {
  return { ...prompt(world, ""), hook_event_name: "SessionStart", source: "startup" };
}

function jobs() {
  return query(world, "SELECT name, tries, error, done_at IS NOT NULL AS done FROM jobs");
}

const DONE_ONCE = [{ name: "journal/prune", tries: 1, error: "", done: 1 }];

describe.each(CLIENTS)("work that an event leaves behind, %s client", (client) => {
  it.skipIf(isMissing(client))("is done by a process of its own when there is no daemon", async () => {
    expect((await world.send(sessionStart(), { client, daemon: false })).exit).toBe(0);
    await jobsAreDone(world);
    expect(jobs()).toEqual(DONE_ONCE);
  });

  it.skipIf(isMissing(client))("is done by the daemon", async () => {
    await world.startDaemon();
    expect((await world.send(sessionStart(), { client, daemon: true })).exit).toBe(0);
    await jobsAreDone(world);
    expect(jobs()).toEqual(DONE_ONCE);
  });

  it.skipIf(isMissing(client))("is not lost with the process that left it", async () => {
    world.allowCrashPoints();
    const env = { HOOKWRIGHT_CRASH_POINT: "after-reply" };
    const dying = world.begin(sessionStart(), { client, daemon: false }, { env });
    await dying.sees("stderr", /crash point after-reply reached/);
    dying.kill("SIGKILL");
    await dying.ended;
    expect(jobs()).toEqual([{ name: "journal/prune", tries: 0, error: "", done: 0 }]);
    await world.startDaemon();
    await jobsAreDone(world);
    expect(jobs()).toEqual(DONE_ONCE);
  });
});
