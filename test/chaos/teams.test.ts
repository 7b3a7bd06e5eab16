import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { TeamRegistryEntry } from "../../src/domain/team/registry.ts";
import { RECORDED_LATER } from "../../src/engine/record/record-later.ts";
import { sleep } from "../support/processes.ts";
import { query } from "../support/records.ts";
import { eventually } from "../support/surroundings.ts";
import { auditLines, makeTeam, TEAM, TEAM_CLIENT, teammateIdle, teamPlaces, turnTeamsOn } from "../support/teams.ts";
import { isMissing, World } from "../support/world.ts";

const CLIENTS = 50;
const EVENTS_EACH = 20;
const members = Array.from({ length: CLIENTS }, (_, i) => `m${i}`);

let world: World;
beforeEach(() => {
  world = new World();
  makeTeam(world, members);
  turnTeamsOn(world);
});
afterEach(() => world.dispose());

/** Half of them speak to the socket, the others are hooks of teammates that go idle again and again. */
const speaksToSocket = (i: number): boolean => i % 2 !== 0;

function socketClient(agent: string) {
  return world.start([process.execPath, TEAM_CLIENT, teamPlaces(world).socket, agent, TEAM, String(EVENTS_EACH)], {
    limitMs: 200_000,
  });
}

async function hookClient(agent: string, answered: (isLate: boolean) => void): Promise<void> {
  for (let i = 0; i < EVENTS_EACH; i++) {
    const answer = await world.send(teammateIdle(world, agent, `${agent}-${i}`), {
      client: isMissing("c") ? "node" : "c",
      daemon: true,
    });
    expect({ agent, i, ...answer }).toMatchObject({ exit: 0, stdout: "" });
    // On a machine without any time to spare an event may be recorded after its answer, and the hook says so.
    if (answer.stderr !== "") expect(answer.stderr).toBe(`${RECORDED_LATER}\n`);
    answered(answer.stderr !== "");
  }
}

function registry(): Map<string, TeamRegistryEntry> {
  const rows = query(
    world,
    "SELECT value FROM entries WHERE scope = 'person' AND store = 'teams' AND key NOT LIKE '/%'",
  );
  const entries = rows.map((row) => JSON.parse(String(row.value)) as TeamRegistryEntry);
  return new Map(entries.map((entry) => [entry.agent, entry]));
}

it(`${CLIENTS} clients, ${CLIENTS * EVENTS_EACH} events, the daemon killed half-way: none lost, none twice`, {
  timeout: 240_000,
}, async () => {
  const daemon = await world.startDaemon();
  let answeredHooks = 0;
  const sockets = members.filter((_, i) => speaksToSocket(i)).map(socketClient);
  let late = 0;
  const hooks = members
    .filter((_, i) => !speaksToSocket(i))
    .map((agent) =>
      hookClient(agent, (isLate) => {
        answeredHooks++;
        if (isLate) late++;
      }),
    );
  const answeredSockets = (): number =>
    sockets.reduce((sum, { stdout }) => sum + (stdout.match(/^answered/gm)?.length ?? 0), 0);
  // Those on the socket are faster than hooks: both must still have much to ask.
  while (answeredHooks < hooks.length * (EVENTS_EACH / 3) && answeredSockets() < sockets.length * (EVENTS_EACH / 3))
    await sleep(5);
  const before = answeredHooks + answeredSockets();
  daemon.kill("SIGKILL");
  await daemon.ended;
  await sleep(100);
  // A hook may have started the next one already; then this one leaves at once.
  await world.startDaemon().catch(() => undefined);
  const ended = await Promise.all(sockets.map((socket) => socket.ended));
  await Promise.all(hooks);
  expect(ended.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(ended.map(() => ({ exit: 0, stderr: "" })));
  const again = ended.reduce((sum, { stdout }) => sum + Number(/asked again (\d+)/.exec(stdout)?.[1]), 0);
  const next = Number(fs.readFileSync(path.join(teamPlaces(world).daemon, "atm-daemon.pid"), "utf8"));
  expect(next).not.toBe(daemon.pid);
  console.log(
    `daemons ${daemon.pid}, ${next}; killed after ${before} answers; ${again} requests asked again, ${late} hooks recorded late`,
  );
  expect(before).toBeLessThan(CLIENTS * EVENTS_EACH);
  expect(again).toBeGreaterThan(0);

  await eventually("the last line", () => auditLines(world).length >= CLIENTS * EVENTS_EACH, 70_000);
  const lines = auditLines(world);
  const told = lines.map(
    ({ agent, payload }) => `${agent} ${payload.number ?? String(payload.prompt_id).split("-")[1]}`,
  );
  const expected = members.flatMap((agent) => Array.from({ length: EVENTS_EACH }, (_, i) => `${agent} ${i}`));
  expect([...told].sort()).toEqual([...expected].sort());
  expect(query(world, "SELECT count(*) AS n FROM lines WHERE is_written = 0")).toEqual([{ n: 0 }]);

  const found = registry();
  expect(found.size).toBe(CLIENTS);
  for (const [i, agent] of members.entries()) {
    const after = speaksToSocket(i) ? { registry: "Dead", state: "closed" } : { registry: "Active", state: "idle" };
    expect(found.get(agent)).toMatchObject({ agent, team: TEAM, ...after });
  }
  console.log(`audit trail ${lines.length} lines, registry ${found.size} agents`);
});
