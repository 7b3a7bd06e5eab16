/** A crowd without a daemon, and an event that could not be recorded in time. */
import fs from "node:fs";
import os from "node:os";
import { describe, expect } from "vitest";
import { RECORDED_LATER } from "../../src/engine/record/record-later.ts";
import { harmlessWrite } from "../support/events.ts";
import { argumentsOf, noProcessList, processesWith, sleep } from "../support/processes.ts";
import { counters, holdWriteLock, query, rulings } from "../support/records.ts";
import { ANY_CLIENT, eventually, runtimeDir, test } from "../support/surroundings.ts";
import { isMissing } from "../support/world.ts";

const CROWD = 12;
const PATIENT = ["--deadline-ms", "60000"];

describe.skipIf(isMissing("c") || noProcessList !== "")("a crowd without a daemon", () => {
  test("decides as many at a time as there are processors, and all of it is recorded", { timeout: 180_000 }, async ({
    makeWorld,
  }) => {
    const world = makeWorld();
    fs.mkdirSync(runtimeDir(world), { recursive: true, mode: 0o700 });
    const route = { client: "c", daemon: false } as const;
    const sent = Array.from({ length: CROWD }, (_, i) =>
      world.send(harmlessWrite(world, `call-${i}`), route, { args: PATIENT, limitMs: 80_000 }),
    );
    let isOver = false;
    const all = Promise.all(sent).finally(() => {
      isOver = true;
    });
    let most = 0;
    while (!isOver) {
      const deciding = processesWith(`HOOKWRIGHT_HOME=${world.home}`).filter((pid) =>
        argumentsOf(pid).includes("--cold-frame"),
      );
      most = Math.max(most, deciding.length);
      await sleep(5);
    }
    const answers = await all;
    console.log(`${CROWD} clients, at most ${most} of them decided at the same time`);
    expect(answers.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(answers.map(() => ({ exit: 0, stderr: "" })));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(Math.max(2, os.cpus().length));
    expect(query(world, "SELECT count(*) AS n FROM journal")).toEqual([{ n: CROWD }]);
  });
});

describe("a database that is locked for longer than the agent waits", () => {
  test("the answer says so, and the event is recorded afterwards, once", { timeout: 180_000 }, async ({
    makeWorld,
  }) => {
    const world = makeWorld();
    const route = { client: ANY_CLIENT, daemon: false } as const;
    await world.send(harmlessWrite(world, "call-0"), route);
    const lock = holdWriteLock(world);
    const answer = await world.send(harmlessWrite(world, "call-1"), route, { args: ["--deadline-ms", "1500"] });
    expect(answer.exit).toBe(0);
    expect(`${answer.stdout}${answer.stderr}`).toContain(RECORDED_LATER);
    expect(rulings(world, "call-1")).toEqual([]);
    lock.release();
    await eventually("the row of the event", () => rulings(world, "call-1").length > 0, 40_000);
    expect(rulings(world, "call-1")).toEqual(["pass"]);
    expect(counters(world, "session-1")).toEqual({ events: 2, toolCalls: 2 });
    expect(fs.readdirSync(world.home).filter((name) => name.startsWith("late"))).toEqual([]);
  });
});
