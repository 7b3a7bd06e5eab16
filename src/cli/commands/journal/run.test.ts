import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../../../state/database.ts";
import { append, type JournalEntry, storedReply } from "../../../state/journal.ts";
import { addNote, markDelivered, pendingNotes } from "../../../state/outbox.ts";
import type { CommandContext } from "../../command.ts";
import { failing, NO_TERMINAL, typingTerminal } from "../../installation/setup.samples.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import type { JournalObject } from "./entry.ts";
import { runJournal } from "./run.ts";
import { formatRecordedTime, formatTime, parseTime } from "./time-format.ts";

let root: string;
let home: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "hw-journal-"));
  home = path.join(root, "home");
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const database = (): string => path.join(home, "state.db");
const HOUR = 3_600_000;
const REPLY = { exit: 0, stdout: "", stderr: "" };

const ENTRY: JournalEntry = {
  at: 0,
  agent: "claude-code",
  session: "session-1",
  agentId: "",
  project: "/p",
  event: "tool.before",
  agentEvent: "PreToolUse",
  tool: "Write",
  toolUseId: "",
  ruling: "pass",
  policy: "",
  reason: "",
  microseconds: 1234,
  body: '{"cwd":"/p"}',
  verdicts: "[]",
  facts: '{"now":1}',
  reply: REPLY,
};

let keys = 0;
function write(db: Database, ...entries: Partial<JournalEntry>[]): number[] {
  return entries.map((entry) => append(db, `key-${++keys}`, { ...ENTRY, at: Date.now(), ...entry }));
}

function given(...entries: Partial<JournalEntry>[]): number[] {
  const db = new Database(database(), 1_000);
  const ids = write(db, ...entries);
  db.close();
  return ids;
}

interface Asked {
  readonly args?: string[];
  readonly terminal?: Terminal;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  out?(text: string): void;
}

async function run(options: CommandContext["options"], asked: Asked = {}): Promise<{ code: number; said: string[] }> {
  const said: string[] = [];
  const out = (text: string): void => {
    said.push(text);
    asked.out?.(text);
  };
  const env = { HOOKWRIGHT_HOME: home, HOME: root, ...asked.env };
  const context = { args: asked.args ?? [], options, cwd: root, env, out, err: out };
  const signal = asked.signal ?? new AbortController().signal;
  const code = await runJournal(context, { terminal: asked.terminal ?? NO_TERMINAL, signal, pollMs: 10 });
  return { code, said };
}

async function found(options: CommandContext["options"], args: string[] = []): Promise<JournalObject[]> {
  const { code, said } = await run({ ...options, json: true }, { args });
  expect(code).toBe(0);
  return said.map((line) => JSON.parse(line) as JournalObject);
}

const ids = (entries: readonly JournalObject[]): number[] => entries.map((entry) => entry.id);

