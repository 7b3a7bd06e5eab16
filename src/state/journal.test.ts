import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "./database.ts";
import { sampleEntry } from "./entry.samples.ts";
import { append, appendOnce, hasGuarded, type JournalEntry, storedReply } from "./journal.ts";

const NOW = 1_000_000;
const BODY = Buffer.from('{"the":"event"}');
const CALL = sampleEntry({
  at: NOW,
  session: "session-1",
  toolUseId: "call-1",
  reply: { exit: 0, stdout: "first", stderr: "" },
});
const PROMPT: JournalEntry = { ...CALL, event: "prompt.submit", tool: "", toolUseId: "" };

let db: Database;
beforeEach(() => {
  db = new Database(":memory:", 50);
});
afterEach(() => db.close());

const answer = (entry: JournalEntry, key: string, now = NOW): string | undefined =>
  storedReply(db, { ...entry, key }, now, BODY)?.stdout;

describe.each([
  ["a call", CALL],
  ["a prompt", PROMPT],
])("a retry of %s", (_, entry) => {
  it("gets the answer of the first", () => {
    append(db, "key", entry, BODY);
    expect(answer(entry, "key")).toBe("first");
  });

  it("gets it byte for byte, although the journal has it masked", () => {
    const stdout = "the password=Zk83hQpL9w2Rt5Vx is in it";
    append(db, "key", { ...entry, reply: { exit: 0, stdout, stderr: "" } }, BODY);
    expect(answer(entry, "key")).toBe(stdout);
    expect(JSON.stringify(db.all("SELECT * FROM journal"))).not.toContain("Zk83hQpL9w2Rt5Vx");
  });

  it("is one for a minute", () => {
    append(db, "key", entry, BODY);
    expect(answer(entry, "key", NOW + 59_999)).toBe("first");
    expect(answer(entry, "key", NOW + 60_000)).toBeUndefined();
  });

  it("is none with another key", () => {
    append(db, "key", entry, BODY);
    expect(answer(entry, "other")).toBeUndefined();
  });

  it("leaves no second entry", () => {
    appendOnce(db, "key", entry, BODY);
    appendOnce(db, "key", entry, BODY);
    appendOnce(db, "other", entry, BODY);
    expect(db.get("SELECT COUNT(*) AS n FROM journal")?.n).toBe(2);
  });
});

describe("a call", () => {
  it("is not taken for one of another session, nor for its own report", () => {
    append(db, "key", CALL, BODY);
    expect(answer({ ...CALL, session: "session-2" }, "key")).toBeUndefined();
    expect(answer({ ...CALL, event: "tool.after" }, "key")).toBeUndefined();
  });

  it("was guarded if it was seen before it ran", () => {
    append(db, "key", CALL, BODY);
    append(db, "after", { ...CALL, event: "tool.after", toolUseId: "call-2" }, BODY);
    expect(hasGuarded(db, "session-1", "call-1")).toBe(true);
    expect(hasGuarded(db, "session-1", "call-2")).toBe(false);
    expect(hasGuarded(db, "session-2", "call-1")).toBe(false);
  });

  it.each([
    ["a retry", "SELECT 1 FROM journal WHERE session = '' AND tool_use_id = '' AND event = '' AND key = ''"],
    ["whether it was guarded", "SELECT 1 FROM journal WHERE tool_use_id = '' AND event = '' AND session = ''"],
    ["a session's last entry", "SELECT MAX(id) FROM journal WHERE session = ''"],
  ])("is found by an index: %s", (_, sql) => {
    const plan = db.all(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => String(detail));
    expect(plan.join()).toContain("COVERING INDEX journal_of_call");
  });
});
