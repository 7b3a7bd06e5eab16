import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import type { Spending } from "../../core/ports.ts";
import { DAYS, keyOf, spendingTable } from "../../domain/usage/spent-so-far.ts";
import type { Database } from "../../state/database.ts";
import { claudeEvent, PROJECT, SESSION, shell, toolAfter, toolBefore } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./spend-cap.ts";

const TRANSCRIPT = { transcript_path: "/home/dev/.claude/projects/p/s.jsonl" };
const DAY_MS = 86_400_000;
const sum = (dollars: number, tokens = 0, unpriced = 0): Spending => ({ dollars, tokens, unpriced });

/** What was spent by the session, and by its project so many days ago. */
function spent(session: Spending, days: Readonly<Record<number, Spending>> = { 0: session }, of = SESSION) {
  return (db: Database): void => {
    const table = spendingTable(db, PROJECT, () => undefined);
    const dayOf = (age: string) => new Date(FAKE_NOW - Number(age) * DAY_MS).toISOString().slice(0, 10);
    table.set(keyOf(of), { sum: { ...session } });
    table.set(DAYS, Object.fromEntries(Object.entries(days).map(([age, one]) => [dayOf(age), { ...one }])));
  };
}

const agreed = toolBefore("Bash", { command: "ls" });
const ran = toolAfter("Bash", { command: "ls" }, agreed.tool?.useId ?? "");
const asks = { says: "ask", message: "reached" } as const;
const tells = { says: "notice", message: "nearly" } as const;
const ten = { sessionDollars: 10 };

testPolicy(policy, {
  hit: [
    {
      name: "four fifths of a session's dollars",
      options: ten,
      seed: spent(sum(8)),
      event: shell("ls"),
      ...tells,
      text: "This session has used $8.00 of a cap of $10.00 (80 %).",
    },
    {
      name: "all of them",
      options: ten,
      seed: spent(sum(10)),
      event: shell("ls"),
      ...asks,
      text: "$10.00, which is 100 %",
    },
    { name: "more than all", options: ten, seed: spent(sum(25)), event: shell("ls"), ...asks, text: "250 %" },
    {
      name: "whatever the call does",
      options: ten,
      seed: spent(sum(10)),
      event: toolBefore("Read", { file_path: "/a" }),
      ...asks,
    },
    {
      name: "a session's tokens",
      options: { sessionTokens: 2_000_000 },
      seed: spent(sum(1, 2_500_000)),
      event: shell("ls"),
      ...asks,
      text: "2.5 million tokens",
    },
    {
      name: "the dollars of all sessions of the project",
      options: { projectDollars: 100 },
      seed: spent(sum(1), { 0: sum(1), 3: sum(60), 29: sum(39) }),
      event: shell("ls"),
      ...asks,
      text: "The sessions of this project have used, in the last 30 days, $100.00",
    },
    {
      name: "its tokens of today",
      options: { projectTokens: 1_000_000, projectDays: 1 },
      seed: spent(sum(1), { 0: sum(1, 900_000), 1: sum(1, 900_000) }),
      event: shell("ls"),
      ...tells,
      text: "today, 900 thousand tokens",
    },
    {
      name: "a session that has used nothing itself",
      options: { projectDollars: 100 },
      seed: spent(sum(100), { 0: sum(100) }, "another"),
      event: shell("ls"),
      ...asks,
    },
    {
      name: "the cap that is used most, of two",
      options: { sessionDollars: 10, projectDollars: 100 },
      seed: spent(sum(9), { 0: sum(120) }),
      event: shell("ls"),
      ...asks,
      text: "The sessions of this project",
    },
    {
      name: "tokens whose price is not known are named",
      options: ten,
      seed: spent(sum(10, 60_000, 20_000)),
      event: shell("ls"),
      ...asks,
      text: "Not counted: 20 thousand tokens of models whose price is not known.",
    },
    {
      name: "another call while the person has not agreed",
      options: ten,
      seed: spent(sum(10)),
      after: [shell("pwd")],
      event: shell("ls"),
      ...asks,
    },
    {
      name: "an answer in another session",
      options: ten,
      seed: spent(sum(10)),
      after: [agreed, toolAfter("Bash", {}, agreed.tool?.useId ?? "", { session_id: "another" })],
      event: shell("ls"),
      ...asks,
    },
  ],
  pass: [
    { name: "no cap", seed: spent(sum(1_000)), event: shell("ls") },
    { name: "nothing was read yet", options: ten, event: shell("ls") },
    { name: "less than four fifths", options: ten, seed: spent(sum(7.99)), event: shell("ls") },
    { name: "told before", options: ten, seed: spent(sum(8)), after: [shell("ls")], event: shell("ls") },
    { name: "a person has agreed", options: ten, seed: spent(sum(10)), after: [agreed, ran], event: shell("ls") },
    {
      name: "days that are over",
      options: { projectDollars: 100, projectDays: 7 },
      seed: spent(sum(1), { 0: sum(1), 7: sum(500) }),
      event: shell("ls"),
    },
    {
      name: "another session has spent its own cap",
      options: ten,
      seed: spent(sum(50), { 0: sum(50) }, "another"),
      event: shell("ls"),
    },
  ],
});