describe("what is shown", () => {
  test("JSON lines keep their names", async () => {
    given({ policy: "safety/x", reason: "no", ruling: "deny" });
    const [entry] = await found({});
    expect(entry).toEqual({
      ...{ id: 1, at: expect.any(String), session: "session-1", agent: "claude-code", agentId: "", project: "/p" },
      ...{
        event: "tool.before",
        agentEvent: "PreToolUse",
        tool: "Write",
        toolUseId: "",
        ruling: "deny",
        subject: "Write",
      },
      ...{
        policy: "safety/x",
        reason: "no",
        microseconds: 1234,
        build: "",
        config: "",
        body: { cwd: "/p" },
        verdicts: [],
        facts: { now: 1, "project:/p": "/p" },
      },
      reply: REPLY,
    });
  });

  const said = (policy: string, verdicts: unknown[], error?: string): string =>
    JSON.stringify([
      { policy: "core/quiet", verdicts: [] },
      { policy, verdicts, ...(error ? { error } : {}) },
    ]);

  test("every filter, alone and together", async () => {
    given(
      { session: "a", ruling: "deny", policy: "safety/x" },
      { session: "b", event: "turn.stop", agentEvent: "Stop", at: Date.now() - 2 * HOUR },
      { session: "a", verdicts: said("safety/x", [{ kind: "note" }]) },
      { session: "a", verdicts: said("safety/x", []) },
      { session: "b", verdicts: said("safety/x", [], "late") },
      { session: "b", verdicts: "damaged", ruling: "deny" },
    );
    expect(ids(await found({ session: "a" }))).toEqual([1, 3, 4]);
    expect(ids(await found({ denied: true }))).toEqual([1, 6]);
    expect(ids(await found({ event: "Stop" }))).toEqual([2]);
    expect(ids(await found({ event: "turn.stop" }))).toEqual([2]);
    expect(ids(await found({ policy: "safety/x" }))).toEqual([1, 3, 5]);
    expect(ids(await found({ since: "1h" }))).toEqual([1, 3, 4, 5, 6]);
    expect(ids(await found({ limit: "2" }))).toEqual([5, 6]);
    expect(ids(await found({ session: "b", denied: true, since: "1d" }))).toEqual([6]);
    expect(ids(await found({ session: "a" }, ["export"]))).toEqual([1, 3, 4]);
  });

  test("a damaged entry hides no other", async () => {
    given({ verdicts: "[{" }, {});
    expect(await found({})).toMatchObject([
      { id: 1, verdicts: "[{" },
      { id: 2, verdicts: [] },
    ]);
    expect((await run({ id: "1" })).said.join()).toContain("Entry 1");
  });

  test("more than one page comes whole and in order", async () => {
    given(...Array.from({ length: 1203 }, (_, index) => ({ session: index % 2 === 0 ? "even" : "odd" })));
    expect(ids(await found({}))).toEqual(Array.from({ length: 1203 }, (_, index) => index + 1));
    expect(await found({ session: "even" })).toHaveLength(602);
  });

  test("a table for a person, with nothing in it that a terminal would obey", async () => {
    given({ reason: "because\nof \u001b[31mred", session: "0123456789", ruling: "deny", at: Date.UTC(2026, 0, 2) });
    const { said: lines } = await run({});
    expect(lines.join().split("\n")).toEqual([
      "id  time                 session   event       answer  what",
      `1   ${formatTime(Date.UTC(2026, 0, 2))}  01234567  PreToolUse  deny    Write`,
      "    because",
    ]);
    expect((await run({ id: "1" })).said.join()).toContain("of \\u{1b}[31mred");
  });

  test("as much of a session's name as the table shows is enough, and a whole name means only itself", async () => {
    given({ session: "0123456789" }, { session: "abcdefgh-1" }, { session: "abcdefgh-2" }, { session: "short" });
    expect(ids(await found({ session: "01234567" }))).toEqual([1]);
    expect(ids(await found({ session: "0123456" }))).toEqual([]);
    expect(ids(await found({ session: "abcdefgh-" }))).toEqual([]);
    const error = await failing("HW_USAGE", () => run({ session: "abcdefgh" }));
    expect(error.message).toContain("such as abcdefgh-1 and abcdefgh-2");
    given({ session: "abcdefgh" });
    expect(ids(await found({ session: "abcdefgh" }))).toEqual([5]);
    await run({ session: "01234567" }, { args: ["forget"], terminal: typingTerminal("forget\n") });
    expect((await found({})).map(({ session }) => session)).not.toContain("0123456789");
  });

  test("what was no event of an agent's says so", async () => {
    given({ event: "unreadable", reason: "it is empty" }, { session: "hookwright-doctor" });
    const [text = ""] = (await run({})).said;
    expect(text).toContain("The input could not be read: it is empty.");
    expect(text).toContain("sent by `hookwright doctor`");
  });

  test("a damaged database is named, and how to go on", async () => {
    fs.mkdirSync(home);
    fs.writeFileSync(database(), "nonsense ".repeat(200));
    expect((await failing("HW_STATE_DAMAGED", () => run({}))).fix).toContain("doctor --fix");
    expect(fs.readFileSync(database(), "utf8")).toContain("nonsense");
  });

  test("policies stand in the order in which they were asked", async () => {
    const of = (policy: string, stage: string): object => ({ policy, stage, mode: "enforce", verdicts: [] });
    given({
      verdicts: JSON.stringify([of("b/late", "advice"), of("a/second", "security"), of("a/first", "security")]),
    });
    const text = (await run({ id: "1" })).said.join("\n");
    const places = ["a/first", "a/second", "b/late"].map((id) => text.indexOf(id));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test("one entry in full, or as JSON", async () => {
    given(
      {},
      {
        ruling: "deny",
        policy: "safety/x",
        reason: "no",
        verdicts: said("safety/x", [{ kind: "deny", message: "m", text: "because" }]),
      },
    );
    const { said: text } = await run({ id: "2" });
    for (const part of ["Entry 2", "PreToolUse (tool.before)", "safety/x", "because", '"cwd": "/p"', "Answer: deny"]) {
      expect(text.join("\n")).toContain(part);
    }
    expect(ids(await found({ id: "2" }))).toEqual([2]);
    await failing("HW_NO_ENTRY", () => run({ id: "3" }));
  });

  test("nothing yet, nothing that matches, a misspelt event", async () => {
    expect((await run({})).said).toEqual(["Nothing is recorded yet."]);
    expect((await run({ json: true })).said).toEqual([]);
    await failing("HW_NO_ENTRY", () => run({ id: "1" }));
    expect(fs.existsSync(home)).toBe(false);
    given({});
    expect((await run({ denied: true })).said).toEqual(["Nothing matches."]);
    expect((await run({ event: "PreTolUse" })).said).toEqual(["Nothing matches. Did you mean `PreToolUse`?"]);
  });

  const wrong: readonly (readonly [CommandContext["options"], string[]])[] = [
    [{ limit: "0" }, []],
    [{ id: "x" }, []],
    [{ since: "yesterday" }, []],
    [{ since: "2026-13-45" }, []],
    [{ all: true }, []],
    [{ before: "1h" }, []],
    [{ out: "f" }, []],
    [{ follow: true }, ["export"]],
    [{}, ["exprot"]],
    [{}, ["export", "more"]],
    [{}, ["forget"]],
    [{ all: true, session: "a" }, ["forget"]],
    [{ all: true, denied: true }, ["forget"]],
  ];
  test.each(wrong)("wrong usage: %j %j", async (options, args) => {
    given({});
    await failing("HW_USAGE", () => run(options, { args, terminal: typingTerminal("forget\n") }));
    expect(await found({})).toHaveLength(1);
  });
});

test("times", () => {
  const now = Date.UTC(2026, 0, 10);
  expect([parseTime("90s", now), parseTime("2d", now)]).toEqual([now - 90_000, now - 48 * HOUR]);
  expect(parseTime("2026-01-02", now)).toBe(new Date(2026, 0, 2).getTime());
  expect(parseTime("2026-01-02T10:00:00Z", now)).toBe(Date.UTC(2026, 0, 2, 10));
  expect(parseTime(formatTime(now), now)).toBe(now);
  expect(formatRecordedTime(new Date(now).toISOString())).toBe(formatTime(now));
  expect(formatRecordedTime("some \u001b[31mday")).toBe("some \\u{1b}[31mday");
  for (const text of ["", "1", "h", "-1h", "1.5h", "tomorrow", "2026-99-99"])
    expect(parseTime(text, now)).toBeUndefined();
});

describe("following", () => {
  async function following(
    options: CommandContext["options"],
    work: (seen: string[]) => Promise<void>,
  ): Promise<string[]> {
    const stop = new AbortController();
    const seen: string[] = [];
    const running = run({ follow: true, ...options }, { signal: stop.signal, out: (text) => seen.push(text) });
    await work(seen);
    stop.abort();
    expect((await running).code).toBe(0);
    return seen;
  }
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let waited = 0; !isSo(); waited += 5) {
      if (waited > 5_000) throw new Error("it did not happen");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const numbers = (seen: readonly string[]): number[] => seen.map((line) => (JSON.parse(line) as JournalObject).id);

  test("new entries come as they are written, old ones only when asked for", async () => {
    given({}, {}, {});
    const seen = await following({ json: true, limit: "1" }, async (lines) => {
      await until(() => lines.length === 1);
      given({ session: "x" });
      await until(() => lines.length === 2);
      given({}, {});
      await until(() => lines.length === 4);
    });
    expect(numbers(seen)).toEqual([3, 4, 5, 6]);
    expect(await following({ json: true }, async () => undefined)).toEqual([]);
    expect(await following({}, async () => undefined)).toHaveLength(1);
  });

  test("filters hold, and --since brings what is there already", async () => {
    given({ at: Date.now() - 2 * HOUR, session: "a" }, { session: "a" }, { session: "b" });
    const seen = await following({ json: true, since: "1h", session: "a" }, async (lines) => {
      await until(() => lines.length === 1);
      given({ session: "b" }, { session: "a" });
      await until(() => lines.length === 2);
    });
    expect(numbers(seen)).toEqual([2, 5]);
  });

  test("it waits for the first entry ever, and goes on after the database was replaced or emptied", async () => {
    const seen = await following({ json: true }, async (lines) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      given({ session: "first" });
      await until(() => lines.length === 1);
      fs.renameSync(database(), `${database()}.aside`);
      for (const suffix of ["-wal", "-shm"]) fs.rmSync(database() + suffix, { force: true });
      given({ session: "second" }, {});
      await until(() => lines.length === 3);
      await run({ all: true }, { args: ["forget"], terminal: typingTerminal("forget\n") });
      await until(() => lines.length === 4);
    });
    expect(seen.map((line) => (JSON.parse(line) as JournalObject).agentEvent).at(-1)).toBe("journal forget");
  });

  test("lines stand below each other", async () => {
    given({ tool: "" }, { id: 1, tool: "Read", reason: "why" } as Partial<JournalEntry>);
    const [header = "", first = "", second = ""] = await following({ limit: "2" }, async (lines) =>
      until(() => lines.length === 3),
    );
    expect(header.indexOf("answer")).toBe(first.indexOf("pass"));
    expect(first.indexOf("pass")).toBe(second.indexOf("pass"));
    expect(second).toMatch(/pass +Read\n +why$/);
  });
});

describe("exporting", () => {
  test("into a new file that only its owner reads", async () => {
    given({}, { ruling: "deny" });
    const file = path.join(root, "out.jsonl");
    expect((await run({ out: "out.jsonl" }, { args: ["export"] })).said).toEqual([`Wrote 2 entries to ${file}.`]);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(
      fs
        .readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).ruling),
    ).toEqual(["pass", "deny"]);
  });

  test("nothing is overwritten, and nothing half done stays", async () => {
    given({});
    const file = path.join(root, "kept");
    fs.writeFileSync(file, "kept");
    await failing("HW_FILE_EXISTS", () => run({ out: file }, { args: ["export"] }));
    expect(fs.readFileSync(file, "utf8")).toBe("kept");
    await failing("HW_WRITE_FAILED", () => run({ out: "/dev/null/x" }, { args: ["export"] }));
  });

  test("before anything is recorded it is empty", async () => {
    expect(await found({}, ["export"])).toEqual([]);
    expect(fs.existsSync(home)).toBe(false);
  });
});

