/** With 100,000 entries and 200 sessions a page takes as much work as with few: counted in statements and rows. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Database } from "../../state/database.ts";
import type { DecisionsPage, NowPage, Timeline } from "./api.ts";
import { DashboardWorld } from "./dashboard.samples.ts";

const ENTRIES = 100_000;
const SESSIONS = 200;
const BODY = JSON.stringify({ tool_input: { command: "npm test" }, transcript_path: "/nowhere.jsonl" });

let world: DashboardWorld;
/** The time of the newest entry. */
let newest = 0;
beforeAll(async () => {
  world = new DashboardWorld();
  const now = Date.now();
  newest = now;
  world.db.transaction(() => {
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
    world.db.run(
      `INSERT INTO journal (at, agent, session, agent_id, project, event, agent_event, tool, tool_use_id, ruling, policy,
         reason, microseconds, body, verdicts, facts, reply, key)
       ${numbers} SELECT ? - (${ENTRIES} - i) * 100, 'claude-code', 's' || (i % ${SESSIONS}), '', '/p', 'tool.before',
         'PreToolUse', 'Bash', 't' || i, CASE WHEN i % 50 = 0 THEN 'deny' ELSE 'pass' END, '', '', i % 5000, ?, '[]', '{}', '{}', ''
       FROM n`,
      ENTRIES,
      now,
      BODY,
    );
    world.db.run(
      `INSERT INTO sessions (agent, session, via, project, first_at, last_at, events, tool_calls)
       ${numbers} SELECT 'claude-code', 's' || (i - 1), '', '/p', ?, ?, 0, 0 FROM n`,
      SESSIONS,
      now,
      now,
    );
  });
  await world.start();
  await world.enter();
});
afterAll(() => world.dispose());

interface Work {
  readonly statements: { readonly sql: string; readonly values: readonly unknown[] }[];
  rows: number;
}

/** What one request asks the database for. */
async function workOf(request: () => Promise<unknown>): Promise<Work> {
  const work: Work = { statements: [], rows: 0 };
  const { all, get } = Database.prototype;
  const spies = [
    vi.spyOn(Database.prototype, "all").mockImplementation(function (this: Database, sql, ...values) {
      work.statements.push({ sql, values });
      const rows = all.call(this, sql, ...values);
      work.rows += rows.length;
      return rows;
    }),
    vi.spyOn(Database.prototype, "get").mockImplementation(function (this: Database, sql, ...values) {
      work.statements.push({ sql, values });
      work.rows++;
      return get.call(this, sql, ...values);
    }),
  ];
  await request();
  for (const spy of spies) spy.mockRestore();
  return work;
}

/** Ways to read the journal that take longer the more there is in it. */
function slowSteps({ statements }: Work): string[] {
  return statements
    .filter(({ sql }) => /\bjournal\b/.test(sql))
    .flatMap(({ sql, values }) =>
      world.db
        .all(`EXPLAIN QUERY PLAN ${sql}`, ...(values as string[]))
        .map(({ detail }) => String(detail))
        .filter((step) => /^SCAN .*journal/.test(step) && !/LIMIT 100000\)/.test(sql))
        .map((step) => `${step}: ${sql}`),
    );
}

describe("now", () => {
  it("reads a bounded part at the start, and afterwards only what is new", async () => {
    const first = await workOf(() => world.json("/api/now"));
    expect(first.rows).toBeLessThan(22_000);
    expect(slowSteps(first)).toEqual([]);
    const again = await workOf(() => world.json("/api/now"));
    expect(again.rows).toBeLessThan(20);
    world.add({ session: "s7", event: "permission.request", body: BODY });
    const later = await workOf(() => world.json("/api/now"));
    expect(later.rows).toBeLessThan(30);
    expect(slowSteps(later)).toEqual([]);
    const { sessions } = await world.json<NowPage>("/api/now");
    expect(sessions).toHaveLength(SESSIONS);
    expect(sessions[0]).toMatchObject({ session: "s7", state: "waiting" });
  });
});

describe("decisions", () => {
  it("are added to the search index by the first search, in steps between which others get their turn", async () => {
    let turns = 0;
    const others = setInterval(() => turns++, 1);
    const first = await workOf(() => world.json("/api/decisions?search=first"));
    clearInterval(others);
    expect(first.rows).toBeLessThan(ENTRIES * 1.1);
    expect(slowSteps(first)).toEqual([]);
    expect(turns).toBeGreaterThan(50);
  });

  it.each([
    ["", ENTRIES + 1, 40],
    ["ruling=deny", ENTRIES / 50, 80],
    ["session=s8", ENTRIES / SESSIONS, 40],
    ["session=s8&event=permission.request", 0, 40],
    ["search=nothing-of-that-kind", 0, 150],
    ["policy=safety/none", 0, 150],
    ["since=NEWEST", 601, 150],
  ])("with %j take no more than so many statements", async (given, count, statements) => {
    const query = given.replace("NEWEST", String(newest - 59_950));
    let page: DecisionsPage | undefined;
    const work = await workOf(async () => {
      page = await world.json<DecisionsPage>(`/api/decisions?${query}`);
    });
    expect(work.statements.length).toBeLessThan(statements);
    expect(work.rows).toBeLessThan(6_000);
    expect(slowSteps(work)).toEqual([]);
    expect(page?.count).toBe(Math.min(count, ENTRIES));
    const next = await workOf(() => world.json(`/api/decisions?${query}&before=50000`));
    expect(next.statements.length).toBeLessThan(45);
    expect(slowSteps(next)).toEqual([]);
  });
});

it("a timeline and one decision are found by their index", async () => {
  const timeline = await workOf(async () => {
    expect((await world.json<Timeline>("/api/timeline?session=s7")).spans.length).toBeGreaterThan(300);
  });
  expect([timeline.statements.length, slowSteps(timeline)]).toEqual([1, []]);
  const detail = await workOf(() => world.json("/api/decisions/50000"));
  expect(detail.statements.length).toBeLessThan(5);
  expect(slowSteps(detail)).toEqual([]);
});

it("statistics count every entry once, in steps between which others get their turn", async () => {
  const first = await workOf(() => world.json("/api/performance"));
  expect(first.rows).toBeLessThan(ENTRIES + 200);
  expect(slowSteps(first)).toEqual([]);
  const again = await workOf(() => Promise.all([world.json("/api/performance"), world.json("/api/policies")]));
  expect(again.rows).toBeLessThan(50);
});
