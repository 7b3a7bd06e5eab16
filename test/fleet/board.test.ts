/** The board on PostgreSQL keeps the same rules as the one on SQLite. */
import { afterAll, beforeAll, it } from "vitest";
import { AGENTS, assertRules } from "../../src/domain/board/board-rules.samples.ts";
import { FleetBoard } from "../../src/fleet/board/fleet-board.ts";
import type { FleetAddress } from "../../src/fleet/connection/address.ts";
import { sized } from "../support/long.ts";
import { TestFleet } from "./fleet.ts";
import { PostgresServer } from "./server.ts";

let server: PostgresServer;
let fleet: TestFleet;
let machine: FleetAddress;
const boards = new Map<string, FleetBoard>();
let count = 0;

beforeAll(async () => {
  server = await PostgresServer.start();
  fleet = await TestFleet.make(server, "board");
  machine = await fleet.addMachine("m1");
  // The clock of the server, which no machine can set.
  await fleet.asOwner(
    "CREATE TABLE fleet.test_clock (ms bigint); INSERT INTO fleet.test_clock VALUES (0)",
    `CREATE OR REPLACE FUNCTION fleet.now_ms() RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER
     AS $$ SELECT ms FROM fleet.test_clock $$`,
  );
});
afterAll(async () => {
  await fleet.close();
  await server.dispose();
});

it("claims no task twice at once, loses none, finishes each once and keeps the order, whatever the agents do", () =>
  assertRules(
    async () => {
      const board = `board-${++count}`;
      for (const name of AGENTS) boards.set(name, new FleetBoard(fleet.client(machine), board));
      const boardOf = (name: string): FleetBoard => boards.get(name) as FleetBoard;
      await boardOf("ada").make(undefined);
      return {
        boardOf,
        setNow: (ms) => fleet.asOwner(`UPDATE fleet.test_clock SET ms = ${ms}`),
        async dispose() {
          for (const name of AGENTS) await boardOf(name).close();
        },
      };
    },
    sized(25, 300),
  ));
