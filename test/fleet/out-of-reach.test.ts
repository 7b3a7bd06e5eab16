/** A server that is stopped, wedged, talks nonsense or is cut off changes no answer of a hook, and makes none slower. */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_LONG, sized } from "../support/long.ts";
import { isMissing, type Payload, type World } from "../support/world.ts";
import { Machine, TestFleet } from "./fleet.ts";
import { Cable, noNamespaces } from "./network.ts";
import { PostgresServer } from "./server.ts";

const PAIRS = sized(10, 300);
/** Of so many measurements in the same state, one must keep the limit: another program may disturb the others. */
const MEASUREMENTS = 3;
const SLOWER = 1.1;
const WAIT = { timeout: 90_000, interval: 200 };
const route = { client: isMissing("c") ? "node" : "c", daemon: true } as const;

let server: PostgresServer;
let fleet: TestFleet;
let cable: Cable | undefined;
let connected: Machine;
let alone: Machine;

beforeAll(async () => {
  if (noNamespaces === "") cable = new Cable(1);
  else console.log(noNamespaces);
  server = await PostgresServer.start({ listen: "*" });
  server.allowNetwork("10.0.0.0/8");
  fleet = await TestFleet.make(server, "team");
  connected = new Machine("ant", cable);
  alone = new Machine("alone");
  await alone.startDaemon();
  await connected.connect(fleet, ...(cable ? ["--insecure-plain-text"] : []));
});
afterAll(async () => {
  await connected.dispose();
  await alone.dispose();
  await fleet.close();
  await server.dispose();
  cable?.dispose();
});

interface Sent {
  readonly said: unknown;
  readonly ms: number;
}

async function send(world: World, payload: Payload): Promise<Sent> {
  const started = performance.now();
  const { exit, stdout, stderr } = await world.send(payload, route);
  const ms = performance.now() - started;
  return { said: [exit, stdout, stderr.replaceAll(world.root, "ROOT")], ms };
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;

/** Passes and denials, one with the fleet and one without it in turn. Returns how much longer those with it took. */
async function compare(session: string): Promise<number> {
  const [mine, theirs]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    const command = pair % 2 === 0 ? `ls ${pair}` : "rm -rf /";
    const order = pair % 4 < 2 ? [connected, alone] : [alone, connected];
    const answers = new Map<World, Sent>();
    for (const world of order)
      answers.set(
        world,
        await send(world, world === connected ? connected.bash(session, command) : alone.bash(session, command)),
      );
    const [one, other] = [answers.get(connected), answers.get(alone)];
    expect(one?.said).toEqual(other?.said);
    if (pair % 2 === 1) expect(JSON.stringify(one?.said)).toContain("deny");
    mine.push(one?.ms ?? 0);
    theirs.push(other?.ms ?? 0);
  }
  return median(mine) / median(theirs);
}

async function sameAndAsFast(state: string): Promise<void> {
  const ratios: number[] = [];
  while (ratios.length < (IS_LONG ? MEASUREMENTS : 1)) {
    ratios.push(await compare(`${state}-${ratios.length}`));
    if ((ratios.at(-1) ?? 0) <= SLOWER) break;
  }
  console.log(`${state}: ${ratios.map((ratio) => ratio.toFixed(3)).join(", ")} of the time without a fleet`);
  if (IS_LONG) expect(Math.min(...ratios)).toBeLessThanOrEqual(SLOWER);
}

const problem = () => connected.status()?.problem;
const isBack = () => expect.poll(problem, WAIT).toBe("");
const isGone = () => expect.poll(problem, WAIT).not.toBe("");

describe("answers and their time", () => {
  it("while the server is there", async () => {
    await isBack();
    await sameAndAsFast("reached");
  });

  it("while it is stopped", async () => {
    await server.stop();
    await isGone();
    await sameAndAsFast("stopped");
    const doctor = JSON.parse((await connected.hookwright("doctor", "--json")).stdout);
    const finding = doctor.findings.find(({ name }: { name: string }) => name === "fleet");
    expect(finding.detail).toMatch(/stale since/);
    const status = await connected.hookwright("fleet", "status", "--json");
    expect([status.exit, JSON.parse(status.stdout)]).toMatchObject([1, { reached: false, machine: "ant" }]);
    await server.start();
    await isBack();
  });

  it("while something else answers in its place, with nonsense", async () => {
    await server.stop();
    let talked = 0;
    const open = new Set<net.Socket>();
    const nonsense = net.createServer((socket) => {
      talked++;
      open.add(socket);
      socket.on("error", () => undefined);
      socket.write(Buffer.alloc(65_536, `HTTP/1.1 400 Bad Request\r\n\0\xff${talked}`));
    });
    await new Promise<void>((resolve) => nonsense.listen(server.port, "0.0.0.0", resolve));
    await expect.poll(() => talked, WAIT).toBeGreaterThan(0);
    await sameAndAsFast("nonsense");
    await isGone();
    const closed = new Promise<void>((resolve) => nonsense.close(() => resolve()));
    for (const socket of open) socket.destroy();
    await closed;
    await server.start();
    await isBack();
  });

  it("while it is wedged", async () => {
    server.signalAll("SIGSTOP");
    await sameAndAsFast("wedged");
    await isGone();
    server.signalAll("SIGCONT");
    await isBack();
  });

  it.runIf(noNamespaces === "")("while packets to it vanish", async () => {
    cable?.pull();
    await sameAndAsFast("blackholed");
    await isGone();
    cable?.plugIn();
    await isBack();
  });

  it("and afterwards the copy of the journal is complete", async () => {
    await expect.poll(() => fleet.copyOf("ant"), WAIT).toEqual(connected.journal());
    expect(connected.journal().length).toBeGreaterThan(4 * PAIRS);
  });
});

it("the module that talks to the server is in no file that a hook loads", () => {
  for (const [file, expected] of [
    ["engine.cjs", false],
    ["daemon.cjs", false],
    ["hook.cjs", false],
    ["fleet-link.cjs", true],
  ] as const) {
    const text = fs.readFileSync(path.join(import.meta.dirname, "../../dist", file), "utf8");
    expect([file, text.includes("CONNECT_TIMEOUT") && text.includes("SCRAM-SHA-256")]).toEqual([file, expected]);
  }
});
