import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../../../state/database.ts";
import { sampleEntry } from "../../../state/entry.samples.ts";
import { append } from "../../../state/journal.ts";
import type { CommandContext } from "../../command.ts";
import { failing, NO_TERMINAL, typingTerminal } from "../../installation/setup.samples.ts";
import { runJournal } from "./run.ts";

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "hw-journal-search-"));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const DAY = 86_400_000;
let keys = 0;
function given(...commands: (readonly [command: string, about?: Parameters<typeof sampleEntry>[0]])[]): void {
  const db = new Database(path.join(home, "state.db"), 1_000);
  for (const [command, about] of commands) {
    const body = JSON.stringify({ tool_input: { command } });
    append(db, `k${++keys}`, sampleEntry({ at: Date.now(), body, ...about }));
  }
  db.close();
}

async function run(options: CommandContext["options"], args: string[] = [], terminal = NO_TERMINAL): Promise<string> {
  const said: string[] = [];
  const out = (text: string): void => void said.push(text);
  const env = { HOOKWRIGHT_HOME: home, HOME: home };
  const { signal } = new AbortController();
  await runJournal({ args, options, cwd: home, env, out, err: out }, { terminal, signal, pollMs: 1 });
  return said.join("\n");
}
const ids = async (options: CommandContext["options"]): Promise<number[]> =>
  (await run({ json: true, ...options })).split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).id]));

describe("journal --search", () => {
  test("goes together with the other filters, oldest first, and the newest where there is a limit", async () => {
    const deny = { ruling: "deny", policy: "safety/x", reason: "No.", session: "s2" };
    given(["rm -rf build"], ["ls"], ["rm -rf src", deny], ["rm a", { at: Date.now() - 9 * DAY }], ["rm -rf last"]);
    expect(await ids({ search: "rm" })).toEqual([1, 3, 4, 5]);
    expect(await ids({ search: "rm", limit: "2" })).toEqual([4, 5]);
    expect(await ids({ search: "rm", denied: true })).toEqual([3]);
    expect(await ids({ search: "rm", session: "s2" })).toEqual([3]);
    expect(await ids({ search: "rm", since: "2d" })).toEqual([1, 3, 5]);
    expect(await ids({ search: "src rm" })).toEqual([3]);
    expect(await run({ search: "rm src" })).toContain("Bash: rm -rf src");
    expect(await run({ search: "zebra" })).toBe("Nothing matches.");
  });
  test("finds more than a page of entries, in their order", async () => {
    given(...Array.from({ length: 450 }, (_, number) => [`step ${number}`] as const));
    expect(await ids({ search: "step" })).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
  });
  test("takes no search without a word, and none that is followed", async () => {
    given(["ls"]);
    await failing("HW_USAGE", () => run({ search: "--" }));
    await failing("HW_USAGE", () => run({ search: "ls", follow: true }));
  });
  test("leaves no word of what was forgotten", async () => {
    given(["echo unforgettable"]);
    expect(await ids({ search: "unforgettable" })).toEqual([1]);
    await run({ all: true }, ["forget"], typingTerminal("forget\n"));
    const left = fs.readdirSync(home).map((name) => fs.readFileSync(path.join(home, name), "latin1"));
    expect(left.filter((text) => text.includes("unforgettable"))).toEqual([]);
  });
});

describe("journal stats", () => {
  test("counts per day, agent and policy", async () => {
    const [today, before] = [new Date(2026, 0, 5, 12).getTime(), new Date(2026, 0, 4, 12).getTime()];
    given(
      ["a", { at: before, ruling: "deny", policy: "safety/x" }],
      ["b", { at: today, ruling: "ask", policy: "safety/x", session: "s2" }],
      ["c", { at: today, agent: "codex" }],
      ["d", { at: today, event: "command", agent: "" }],
    );
    const none = { denied: 0, asked: 0, held: 0, approved: 0 };
    expect(JSON.parse(await run({ json: true }, ["stats"]))).toEqual({
      events: 3,
      days: [
        { day: "2026-01-04", events: 1, sessions: 1, ...none, denied: 1 },
        { day: "2026-01-05", events: 2, sessions: 2, ...none, asked: 1 },
      ],
      agents: [
        { agent: "claude-code", events: 2, sessions: 2, ...none, denied: 1, asked: 1 },
        { agent: "codex", events: 1, sessions: 1, ...none },
      ],
      policies: [{ policy: "safety/x", events: 2, sessions: 2, ...none, denied: 1, asked: 1 }],
    });
    expect(await run({}, ["stats"])).toMatch(
      /day +events +sessions +denied[\s\S]*2026-01-04 +1 +1 +1\n[\s\S]*safety\/x +2/,
    );
    expect(JSON.parse(await run({ json: true, denied: true }, ["stats"])).events).toBe(1);
  });
});

describe("journal export --format csv", () => {
  test("has a header, and quotes what would end a cell or be a formula", async () => {
    given(["ls", { reason: 'He said "no",\nthen left.', tool: "=cmd" }]);
    const text = await run({ format: "csv" }, ["export"]);
    expect(text.split("\n")[0]).toMatch(/^id,at,agent,/);
    expect(text).toContain('"He said ""no"",\nthen left."');
    expect(text).toContain(`"'=cmd"`);
  });
  test("writes the matching entries to a file, and counts them", async () => {
    given(["ls"], ["rm a"]);
    expect(await run({ format: "csv", out: "some.csv", search: "rm" }, ["export"])).toContain("Wrote 1 entries to");
    expect(fs.readFileSync(path.join(home, "some.csv"), "utf8").split("\n")).toHaveLength(3);
    await failing("HW_USAGE", () => run({ format: "xml" }, ["export"]));
    await failing("HW_USAGE", () => run({ format: "csv" }));
  });
});