describe("a cap over time", () => {
  it("asks again after a further tenth of it", async () => {
    const sandbox = createSandbox([policy], { options: ten, seed: spent(sum(10)) });
    const isAsked = async (event: AnyEvent): Promise<boolean> => (await sandbox.send(event)).ruling.outcome === "ask";
    expect(await isAsked(agreed)).toBe(true);
    await sandbox.send(ran);
    spent(sum(10.9))(sandbox.db);
    expect(await isAsked(shell("ls"))).toBe(false);
    spent(sum(11))(sandbox.db);
    expect(await isAsked(shell("ls"))).toBe(true);
    sandbox.close();
  });

  const jobs = async (events: readonly (readonly [second: number, event: AnyEvent])[], more: SandboxOptions = {}) => {
    const world = { now: FAKE_NOW, options: ten, ...more };
    const sandbox = createSandbox([policy], world);
    const added: number[] = [];
    for (const [second, event] of events) {
      Object.assign(world, { now: FAKE_NOW + second * 1_000 });
      await sandbox.send(event);
      const { n } = sandbox.db.get("SELECT COUNT(*) AS n FROM jobs") ?? {};
      if (Number(n) > added.length) added.push(second);
    }
    const [job] = sandbox.db.all("SELECT name, args FROM jobs ORDER BY id");
    sandbox.close();
    return { added, job };
  };
  const call = (): AnyEvent => toolBefore("Bash", { command: "ls" }, TRANSCRIPT);
  const end = claudeEvent({ hook_event_name: "SessionEnd", reason: "other", ...TRANSCRIPT });

  it("has the transcript read at most once a minute, and at the end", async () => {
    const { added, job } = await jobs([0, 1, 59, 60, 61, 119, 125].map((second) => [second, call()] as const));
    expect(added).toEqual([0, 60, 125]);
    expect(job).toMatchObject({ name: "usage/read-spending" });
    expect(JSON.parse(String(job?.args))).toEqual({
      session: SESSION,
      project: PROJECT,
      transcript: TRANSCRIPT.transcript_path,
    });
    expect(
      (
        await jobs([
          [0, call()],
          [1, end],
        ])
      ).added,
    ).toEqual([0, 1]);
  });

  it("has it read in observe mode too, and never without a cap or a transcript", async () => {
    expect((await jobs([[0, call()]], { mode: "observe" })).added).toEqual([0]);
    expect(
      (
        await jobs(
          [
            [0, call()],
            [1, end],
          ],
          { options: {} },
        )
      ).added,
    ).toEqual([]);
    expect((await jobs([[0, shell("ls")]])).added).toEqual([]);
  });

  it("keeps what was read as a fact, and nothing without a cap", async () => {
    for (const [options, isKept] of [
      [ten, true],
      [{}, false],
    ] as const) {
      const sandbox = createSandbox([policy], { options, seed: spent(sum(1)) });
      expect((await sandbox.send(shell("ls"))).looked.includes("spent")).toBe(isKept);
      sandbox.close();
    }
  });
});
