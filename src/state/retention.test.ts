import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FRESH_ARBITER } from "../core/arbiter.ts";
import { Database } from "./database.ts";
import { sampleEntry } from "./entry.samples.ts";
import { append } from "./journal.ts";
import { believableTime, prune } from "./retention.ts";
import { bumpRevision, noteSession, saveArbiter } from "./sessions.ts";
import { openTable, projectScope, type SessionRef, sessionScope } from "./stores.ts";

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
let folder: string;
let db: Database;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-retention-"));
  db = new Database(path.join(folder, "state.db"), 50);
});
afterEach(() => {
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

let keys = 0;
function fill(count: number, at: (index: number) => number, body = "{}"): void {
  db.transaction(() => {
    for (let i = 0; i < count; i++) append(db, `k${++keys}`, sampleEntry({ at: at(i), body }));
  });
}
/** What is known of one session, by table. */
const knownOf = (session: string): number[] =>
  [
    ["entries", "scope = ?", `session:claude-code:${session}`],
    ["revisions", "scope = ?", `session:claude-code:${session}`],
    ["arbiters", "session = ?", session],
    ["sessions", "session = ?", session],
  ].map(([table, where, value = ""]) => Number(db.get(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`, value)?.n));

function leaveSession(session: string, at: number): void {
  const ref: SessionRef = { agent: "claude-code", session, agentId: "", project: "/p" };
  db.transaction(() => {
    noteSession(db, ref, { via: "", lastAt: undefined }, { at, via: "" });
    saveArbiter(db, ref, FRESH_ARBITER);
    bumpRevision(db, sessionScope(ref));
    openTable(db, sessionScope(ref), "s", () => undefined).set("k", 1);
    openTable(db, projectScope(ref), "s", () => undefined).set(session, 1);
  });
}
const rows = (): number => Number(db.get("SELECT COUNT(*) AS n FROM journal")?.n);

describe("retention", () => {
  it("removes what is older than the limit and nothing else", async () => {
    fill(1_300, (index) => NOW - (index < 1_200 ? 31 : index < 1_250 ? 29 : 1) * DAY);
    expect(await prune(db, { days: 30, megabytes: 256 }, NOW)).toBe(1_200);
    expect(rows()).toBe(100);
  });

  it("removes the oldest when there is too much, and gives the space back", async () => {
    fill(3_000, (index) => NOW - 3_000 + index, JSON.stringify("x".repeat(2_000)));
    const removed = await prune(db, { days: 30, megabytes: 5 }, NOW);
    expect(removed).toBeGreaterThan(500);
    expect(rows()).toBe(3_000 - removed);
    expect(Number(db.get("SELECT MIN(at) AS at FROM journal")?.at)).toBe(NOW - 3_000 + removed);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    expect(fs.statSync(db.file).size).toBeLessThan(6 * 1_048_576);
  });

  it("keeps everything that is within both limits", async () => {
    fill(10, () => NOW);
    expect(await prune(db, { days: 30, megabytes: 256 }, NOW)).toBe(0);
    expect(rows()).toBe(10);
  });

  it("finds old entries behind young ones that a wrong clock has dated", async () => {
    fill(900, (index) => NOW - (index === 50 || (index >= 200 && index < 500) || index > 800 ? 1 : 31) * DAY);
    expect(await prune(db, { days: 30, megabytes: 256 }, NOW)).toBe(500);
    expect(rows()).toBe(400);
  });

  it("lets others in between: hooks do not wait until it is done", async () => {
    fill(8_000, (index) => NOW - (index < 6_000 ? 31 : 1) * DAY, JSON.stringify("x".repeat(500)));
    let [turns, most, before] = [0, 0, rows()];
    const look = (): void => {
      const now = rows();
      turns++;
      [most, before] = [Math.max(most, before - now), now];
      next = setImmediate(look);
    };
    let next = setImmediate(look);
    expect(await prune(db, { days: 30, megabytes: 256 }, NOW)).toBe(6_000);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(50);
    expect(most).toBeLessThanOrEqual(200);
  });
});

describe("a clock that jumps ahead", () => {
  const LIMITS = { days: 30, megabytes: 256 };

  it("makes nothing old: what was recorded before stays, also notes and sessions", async () => {
    fill(500, (index) => NOW - (500 - index) * 60_000);
    leaveSession("mine", NOW);
    const later = NOW + 400 * DAY;
    fill(3, () => later);
    expect(await prune(db, LIMITS, later)).toBe(0);
    expect(rows()).toBe(503);
    expect(knownOf("mine")).toEqual([1, 1, 1, 1]);
  });

  it("still lets go what was old before", async () => {
    fill(200, (index) => NOW - (index < 50 ? 40 : 1) * DAY);
    expect(await prune(db, LIMITS, NOW + 400 * DAY)).toBe(50);
  });

  it("is believed once it has said so for a day: somebody came back after a long pause", async () => {
    fill(100, () => NOW);
    const back = NOW + 60 * DAY;
    fill(20, () => back);
    expect(await prune(db, LIMITS, back + DAY - 1)).toBe(0);
    expect(await prune(db, LIMITS, back + DAY)).toBe(100);
    expect(rows()).toBe(20);
  });

  it.each([
    ["nothing is recorded", [], 0],
    ["all is of today", [0, -1], 0],
    ["work every day", [-40 * DAY, -3 * DAY, -DAY, 0], 0],
    ["a free weekend", [-40 * DAY, -2 * DAY, 0], 0],
    ["a pause of three days", [-40 * DAY, -3 * DAY, 0], -DAY],
    ["nothing but old entries", [-40 * DAY, -39 * DAY], -37 * DAY],
  ])("%s", (_name, ages, expected) => {
    fill(ages.length, (index) => NOW + (ages[index] ?? 0));
    expect(believableTime(db, NOW) - NOW).toBe(expected);
  });
});

describe("what is known of sessions", () => {
  it("goes with the journal's age, a session that had an event since stays, and so does what projects share", async () => {
    fill(2, (index) => NOW - (1 - index) * DAY);
    const old = Array.from({ length: 250 }, (_, index) => `old-${index}`);
    for (const session of old) leaveSession(session, NOW - 31 * DAY);
    leaveSession("young", NOW - 29 * DAY);
    // One that began long ago and goes on.
    leaveSession("long", NOW - 90 * DAY);
    leaveSession("long", NOW);
    await prune(db, { days: 30, megabytes: 256 }, NOW);
    for (const session of old) expect(knownOf(session)).toEqual([0, 0, 0, 0]);
    for (const session of ["young", "long"]) expect(knownOf(session)).toEqual([1, 1, 1, 1]);
    expect(db.get("SELECT COUNT(*) AS n FROM entries WHERE scope = 'project:/p'")?.n).toBe(252);
  });
});
