import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "./database.ts";
import { append, type JournalEntry } from "./journal.ts";
import { prune } from "./retention.ts";

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

function fill(count: number, at: (index: number) => number, body = "{}"): void {
  const base: Omit<JournalEntry, "at" | "body"> = {
    agent: "claude-code",
    session: "s",
    agentId: "",
    project: "/p",
    event: "tool.before",
    agentEvent: "PreToolUse",
    tool: "Bash",
    toolUseId: "",
    ruling: "pass",
    policy: "",
    reason: "",
    microseconds: 1,
    verdicts: "[]",
    facts: "{}",
    reply: { exit: 0, stdout: "", stderr: "" },
  };
  db.transaction(() => {
    for (let i = 0; i < count; i++) append(db, `k${i}`, { ...base, at: at(i), body });
  });
}
const rows = (): number => Number(db.get("SELECT COUNT(*) AS n FROM journal")?.n);

describe("retention", () => {
  it("removes what is older than the limit and nothing else", async () => {
    fill(1_300, (index) => NOW - (index < 1_200 ? 31 : 29) * DAY);
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
    fill(900, (index) => NOW - (index === 50 || (index >= 200 && index < 500) ? 1 : 31) * DAY);
    expect(await prune(db, { days: 30, megabytes: 256 }, NOW)).toBe(599);
    expect(rows()).toBe(301);
  });

  it("lets others in between: hooks do not wait until it is done", async () => {
    fill(8_000, (index) => NOW - (index < 6_000 ? 31 : 1) * DAY, JSON.stringify("x".repeat(500)));
    let longest = 0;
    let turns = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      turns++;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const started = performance.now();
    expect(await prune(db, { days: 30, megabytes: 256 }, NOW)).toBe(6_000);
    clearInterval(timer);
    const whole = performance.now() - started;
    console.log(`${whole.toFixed(0)} ms in all, at most ${longest.toFixed(1)} ms at a time`);
    expect(turns).toBeGreaterThan(10);
    expect(longest).toBeLessThan(Math.max(whole / 2, 100));
  });
});
