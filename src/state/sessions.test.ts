import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "./database.ts";
import { sampleEntry } from "./entry.samples.ts";
import { append } from "./journal.ts";
import { noteSession, type SnapshotOf, takeSnapshot } from "./sessions.ts";

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const of: SnapshotOf = { agent: "claude-code", session: "s1", agentId: "", project: "/p" };
let db: Database;
beforeEach(() => {
  db = new Database(":memory:", 50);
});
afterEach(() => db.close());

/** As every event does it: by what its snapshot says. */
const note = (at: number, via = "user"): void => noteSession(db, of, takeSnapshot(db, of, false), { at, via });
const row = () => ({ ...db.get("SELECT via, project, first_at, last_at FROM sessions") });
const changes = (): number => Number(db.get("SELECT total_changes() AS n")?.n);

describe("what is kept of a session", () => {
  it("begins with its first event", () => {
    note(NOW);
    expect(row()).toMatchObject({ via: "user", project: "/p", first_at: NOW, last_at: NOW });
  });

  it("is not written again by the next events", () => {
    note(NOW);
    const before = changes();
    for (let minutes = 1; minutes < 60; minutes++) note(NOW + minutes * 60_000);
    expect(changes()).toBe(before);
  });

  it("tells when it was last heard of, to the hour", () => {
    note(NOW);
    note(NOW + HOUR);
    expect(row()).toMatchObject({ first_at: NOW, last_at: NOW + HOUR });
    note(NOW + HOUR + 1);
    expect(row().last_at).toBe(NOW + HOUR);
  });

  it("is not made older by a clock that was set back", () => {
    note(NOW);
    noteSession(db, of, { via: "", lastAt: undefined }, { at: NOW - 5 * HOUR, via: "" });
    expect(row()).toMatchObject({ first_at: NOW, last_at: NOW });
  });

  it("belongs to the first registration that says its name, even if that is not the first event", () => {
    note(NOW, "");
    note(NOW + 1, "project");
    note(NOW + 2, "user");
    expect(row()).toMatchObject({ via: "project", last_at: NOW + 1 });
  });
});

describe("its tool calls", () => {
  const write = (toolUseId: string, session: string, event: string): void => {
    append(db, `${event} ${toolUseId}`, sampleEntry({ session, event, toolUseId }));
  };

  it("are counted in the journal, and asked for at a stop only", () => {
    for (const key of ["a", "b"]) write(key, "s1", "tool.before");
    write("a", "s1", "tool.after");
    write("c", "s2", "tool.before");
    expect(takeSnapshot(db, of, true).toolCalls).toBe(2);
    expect(takeSnapshot(db, of, false).toolCalls).toBe(0);
  });

  it("are found without reading a row of the journal", () => {
    const plan = db.all(
      "EXPLAIN QUERY PLAN SELECT count(*) FROM journal WHERE session = ? AND event = 'tool.before'",
      "s1",
    );
    expect(String(plan[0]?.detail)).toContain("USING COVERING INDEX journal_of_call");
  });
});
