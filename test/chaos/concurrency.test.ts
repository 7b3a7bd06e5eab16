import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forbiddenWrite, harmlessWrite, markActiveSession, stop, toolCall } from "../support/events.ts";
import { FrameSender, frameFor, type Sent } from "../support/frames.ts";
import { sized } from "../support/long.ts";
import { counters, query } from "../support/records.ts";
import { World } from "../support/world.ts";

const PROCESSES = 20;
const EVENTS_EACH = sized(100, 500);
const SESSION = "shared";

let world: World;
let senders: FrameSender[];
beforeEach(() => {
  world = new World();
  senders = [];
});
afterEach(async () => {
  for (const sender of senders) sender.kill();
  await world.dispose();
});

/** Half of them through the daemon, half deciding by themselves; all start at the same moment. */
async function sendAll(framesOf: (sender: number) => Buffer[]): Promise<Sent[]> {
  await world.startDaemon();
  for (let i = 0; i < PROCESSES; i++) {
    senders.push(new FrameSender(world, i % 2 === 0 ? "daemon" : "cold", framesOf(i)));
  }
  await Promise.all(senders.map((sender) => sender.ready()));
  return Promise.all(senders.map((sender) => sender.send()));
}

/** Of every five events one is a report after the call, so that calls and events are counted apart. */
function eventOf(id: string, index: number): { payload: object; isCall: boolean; exit: number } {
  switch (index % 5) {
    case 0:
      return { payload: forbiddenWrite(world, id, SESSION), isCall: true, exit: 2 };
    case 1:
      return { payload: harmlessWrite(world, id, SESSION), isCall: true, exit: 0 };
    case 2:
      return { payload: toolCall(world, id, "Bash", { command: `echo ${id}` }, SESSION), isCall: true, exit: 0 };
    case 3:
      return { payload: toolCall(world, id, "Read", { file_path: "/a" }, SESSION), isCall: true, exit: 0 };
    default:
      return { payload: toolCall(world, id, "Read", {}, SESSION, "PostToolUse"), isCall: false, exit: 0 };
  }
}

describe(`${PROCESSES} processes on one session`, () => {
  it(`${PROCESSES} × ${EVENTS_EACH} events: none lost, none twice`, { timeout: 120_000 }, async () => {
    const total = PROCESSES * EVENTS_EACH;
    const events = Array.from({ length: total }, (_, i) => eventOf(`call-${i}`, i));
    const started = performance.now();
    const sent = await sendAll((sender) =>
      events
        .slice(sender * EVENTS_EACH, (sender + 1) * EVENTS_EACH)
        .map(({ payload }, i) => frameFor(world, payload, `nonce-${sender}-${i}`)),
    );
    const seconds = (performance.now() - started) / 1000;
    for (const [i, { pid, replies, slowestMs }] of sent.entries()) {
      console.log(`pid ${pid} ${senders[i]?.through}: ${replies.length} answers, slowest ${Math.round(slowestMs)} ms`);
    }
    console.log(`${total} events in ${seconds.toFixed(1)} s`);

    expect(new Set(sent.map(({ pid }) => pid)).size).toBe(PROCESSES);
    const replies = sent.flatMap((one) => one.replies);
    expect(replies.map(({ exit }) => exit)).toEqual(events.map(({ exit }) => exit));
    expect(replies.filter(({ stderr }) => stderr.includes("could not record"))).toEqual([]);

    const different = "count(DISTINCT tool_use_id) AS ids, count(DISTINCT key) AS keys";
    const [journal] = query(world, `SELECT count(*) AS n, ${different} FROM journal`);
    expect(journal).toEqual({ n: total, ids: total, keys: total });
    const calls = events.filter(({ isCall }) => isCall).length;
    expect(counters(world, SESSION)).toEqual({ events: total, toolCalls: calls });
    const denied = query(world, "SELECT count(*) AS n FROM journal WHERE ruling = 'deny'");
    expect(denied).toEqual([{ n: events.filter(({ exit }) => exit === 2).length }]);
    console.log(`journal ${journal?.n} rows, ${journal?.keys} keys; session ${total} events, ${calls} calls`);
  });

  it("the same call from all of them: one ruling, the same bytes for everyone", { timeout: 180_000 }, async () => {
    const rounds = sized(5, 10);
    const sent = await sendAll((sender) =>
      Array.from({ length: rounds }, (_, i) =>
        frameFor(world, forbiddenWrite(world, `call-${i}`, SESSION), `nonce-${sender}-${i}`),
      ),
    );
    console.log(`one call at a time from pids ${sent.map(({ pid }) => pid).join(" ")}`);
    for (let round = 0; round < rounds; round++) {
      const answers = new Set(sent.map(({ replies }) => JSON.stringify(replies[round])));
      expect([...answers]).toHaveLength(1);
      expect([...answers][0]).toContain("git's own storage");
    }
    const rows = query(world, "SELECT tool_use_id, count(*) AS n FROM journal GROUP BY tool_use_id ORDER BY 1");
    expect(rows).toEqual(Array.from({ length: rounds }, (_, i) => ({ tool_use_id: `call-${i}`, n: 1 })));
    expect(counters(world, SESSION)).toEqual({ events: rounds, toolCalls: rounds });
  });

  it("decisions that depend on state see each other: a hold meant to happen once does", {
    timeout: 180_000,
  }, async () => {
    const env = markActiveSession(world, "fleet");
    const each = 5;
    const sent = await sendAll((sender) =>
      Array.from({ length: each }, (_, i) =>
        frameFor(world, stop(world, SESSION), `nonce-${sender}-${i}`, ["--profile", "ntm"], env),
      ),
    );
    const replies = sent.flatMap((one) => one.replies);
    const held = replies.filter(({ exit }) => exit === 2);
    console.log(`${replies.length} stops from ${sent.length} processes, ${held.length} held`);
    expect(held).toHaveLength(1);
    expect(held[0]?.stderr).toContain("`fleet` is marked as running");
    const passed = replies.filter(({ exit }) => exit === 0);
    expect(passed).toHaveLength(PROCESSES * each - 1);
    for (const reply of passed) {
      expect(JSON.parse(reply.stdout)).toEqual({ systemMessage: expect.stringContaining("may still be running") });
      expect(reply.stderr).toBe("");
    }
    const rows = query(world, "SELECT ruling, count(*) AS n FROM journal GROUP BY ruling ORDER BY ruling");
    expect(rows).toEqual([
      { ruling: "hold", n: 1 },
      { ruling: "pass", n: PROCESSES * each - 1 },
    ]);
    expect(counters(world, SESSION)).toEqual({ events: PROCESSES * each, toolCalls: 0 });
  });
});
