/** Every open page gets each decision once, in order, also after its connection was lost. */
import http from "node:http";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Database } from "../../state/database.ts";
import type { DecisionRow, NowPage } from "./api.ts";
import { DashboardWorld } from "./dashboard.samples.ts";

const COLUMNS = `at, agent, session, agent_id, project, event, agent_event, tool, tool_use_id, ruling, policy, reason,
  microseconds, body, verdicts, facts, reply`;
let world: DashboardWorld;
const streams: Stream[] = [];
beforeEach(async () => {
  world = new DashboardWorld();
  world.add({ session: "s1" });
  await world.start();
  await world.enter();
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await world.dispose();
});

interface Message {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

class Stream {
  readonly messages: Message[] = [];
  status = 0;
  #rest = "";
  readonly #request: http.ClientRequest;

  constructor(headers: Readonly<Record<string, string>> = {}) {
    const { port } = world.dashboard;
    const all = { host: `127.0.0.1:${port}`, cookie: world.cookie, ...headers };
    this.#request = http.get(
      { host: "127.0.0.1", port, path: "/api/events", headers: all, agent: false },
      (response) => {
        this.status = response.statusCode ?? 0;
        response.on("error", () => undefined);
        response.on("data", (chunk: Buffer) => this.#read(chunk.toString("utf8")));
      },
    );
    this.#request.on("error", () => undefined);
    streams.push(this);
  }

  get decisions(): number[] {
    return this.messages.filter(({ event }) => event === "decision").map(({ data }) => (data as DecisionRow).id);
  }

  get now(): NowPage | undefined {
    return this.messages.findLast(({ event }) => event === "now")?.data as NowPage | undefined;
  }

  close(): void {
    this.#request.destroy();
  }

  #read(text: string): void {
    const parts = (this.#rest + text).split("\n\n");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1] ?? "";
      if (field("event") === "") continue;
      this.messages.push({ event: field("event"), id: field("id"), data: JSON.parse(field("data")) });
    }
  }
}

it("sends the page Now at once, and then every decision with its id", async () => {
  const stream = new Stream();
  await expect.poll(() => stream.now?.sessions.length).toBe(1);
  expect(stream.decisions).toEqual([]);
  for (let at = 2; at <= 5; at++) world.add({ session: "s2" });
  await expect.poll(() => stream.decisions, { timeout: 5_000 }).toEqual([2, 3, 4, 5]);
  expect(stream.messages.find(({ event }) => event === "decision")?.id).toBe("2");
  await expect.poll(() => stream.now?.sessions.length).toBe(2);
});

it("goes on where a client left off, without a gap and without a repetition", async () => {
  for (let at = 2; at <= 600; at++) world.add({ session: "s1" });
  const stream = new Stream({ "last-event-id": "7" });
  const wanted = Array.from({ length: 593 }, (_, at) => at + 8);
  await expect.poll(() => stream.decisions, { timeout: 5_000 }).toEqual(wanted);
  world.add({ session: "s1" });
  await expect.poll(() => stream.decisions.at(-1), { timeout: 5_000 }).toBe(601);
});

it("tells a client that has missed too much to load the page again", async () => {
  world.db.transaction(() => {
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)";
    world.db.run(
      `INSERT INTO journal (id, ${COLUMNS}) SELECT i, ${COLUMNS} FROM journal, (${numbers} SELECT i FROM n) WHERE id = 1`,
    );
  });
  const stream = new Stream({ "last-event-id": "1" });
  await expect.poll(() => stream.messages[0]?.event).toBe("reset");
  expect(stream.messages[0]?.id).toBe("5000");
  world.add({ session: "s1" });
  await expect.poll(() => stream.decisions, { timeout: 5_000 }).toEqual([5_001]);
});

it("starts anew when the newest entries were forgotten", async () => {
  for (let at = 2; at <= 10; at++) world.add({ session: "s1" });
  const stream = new Stream();
  await expect.poll(() => stream.now).toBeDefined();
  world.db.run("DELETE FROM journal WHERE id > 4");
  await wait(700);
  world.add({ session: "s1" });
  await expect.poll(() => stream.decisions, { timeout: 5_000 }).toEqual([5]);
});

it("looks at the database once for all clients, and not at all without any", async () => {
  const all = Array.from({ length: 20 }, () => new Stream());
  await expect.poll(() => all.filter(({ now }) => now).length, { timeout: 10_000 }).toBe(20);
  const looks = vi.spyOn(Database.prototype, "refresh");
  await wait(1_600);
  expect(looks.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(looks.mock.calls.length).toBeLessThanOrEqual(5);
  const tooMany = new Stream();
  await expect.poll(() => tooMany.status).toBe(503);
  for (const stream of all) stream.close();
  await wait(200);
  looks.mockClear();
  await wait(1_100);
  expect(looks).not.toHaveBeenCalled();
});

it("keeps nothing for a client that does not read, and the others get everything", async () => {
  const { port } = world.dashboard;
  const stuck = net.connect(port, "127.0.0.1");
  stuck.on("error", () => undefined);
  stuck.pause();
  stuck.write(`GET /api/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${world.cookie}\r\n\r\n`);
  const reads = new Stream();
  await expect.poll(() => reads.now).toBeDefined();
  const written = vi.spyOn(http.ServerResponse.prototype, "write");
  const reason = "x".repeat(20_000);
  let last = 1;
  for (let round = 0; round < 6; round++) {
    for (let at = 0; at < 50; at++) last = world.add({ session: "s1", reason });
    await expect.poll(() => reads.decisions.at(-1), { timeout: 10_000 }).toBe(last);
  }
  const buffered = written.mock.contexts.map((response) => (response as http.ServerResponse).writableLength);
  expect(Math.max(...buffered)).toBeLessThan(2_500_000);
  expect(reads.decisions).toHaveLength(300);
  stuck.destroy();
});
