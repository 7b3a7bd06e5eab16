import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../database.ts";
import { sampleEntry } from "../entry.samples.ts";
import { append, type JournalEntry } from "../journal.ts";
import { countMatching, firstEntrySince, type PageFilter, pageBefore } from "./journal-pages.ts";

let db: Database;
beforeEach(() => {
  db = new Database(":memory:", 100);
});
afterEach(() => db.close());

function add(...entries: Partial<JournalEntry>[]): void {
  db.transaction(() => {
    for (const entry of entries) append(db, `k${Math.random()}`, sampleEntry(entry));
  });
}

/** A search that returns two at a time. */
function below(ids: readonly number[]): (before: number) => readonly number[] {
  return (before) => ids.filter((id) => id < before).slice(0, 2);
}

function idsOf(filter: PageFilter, limit = 10): number[] {
  const ids: number[] = [];
  for (let before: number | undefined; ; ) {
    const page = pageBefore(db, filter, before, limit);
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    ids.push(...page.rows.map(({ id }) => Number(id)));
    if (page.next === undefined) return ids;
    expect(page.next).toBeLessThan(before ?? Number.POSITIVE_INFINITY);
    before = page.next;
  }
}

describe("pages", () => {
  beforeEach(() => {
    const entries = Array.from({ length: 5_000 }, (_, index): Partial<JournalEntry> => {
      const id = index + 1;
      return {
        at: id * 10,
        session: id % 100 === 0 ? "rare" : "often",
        ruling: id % 7 === 0 ? "deny" : "pass",
        event: id % 3 === 0 ? "turn.stop" : "tool.before",
        policy: id % 1_000 === 0 ? "safety/x" : "",
        body: JSON.stringify({ tool_input: { command: id === 4_321 ? "git PUSH --force" : "ls" } }),
      };
    });
    add(...entries);
    db.run("DELETE FROM journal WHERE id BETWEEN 2000 AND 2999");
  });

  const all = Array.from({ length: 5_000 }, (_, at) => 5_000 - at).filter((id) => id < 2_000 || id > 2_999);
  it.each<[string, PageFilter, (id: number) => boolean]>([
    ["everything", {}, () => true],
    ["a session", { session: "rare" }, (id) => id % 100 === 0],
    ["denials", { ruling: "deny" }, (id) => id % 7 === 0],
    ["what passed in a session", { session: "rare", ruling: "pass" }, (id) => id % 100 === 0 && id % 7 !== 0],
    ["denials of a session", { session: "often", ruling: "deny" }, (id) => id % 100 !== 0 && id % 7 === 0],
    ["an event", { event: "turn.stop" }, (id) => id % 3 === 0],
    ["a policy", { policy: "safety/x" }, (id) => id % 1_000 === 0],
    ["from a time on", { since: 40_000 }, (id) => id >= 4_000],
    ["denials from a time on", { since: 40_000, ruling: "deny" }, (id) => id >= 4_000 && id % 7 === 0],
    ["what a search found", { found: below([4_321, 2_500, 700, 3]) }, (id) => [4_321, 700, 3].includes(id)],
    [
      "denials that a search found",
      { found: below([4_998, 700, 3]), ruling: "deny" },
      (id) => id === 4_998 || id === 700,
    ],
    ["no such session", { session: "none" }, () => false],
  ])("hold %s, each entry once, the newest first, and count the same", async (_name, filter, fits) => {
    const wanted = all.filter(fits);
    expect(idsOf(filter, 77)).toEqual(wanted);
    expect(await countMatching(db, filter)).toBe(wanted.length);
  });

  it("end with the last entry, without an empty page behind it", () => {
    expect(pageBefore(db, {}, 6, 5)).toMatchObject({ rows: [{ id: 5 }, { id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }] });
    expect(pageBefore(db, {}, 1, 5)).toEqual({ rows: [], next: undefined });
  });
});

it("finds the first entry of a time among holes", () => {
  add(...Array.from({ length: 300 }, (_, index) => ({ at: index * 2 })));
  db.run("DELETE FROM journal WHERE id % 5 = 0 OR id BETWEEN 100 AND 200");
  const ids = db.all("SELECT id, at FROM journal ORDER BY id");
  for (const since of [-5, 0, 1, 197, 198, 399, 400, 597]) {
    const found = firstEntrySince(db, since);
    for (const { id, at } of ids) expect(Number(id) >= found, `${since}: ${id}`).toBe(Number(at) >= since);
  }
  expect(firstEntrySince(db, 10_000)).toBeGreaterThan(299);
});