describe("forgetting", () => {
  const forget = (
    options: CommandContext["options"],
    terminal: Terminal = typingTerminal("forget\n"),
    env: NodeJS.ProcessEnv = {},
  ) => run(options, { args: ["forget"], terminal, env });
  const sessions = async (): Promise<string[]> => (await found({})).map((entry) => entry.session);

  test("a session, what is old, or everything goes, and that it went is recorded", async () => {
    given({ session: "a" }, { session: "b", at: Date.now() - 48 * HOUR }, { session: "c" });
    const { code, said } = await forget({ session: "a" });
    expect([code, said.at(-1)]).toEqual([0, "Deleted 1 entry."]);
    expect(await sessions()).toEqual(["b", "c", ""]);
    await forget({ before: "1d" });
    expect(await sessions()).toEqual(["c", "", ""]);
    await forget({ all: true });
    expect(await found({})).toMatchObject([
      { event: "command", agentEvent: "journal forget", reason: "A person chose to delete 3 entries." },
    ]);
  });

  test("not a byte of it stays in the files", async () => {
    given({ session: "a", reason: `needle-${"x".repeat(9_000)}`, body: '{"prompt":"needle"}' }, { session: "b" });
    const db = new Database(database(), 1_000);
    const of = { agent: "claude-code", session: "a", agentId: "", project: "/p" };
    addNote(db, of, "prompt.submit", "p/x", "needle delivered", 1);
    markDelivered(db, pendingNotes(db, of, "prompt.submit"), 1);
    db.close();
    const holds = (text: string): boolean =>
      fs.readdirSync(home).some((name) => fs.readFileSync(path.join(home, name)).includes(text));
    expect(holds("needle")).toBe(true);
    await forget({ session: "a" });
    expect(holds("needle")).toBe(false);
    expect(await sessions()).toEqual(["b", ""]);
  });

  test("neither its key nor its number is left to a later entry", async () => {
    const db = new Database(database(), 1_000);
    append(db, "the-call", { ...ENTRY, at: Date.now(), reply: { exit: 2, stdout: "old", stderr: "" } });
    await forget({ all: true });
    expect(storedReply(db, { ...ENTRY, key: "the-call" }, Date.now(), Buffer.from(""))).toBeUndefined();
    expect(db.all("SELECT key FROM keys WHERE journal = 1")).toEqual([]);
    expect(write(db, {})).toEqual([3]);
    db.close();
  });

  test("notes that still wait, and every other session, are left alone", async () => {
    given({ session: "a" });
    const db = new Database(database(), 1_000);
    const of = { agent: "claude-code", session: "a", agentId: "", project: "/p" };
    addNote(db, of, "prompt.submit", "p/x", "waits", 1);
    await forget({ all: true });
    expect(pendingNotes(db, of, "prompt.submit")).toHaveLength(1);
    db.close();
  });

  test("many thousand, in steps", async () => {
    given(...Array.from({ length: 1_750 }, () => ({ session: "a" })));
    expect((await forget({ session: "a" })).said.at(-1)).toBe("Deleted 1750 entries.");
  });

  test("only a person who types the word", async () => {
    given({});
    for (const terminal of [typingTerminal("yes\n"), typingTerminal("FORGET\n"), typingTerminal("")]) {
      expect((await forget({ all: true }, terminal)).code).toBe(1);
    }
    expect((await forget({ all: true }, NO_TERMINAL)).code).toBe(1);
    for (const name of ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT"]) {
      const { code, said } = await forget({ all: true }, typingTerminal("forget\n"), { [name]: "1" });
      expect([code, said.join()]).toEqual([1, expect.stringContaining(name)]);
    }
    expect(await found({})).toHaveLength(1);
  });

  test("nothing to forget", async () => {
    expect((await forget({ all: true })).said).toEqual(["Nothing is recorded yet."]);
    given({});
    expect((await forget({ session: "other" })).said).toEqual(["No entry matches, so nothing was deleted."]);
  });
});
