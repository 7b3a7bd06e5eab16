/** What more machines cost the board, and what the copy of a journal costs for each event. Prints figures; asserts counts. */
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compileConfig } from "../../src/config/compile.ts";
import { FleetBoard } from "../../src/fleet/board/fleet-board.ts";
import type { FleetAddress } from "../../src/fleet/connection/address.ts";
import { FleetClient } from "../../src/fleet/connection/client.ts";
import { connectionFile, writeJsonFile } from "../../src/fleet/connection/files.ts";
import { JournalCopy } from "../../src/fleet/link/journal-copy.ts";
import { FleetLink } from "../../src/fleet/link/link.ts";
import { Database } from "../../src/state/database.ts";
import { sampleEntry } from "../../src/state/entry.samples.ts";
import { append } from "../../src/state/journal.ts";
import { IS_LONG, sized } from "../support/long.ts";
import { TestFleet } from "./fleet.ts";
import { PostgresServer } from "./server.ts";

const SIZES = IS_LONG ? [10, 50, 200] : [2, 4];
const WORKERS = sized(4, 16);
/** Claims, each with its completion, for one measurement; and how often each size is measured, in turns. */
const CLAIMS = sized(40, 2_000);
const ROUNDS = sized(1, 3);
const ENTRIES = sized(300, 20_000);

let server: PostgresServer;
let fleet: TestFleet;
let folder: string;
const connected: { readonly link: FleetLink; readonly running: Promise<void>; readonly db: Database }[] = [];
const addresses: FleetAddress[] = [];

beforeAll(async () => {
  server = await PostgresServer.start({ syncs: true });
  fleet = await TestFleet.make(server, "growth");
  folder = fs.mkdtempSync("/tmp/hw-growth-");
});
afterAll(async () => {
  for (const { link } of connected) link.stop();
  for (const { running, db } of connected) await running.finally(() => db.close());
  await fleet.close();
  await server.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

function newDatabase(name: string): Database {
  return new Database(path.join(folder, name, "state.db"), 1_000);
}

/** A link as the daemon's, with a database of its own, in this process. */
async function connectOne(): Promise<void> {
  const name = `machine-${connected.length}`;
  const address = await fleet.addMachine(name);
  addresses.push(address);
  const db = newDatabase(name);
  const connection = { machine: name, address, bundleKey: "", connectedAt: 0 };
  writeJsonFile(connectionFile(path.join(folder, name)), connection);
  const link = new FleetLink({ folder: path.join(folder, name), connection, db, build: "test", compileConfig });
  connected.push({ link, running: link.run(), db });
}

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
}

async function measureClaims(board: string): Promise<Measured> {
  const boards = Array.from({ length: WORKERS }, (_, at) => {
    return new FleetBoard(new FleetClient(addresses[at % addresses.length] as FleetAddress), board);
  });
  await boards[0]?.make(undefined);
  const numbers = `generate_series(1, ${CLAIMS}) AS number`;
  await fleet.asOwner(`INSERT INTO fleet.tasks (board, number, text) SELECT '${board}', number, 'x' FROM ${numbers}`);
  const waits: number[] = [];
  const started = performance.now();
  await Promise.all(
    boards.map(async (one, at) => {
      for (;;) {
        const before = performance.now();
        const task = await one.claim(`w${at}`);
        if (!task) return;
        waits.push(performance.now() - before);
        await one.finish({ task: task.id, agent: `w${at}`, epoch: task.epoch }, undefined);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  expect(waits).toHaveLength(CLAIMS);
  for (const one of boards) await one.close();
  return { perSecond: CLAIMS / seconds, p99: waits.sort((a, b) => a - b)[Math.floor(CLAIMS * 0.99)] ?? 0 };
}

const middle = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;

it(`claims go on with ${SIZES.join(", ")} connected machines`, async () => {
  let first: Measured | undefined;
  for (const size of SIZES) {
    while (connected.length < size) await connectOne();
    const seen = () => fleet.admin.rows("SELECT 1 FROM fleet.machines WHERE seen_at > now() - interval '30 seconds'");
    await expect.poll(async () => (await seen()).length, { timeout: 120_000, interval: 500 }).toBe(size);
    const rounds: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureClaims(`board-${size}-${round}`));
    const found = { perSecond: middle(rounds.map((one) => one.perSecond)), p99: middle(rounds.map((one) => one.p99)) };
    first ??= found;
    const [rate, wait] = [found.perSecond / first.perSecond, found.p99 / first.p99];
    console.log(
      `${size} machines, ${WORKERS} workers: ${found.perSecond.toFixed(0)} tasks a second (${rate.toFixed(2)} of the first), ` +
        `p99 of a claim ${found.p99.toFixed(1)} ms (${wait.toFixed(2)} of the first)`,
    );
  }
});

it(`the copy of ${ENTRIES} entries is complete, and costs little for each`, async () => {
  const address = await fleet.addMachine("copied");
  const db = newDatabase("copied");
  db.transaction(() => {
    for (let count = 0; count < ENTRIES; count++) {
      append(db, `key-${count}`, sampleEntry({ body: JSON.stringify({ command: `echo ${count} `.padEnd(600, "x") }) }));
    }
  });
  const client = new FleetClient(address);
  const copy = new JournalCopy(client, db);
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  let [copied, batches] = [0, 0];
  for (let batch = await copy.copyBatch(); batch.length > 0; batch = await copy.copyBatch()) {
    copied += batch.length;
    batches++;
  }
  const { user, system } = process.cpuUsage(cpu);
  const each = (value: number): string => ((value * 1_000) / ENTRIES).toFixed(0);
  console.log(
    `${copied} entries in ${batches} batches: ${each(performance.now() - started)} µs for each, ` +
      `of that ${each((user + system) / 1_000)} µs of processor time of the link`,
  );
  expect([copied, copy.waiting]).toEqual([ENTRIES, 0]);
  expect(await fleet.copyOf("copied")).toHaveLength(ENTRIES);
  await client.close();
  db.close();
});
