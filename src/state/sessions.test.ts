import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { promptedArbiter } from "../core/arbiter.ts";
import { Database } from "./database.ts";
import { sampleEntry } from "./entry.samples.ts";
import { append } from "./journal.ts";
import { CALLS, noteSession, REFUSED, saveArbiter, takeSnapshot } from "./sessions.ts";
import type { SessionRef } from "./stores.ts";

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const ref: SessionRef = { agent: "claude-code", session: "s1", agentId: "", project: "/p" };
let db: Database;
beforeEach(() => {
  db = new Database(":memory:", 50);
});
afterEach(() => db.close());

/** As every event does it: by what its snapshot says. */
const note = (at: number, via = "user"): void => noteSession(db, ref, takeSnapshot(db, ref, false), { at, via });
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

  it("tells when it was last heard ref, to the hour", () => {
    note(NOW);
    note(NOW + HOUR);
    expect(row()).toMatchObject({ first_at: NOW, last_at: NOW + HOUR });
    note(NOW + HOUR + 1);
    expect(row().last_at).toBe(NOW + HOUR);
  });

  it("is not made older by a clock that was set back", () => {
    note(NOW);
    noteSession(db, ref, { via: "", lastAt: undefined }, { at: NOW - 5 * HOUR, via: "" });
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
  const write = (toolUseId: string, session: string, event: string, ruling = "pass"): void => {
    append(db, `${event} ${toolUseId} ${++rows}`, sampleEntry({ session, event, toolUseId, ruling }));
  };
  let rows = 0;
  const ran = (): number => takeSnapshot(db, ref, true).toolCalls;

  it.each<[name: string, entries: readonly [event: string, ruling: string, id?: string][], count: number]>([
    ["one that nobody refused, though its end was never reported", [["tool.before", "pass"]], 1],
    ["none that was denied", [["tool.before", "deny"]], 0],
    ["none that a person was asked about and refused", [["tool.before", "ask"]], 0],
    [
      "one that a person was asked about and allowed",
      [
        ["tool.before", "ask"],
        ["tool.after", "pass"],
      ],
      1,
    ],
    [
      "one that a person allowed and that failed",
      [
        ["tool.before", "ask"],
        ["tool.failed", "pass"],
      ],
      1,
    ],
    [
      "once what two registrations report",
      [
        ["tool.before", "pass"],
        ["tool.before", "pass"],
      ],
      1,
    ],
    [
      "none that one of two registrations denied",
      [
        ["tool.before", "pass"],
        ["tool.before", "deny"],
      ],
      0,
    ],
    [
      "each of those without an id",
      [
        ["tool.before", "pass", ""],
        ["tool.before", "pass", ""],
      ],
      2,
    ],
    [
      "none that was denied without an id",
      [
        ["tool.before", "deny", ""],
        ["tool.after", "pass", ""],
      ],
      0,
    ],
    [
      "the others beside one that was denied",
      [
        ["tool.before", "pass", "x"],
        ["tool.before", "deny", "y"],
      ],
      1,
    ],
  ])("count %s", (_name, entries, count) => {
    for (const [event, ruling, id = "a"] of entries) write(id, "s1", event, ruling);
    expect(ran()).toBe(count);
  });

  it("are counted from the last prompt of a person and from the last stop", () => {
    for (const id of ["a", "b", "c"]) write(id, "s1", "tool.before");
    expect(takeSnapshot(db, ref, true).calls).toEqual({ sinceStop: 3, sincePrompt: undefined });
    saveArbiter(db, ref, promptedArbiter(1));
    expect(takeSnapshot(db, ref, true).calls).toEqual({ sinceStop: 2, sincePrompt: 2 });
    saveArbiter(db, ref, { ...promptedArbiter(1), toolCalls: 3 });
    expect(takeSnapshot(db, ref, true).calls).toEqual({ sinceStop: 0, sincePrompt: 2 });
  });

  it("are counted in the journal, and asked for at a stop only", () => {
    for (const key of ["a", "b"]) write(key, "s1", "tool.before");
    write("a", "s1", "tool.after");
    write("c", "s2", "tool.before");
    expect(takeSnapshot(db, ref, true).toolCalls).toBe(2);
    expect(takeSnapshot(db, ref, false).toolCalls).toBe(0);
  });

  it("are found without reading a row of the journal", () => {
    const plan = (sql: string): string =>
      db
        .all(`EXPLAIN QUERY PLAN ${sql}`, "s1")
        .map(({ detail }) => String(detail))
        .join("\n");
    expect(plan(CALLS)).toContain("USING COVERING INDEX journal_of_call");
    expect(plan(REFUSED)).toContain("asked USING INDEX journal_refused (session=?)");
    expect(plan(REFUSED)).toContain("report USING COVERING INDEX journal_of_call");
  });
});
