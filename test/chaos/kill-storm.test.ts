import { describe, expect } from "vitest";
import { forbiddenWrite, harmlessWrite } from "../support/events.ts";
import { daemonPid } from "../support/frames.ts";
import { killByPid, sleep } from "../support/processes.ts";
import { counters, query } from "../support/records.ts";
import { doctor, eventually, expectGuarded, test, USABLE_CLIENTS } from "../support/surroundings.ts";
import type { World } from "../support/world.ts";

const EVENTS = 60;
const AT_ONCE = 4;

/** Kills the daemon that answers, and the one a client starts in its place, until told to stop. */
async function killDaemons(world: World, isOver: () => boolean): Promise<number[]> {
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

describe.each(USABLE_CLIENTS)("daemons killed at any moment, events through the %s client", (client) => {
  test("every event is answered right and recorded once", { timeout: 180_000 }, async ({ makeWorld }) => {
    const world = makeWorld();
    await world.startDaemon();
    let isOver = false;
    const killing = killDaemons(world, () => isOver);
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
    // What the last of them left is nobody's daemon, and whoever comes next starts one.
    const [socket] = [(await doctor(world)).says("left behind")];
    expect(socket).toMatch(/^nothing$|^note: [0-9a-f]{12}\.sock/);
    await expectGuarded(world, "after");
    await eventually("a new daemon", () => daemonPid(world));
    const later = await doctor(world);
    expect([later.state, later.says("left behind"), later.says("not recorded")]).toEqual([
      "running",
      "nothing",
      "nothing",
    ]);
  });
});
