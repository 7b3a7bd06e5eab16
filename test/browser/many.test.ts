import { performance } from "node:perf_hooks";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "../../src/state/database.ts";
import { sampleEntry } from "../../src/state/entry.samples.ts";
import { append } from "../../src/state/journal.ts";
import { IS_LONG, sized } from "../support/long.ts";
import { noChromium } from "./chromium.ts";
import { BrowserDashboard } from "./dashboard.ts";
import { longestTask } from "./longest-task.ts";

const SESSIONS = 200;
const FEW = 1_000;
const MANY = 100_000;
/** How much longer the longest task may be with a hundred times as many decisions. */
const FACTOR = 5;
/** A page that does nothing has tasks of this length; the smallest of three runs counts. */
const RUNS = 3;
const RULINGS = ["pass", "pass", "pass", "deny", "ask"] as const;

describe.skipIf(noChromium)(`${MANY} decisions of ${SESSIONS} sessions`, () => {
  let dashboard: BrowserDashboard;
  let db: Database;
  let made = 0;
  beforeAll(async () => {
    dashboard = await BrowserDashboard.start();
    db = new Database(dashboard.world.database, 10_000);
  });
  afterAll(async () => {
    db?.close();
    await dashboard?.dispose();
  });

  it("the longest task of scrolling and filtering hardly grows", { timeout: 600_000 }, async () => {
    addUpTo(FEW);
    const few = await longest();
    addUpTo(MANY);
    const many = await longest();
    for (const [what, time] of Object.entries(few)) {
      console.log(`${what}: longest task ${time} µs at ${FEW} decisions, ${many[what]} µs at ${MANY}`);
      expect(many[what], what).toBeLessThan(time * FACTOR);
    }
    dashboard.expectNoComplaints();
  });

  it("only what can be seen is in the document, however far the list is scrolled", { timeout: 300_000 }, async () => {
    addUpTo(MANY);
    const page = await dashboard.open("/");
    await expect.poll(() => page.getByRole("button", { name: / working$/ }).innerText()).toMatch(/^200\s+working$/);
    expect(await page.getByRole("listitem").count()).toBeLessThan(60);
    await page.goto(`${dashboard.origin}/decisions`);
    await scroll(page, sized(60, 600));
    expect(await page.getByRole("listitem").count()).toBeLessThan(60);
    const last = await page.getByRole("listitem").last().getAttribute("aria-posinset");
    expect(Number(last)).toBeGreaterThan(sized(60, 600) * 20);
    await page.close();
  });

  it("the memory of an open page stays flat", { timeout: 1_200_000 }, async () => {
    addUpTo(MANY);
    const page = await dashboard.open("/decisions");
    const session = await page.context().newCDPSession(page);
    const used = async (): Promise<number> => {
      await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Runtime.getHeapUsage")).usedSize;
    };
    const round = async (): Promise<void> => {
      const before = made;
      add(200);
      await page
        .getByRole("listitem")
        .first()
        .getByText(`step ${before + 199}`)
        .or(page.getByText("new"))
        .first()
        .waitFor();
      await scroll(page, 10);
      await page.mouse.wheel(0, -1e7);
    };
    const until = performance.now() + (IS_LONG ? 600_000 : 0);
    const seen: number[] = [];
    for (let rounds = 0; rounds < 12 || performance.now() < until; rounds++) {
      await round();
      seen.push(await used());
    }
    const third = Math.floor(seen.length / 3);
    const [early, late] = [Math.max(...seen.slice(third, 2 * third)), Math.min(...seen.slice(2 * third))];
    console.log(`heap of the page: ${seen.map((bytes) => Math.round(bytes / 1024)).join(", ")} kB`);
    expect(late).toBeLessThan(early * 1.2);
    await page.close();
  });

  function addUpTo(count: number): void {
    if (made < count) add(count - made);
  }

  /** Entries as hooks write them, newest last, of all sessions in turn. */
  function add(count: number): void {
    const now = Date.now();
    const done = db.transaction(() => {
      for (let number = 0; number < count; number++, made++) {
        const session = `session-${made % SESSIONS}`;
        const project = `/home/ada/project-${made % 20}`;
        const at = now - count + number;
        db.run(
          `INSERT INTO sessions (agent, session, via, project, first_at, last_at, events, tool_calls)
            VALUES ('claude-code', ?, '', ?, ?, ?, 0, 0) ON CONFLICT DO UPDATE SET last_at = excluded.last_at`,
          ...[session, project, at, at],
        );
        const body = JSON.stringify({ tool_input: { command: `npm run step ${made} && git status` } });
        const ruling = RULINGS[made % RULINGS.length] ?? "pass";
        const event = { event: "tool.after", agentEvent: "PostToolUse", ruling, body };
        append(db, `many-${made}`, sampleEntry({ at, session, project, ...event, microseconds: 500 + (made % 900) }));
      }
      return true;
    });
    if (done === undefined) throw new Error("the database was busy");
  }

  async function longest(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    const keep = (what: string, time: number): void => {
      found[what] = Math.min(found[what] ?? Number.POSITIVE_INFINITY, time);
    };
    for (let run = 0; run < RUNS; run++) {
      const page = await dashboard.open("/decisions");
      await page.getByRole("listitem").first().waitFor();
      keep("scrolling decisions", await longestTask(dashboard.browser, page, () => scroll(page, 40)));
      const filter = async (): Promise<void> => {
        await page.getByLabel("ruling").selectOption("deny");
        await page.getByRole("listitem").first().getByText("deny").waitFor();
        await page.getByLabel("search").pressSequentially("step 77");
        await page.waitForTimeout(500);
      };
      keep("filtering decisions", await longestTask(dashboard.browser, page, filter));
      await page.goto(`${dashboard.origin}/`);
      await page.getByRole("listitem").first().waitFor();
      const now = async (): Promise<void> => {
        await scroll(page, 20);
        await page.getByLabel("search").pressSequentially("project-7");
        await page.waitForTimeout(500);
      };
      keep("scrolling and filtering Now", await longestTask(dashboard.browser, page, now));
      await page.close();
    }
    return found;
  }
});

/** With the wheel, as a person does; what is not there yet comes meanwhile. */
async function scroll(page: Page, times: number): Promise<void> {
  const list = page.locator(".scroller");
  await list.hover();
  for (let turn = 0; turn < times; turn++) {
    await page.mouse.wheel(0, 900);
    await page.waitForTimeout(30);
  }
}
