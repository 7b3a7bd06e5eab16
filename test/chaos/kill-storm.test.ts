import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forbiddenWrite, harmlessWrite } from "../support/events.ts";
import { daemonPid } from "../support/frames.ts";
import { killByPid, sleep } from "../support/processes.ts";
import { counters, query } from "../support/records.ts";
import { CLIENTS, isMissing, World } from "../support/world.ts";

const EVENTS = 60;
const AT_ONCE = 4;

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

/** Kills the daemon that answers, and the one a client starts in its place, until told to stop. */
async function killDaemons(isOver: () => boolean): Promise<number[]> {
  const killed: number[] = [];
  while (!isOver()) {
    await sleep(40);
    const pid = await daemonPid(world);
    if (pid === undefined) continue;
    killByPid(pid);
    killed.push(pid);
  }
  return killed;
}

describe.each(CLIENTS)("daemons killed at any moment, events through the %s client", (client) => {
  it.skipIf(isMissing(client))("every event is answered right and recorded once", { timeout: 60_000 }, async () => {
    await world.startDaemon();
    let isOver = false;
    const killing = killDaemons(() => isOver);
    const waiting = Array.from({ length: EVENTS }, (_, index) => index);
    const exits: (number | null)[] = [];
    const send = async (): Promise<void> => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const make = index % 2 === 0 ? forbiddenWrite : harmlessWrite;
        const answer = await world.send(make(world, `call-${index}`), { client, daemon: true });
        expect(answer).toMatchObject({ exit: index % 2 === 0 ? 2 : 0, signal: null });
        expect(answer.stderr).not.toContain("could not");
        exits.push(answer.exit);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    isOver = true;
    const killed = await killing;
    console.log(`${client}: ${EVENTS} events, ${killed.length} daemons killed: ${killed.join(" ")}`);
    expect(killed.length).toBeGreaterThan(0);
    expect(exits).toHaveLength(EVENTS);
    const rows = query(world, "SELECT tool_use_id, ruling, count(*) AS n FROM journal GROUP BY tool_use_id, ruling");
    const found = Object.fromEntries(rows.map((row) => [row.tool_use_id, `${row.n} ${row.ruling}`]));
    const wanted = Array.from({ length: EVENTS }, (_, i) => [`call-${i}`, i % 2 === 0 ? "1 deny" : "1 pass"]);
    expect(found).toEqual(Object.fromEntries(wanted));
    expect(counters(world, "session-1")).toEqual({ events: EVENTS, toolCalls: EVENTS });
    expect(query(world, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });
});
