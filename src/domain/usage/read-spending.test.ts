import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../state/database.ts";
import { readSpending } from "./read-spending.ts";
import { spendingTable, spentSoFar } from "./spent-so-far.ts";

const PROJECT = "/home/dev/app";
const NOW = Date.UTC(2026, 10, 19, 12);
const DAY_MS = 86_400_000;
let folder: string;
let transcript: string;
let db: Database;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-spending-"));
  transcript = path.join(folder, "s.jsonl");
  db = new Database(path.join(folder, "state.db"), 50);
});
afterEach(() => {
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A million tokens of output of this model cost 15 dollars. */
const MODEL = "claude-sonnet-4-5";
function answer(id: string, output: number, at = NOW, model = MODEL): string {
  const usage = { input_tokens: 0, output_tokens: output, cache_read_input_tokens: 5_000 };
  return `${JSON.stringify({ type: "assistant", timestamp: new Date(at).toISOString(), message: { id, model, usage } })}\n`;
}
const read = (session = "s", file = transcript): void => {
  readSpending({ session, project: PROJECT, transcript: file }, db, NOW);
};
const spent = (session = "s") => spentSoFar(spendingTable(db, PROJECT), session, NOW);

describe("what a session has spent", () => {
  it("is added up over several readings, each line once", () => {
    fs.writeFileSync(transcript, answer("m1", 100_000));
    read();
    expect(spent()?.session).toEqual({ dollars: 1.5015, tokens: 100_000, unpriced: 0 });
    read();
    fs.appendFileSync(transcript, answer("m1", 100_000) + answer("m2", 100_000).slice(0, 40));
    read();
    expect(spent()?.session.tokens).toBe(100_000);
    fs.appendFileSync(transcript, answer("m2", 100_000).slice(40));
    read();
    expect(spent()?.session.tokens).toBe(200_000);
    expect(spent()?.days).toHaveLength(1);
  });

  it("counts the further lines of an answer that an earlier reading has seen", () => {
    fs.writeFileSync(transcript, answer("m1", 1_000));
    read();
    fs.appendFileSync(transcript, answer("m1", 4_000));
    read();
    expect(spent()?.session.tokens).toBe(4_000);
  });

  it("has its subagents, and counts for the project with other sessions", () => {
    fs.mkdirSync(path.join(folder, "s", "subagents"), { recursive: true });
    fs.writeFileSync(transcript, answer("m1", 1_000));
    fs.writeFileSync(path.join(folder, "s", "subagents", "agent-a1.jsonl"), answer("m1", 2_000));
    fs.writeFileSync(path.join(folder, "t.jsonl"), answer("m1", 4_000));
    read();
    read("t", path.join(folder, "t.jsonl"));
    expect(spent()?.session.tokens).toBe(3_000);
    expect(spent("t")?.session.tokens).toBe(4_000);
    expect(spent()?.days[0]?.tokens).toBe(7_000);
  });

  it("belongs to the day on which it was spent, and is forgotten after 90 days", () => {
    const ages = [0, 2, 89, 90, 400];
    fs.writeFileSync(transcript, ages.map((age, at) => answer(`m${at}`, 1_000, NOW - age * DAY_MS)).join(""));
    read();
    expect(
      spent()
        ?.days.map(({ age }) => age)
        .sort((a, b) => a - b),
    ).toEqual([0, 2, 89]);
    expect(spent()?.session.tokens).toBe(5_000);
  });

  it("tells tokens of models whose price is not known", () => {
    fs.writeFileSync(transcript, answer("m1", 1_000, NOW, "somebody-else-9") + answer("m2", 1_000));
    read();
    expect(spent()?.session).toMatchObject({ tokens: 2_000, unpriced: 1_000 });
  });

  it("is not counted twice when two processes read it at the same time", () => {
    fs.writeFileSync(transcript, answer("m1", 1_000));
    const other = new Database(db.file, 50);
    const { transaction } = db;
    // The other process has read and added while this one was reading.
    db.transaction = (work) => {
      db.transaction = transaction;
      readSpending({ session: "s", project: PROJECT, transcript }, other, NOW);
      return db.transaction(work);
    };
    read();
    other.close();
    expect(spent()?.session.tokens).toBe(1_000);
    expect(spent()?.days[0]?.tokens).toBe(1_000);
  });

  it.each([null, "x", { session: "s", project: PROJECT, transcript: "/no/such.jsonl" }])(
    "is nothing for %j",
    (args) => {
      readSpending(args, db, NOW);
      expect(spent()).toBeUndefined();
    },
  );
});
