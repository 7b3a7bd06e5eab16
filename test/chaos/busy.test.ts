import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../src/state/database.ts";
import { type Connection, isBusy, openConnection } from "../../src/state/driver.ts";
import { bumpRevision } from "../../src/state/sessions.ts";
import { forbiddenWrite } from "../support/events.ts";
import { counters, holdWriteLock, journal, rulings } from "../support/records.ts";
import { CLIENTS, isMissing, World } from "../support/world.ts";

const DRIVER = process.versions.sqlite === undefined ? "libsql" : "node:sqlite";
const SCOPE = "project:/p";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

/** Three connections: one holds the lock, one meets SQLITE_BUSY and writes later, one looks. */
describe(`a write after SQLITE_BUSY (${DRIVER}, Node ${process.version})`, () => {
  let holder: Connection;
  let writer: Database;
  let reader: Connection;
  beforeEach(() => {
    writer = new Database(world.database, 20);
    holder = openConnection(world.database);
    reader = openConnection(world.database);
  });
  afterEach(() => {
    writer.close();
    holder.close();
    reader.close();
  });

  const count = (): void => bumpRevision(writer, SCOPE);
  const COUNTED = `SELECT revision FROM revisions WHERE scope = '${SCOPE}'`;
  const seen = (): number => Number(reader.prepare(COUNTED).get()?.revision ?? 0);

  it.each([
    ["whose statements are fresh", 0],
    ["whose statements are already prepared", 3],
  ])("by a connection %s is seen by the third", (_, before) => {
    for (let i = 0; i < before; i++) expect(writer.transaction(count)).toBeDefined();
    holder.exec("BEGIN IMMEDIATE");
    expect(writer.transaction(count)).toBeUndefined();
    expect(writer.transaction(count)).toBeUndefined();
    holder.exec("COMMIT");
    expect(seen()).toBe(before);
    expect(writer.transaction(count)).toBeDefined();
    expect(seen()).toBe(before + 1);
    expect(writer.transaction(count)).toBeDefined();
    expect(seen()).toBe(before + 2);
  });

  it("met by a statement of its own, outside a transaction, loses nothing that follows", () => {
    holder.exec("BEGIN IMMEDIATE");
    expect(busyOf(count)).toBe(true);
    holder.exec("COMMIT");
    bumpRevision(writer, "another statement");
    expect(reader.prepare("SELECT scope FROM revisions").all()).toEqual([{ scope: "another statement" }]);
    count();
    expect(seen()).toBe(1);
    expect(writer.transaction(count)).toBeDefined();
    expect(seen()).toBe(2);
  });

  it("keeps what was read meanwhile readable", () => {
    expect(writer.transaction(count)).toBeDefined();
    holder.exec("BEGIN IMMEDIATE");
    expect(writer.get(COUNTED)?.revision).toBe(1);
    expect(writer.transaction(count)).toBeUndefined();
    expect(writer.get(COUNTED)?.revision).toBe(1);
    holder.exec("ROLLBACK");
  });
});

function busyOf(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

describe.each(CLIENTS.flatMap((client) => [true, false].map((daemon) => ({ client, daemon }))))(
  "the write lock is taken, $client client, daemon $daemon",
  ({ client, daemon }) => {
    it.skipIf(isMissing(client))("an event waits for it and is recorded once", async () => {
      if (daemon) await world.startDaemon();
      await world.send(forbiddenWrite(world, "call-0"), { client, daemon });
      const lock = holdWriteLock(world);
      const waiting = world.begin(forbiddenWrite(world, "call-1"), { client, daemon });
      // Long enough for the daemon to be given up and the client to have begun by itself.
      setTimeout(() => lock.release(), 1_700);
      const answer = await waiting.ended;
      expect(answer.exit).toBe(2);
      expect(answer.stderr).not.toContain("could not record");
      expect(rulings(world, "call-1")).toEqual(["deny"]);
      expect(counters(world, "session-1")).toEqual({ events: 2, toolCalls: 2 });
      expect(journal(world)).toHaveLength(2);
    });
  },
);
