import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Row, Value } from "../../src/state/driver.ts";
import { forbiddenWrite, harmlessWrite, markActiveSession, stop } from "../support/events.ts";
import { type Golden, goldenPayloads } from "../support/golden.ts";
import { sized } from "../support/long.ts";
import type { Answer } from "../support/processes.ts";
import { jobsAreDone, query } from "../support/records.ts";
import { CLIENTS, isMissing, type Route, World } from "../support/world.ts";

const ALL_PROFILES = "safety,ntm,plan,session,teams,omc";
/** Everything that is written, apart from keys made of a client's nonce. */
const TABLES = ["journal", "sessions", "arbiters", "entries", "revisions", "outbox", "jobs"];

const READS: Readonly<Record<string, string>> = {
  journal:
    "SELECT journal.*, '' AS key, policies AS silent FROM journal LEFT JOIN silent_lists ON silent_lists.id = journal.silent",
};

let world: World;
let environment: Record<string, string>;
beforeAll(() => {
  world = new World();
  environment = markActiveSession(world, "fleet");
});
afterAll(() => world.dispose());

/** What the recorded payloads do not lead to: a denial, a question, a hold, and input nobody can read. */
function unusual(): Golden[] {
  const made = (name: string, event: string, payload: object | string): Golden => ({
    name,
    event,
    text: typeof payload === "string" ? payload : JSON.stringify(payload),
  });
  return [
    made("a denial", "PreToolUse", forbiddenWrite(world, "denied")),
    made("a denial again", "PreToolUse", forbiddenWrite(world, "denied")),
    made("a malformed body", "PreToolUse", { ...harmlessWrite(world, "malformed"), session_id: 7 }),
    made("no event name", "PreToolUse", { ...harmlessWrite(world, "unnamed"), hook_event_name: undefined }),
    made("a hold", "Stop", stop(world, "held")),
    made("no second hold", "Stop", stop(world, "held")),
    made("an unknown event", "Nonsense", { hook_event_name: "Nonsense", session_id: "held" }),
    made("not JSON, guarded", "PreToolUse", "{"),
    made("not JSON, not guarded", "Stop", "{"),
  ];
}

interface Run {
  readonly answers: readonly Pick<Answer, "exit" | "stdout" | "stderr">[];
  readonly tables: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

/** All of them in order on a fresh state, one way through, with the answers and everything that was written. */
async function run(route: Route, wanted: readonly Golden[]): Promise<Run> {
  const daemon = route.daemon ? await world.startDaemon() : undefined;
  const answers = [];
  for (const [index, { event, text }] of wanted.entries()) {
    const reply = index % 2 === 0 ? "exit" : "json";
    const args = ["--event", event, "--profile", ALL_PROFILES, "--reply", reply];
    const { exit, stdout, stderr } = await world.send(text, route, { args, env: environment });
    answers.push({ exit, stdout, stderr });
    // What its job reports would come before or after what the next event reports, as the machine has time.
    if (event === "Setup") await jobsAreDone(world, 60_000);
  }
  await jobsAreDone(world, 60_000);
  const tables = Object.fromEntries(
    TABLES.map((table) => [table, query(world, READS[table] ?? `SELECT * FROM ${table}`).map(timeless)]),
  );
  daemon?.kill("SIGTERM");
  expect((await daemon?.ended)?.exit ?? 0).toBe(0);
  world.forgetState();
  // What policies and jobs wrote into the project would be met by the next run.
  fs.rmSync(path.join(world.project, ".omc"), { recursive: true, force: true });
  return { answers, tables };
}

const TIMES = new Set(["id", "at", "first_at", "last_at", "due_at", "done_at", "microseconds", "delivered_by"]);

function timeless(row: Row): Record<string, unknown> {
  const kept = Object.entries(row).filter(([name]) => !TIMES.has(name));
  const entries = kept.map(([name, value]) => [name, isJson(name) ? withoutTimes(value) : value]);
  return togetherSilent(Object.fromEntries(entries));
}

/** Who said nothing stands in a list, unless that took long: which it was is a matter of time too. */
function togetherSilent(row: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(row.verdicts)) return row;
  const isSilent = ({ verdicts, error, settleError }: Record<string, unknown>): boolean =>
    (verdicts as unknown[]).length === 0 && error === undefined && settleError === undefined;
  const slow = row.verdicts.filter(isSilent).map(({ policy, stage, mode }) => `${policy} ${stage} ${mode}`);
  const listed = String(row.silent ?? "").split("\n");
  const silent = [...slow, ...listed].filter((line) => line !== "").sort();
  return { ...row, silent, verdicts: row.verdicts.filter((one) => !isSilent(one)) };
}

function isJson(column: string): boolean {
  return ["verdicts", "facts", "value", "grounds"].includes(column);
}

/** A moment of this run, in milliseconds, as stores keep it. */
const isMoment = (value: unknown): boolean => typeof value === "number" && Math.abs(value - Date.now()) < 3_600_000;

/** The timing of each policy, the fact `now`, and the revision, which a job beside the events may have raised already. */
const TIMED = new Set(["microseconds", "now", "revision"]);

/** Only what depends on the clock goes: the above, and moments in what policies keep. */
function withoutTimes(value: Value | undefined): unknown {
  const text = String(value ?? "");
  if (text === "") return text;
  return JSON.parse(text, (name, inner: unknown) =>
    TIMED.has(name) ? undefined : isMoment(inner) ? "a moment" : inner,
  );
}

describe("daemon and cold path give the same answer and write the same rows", () => {
  /** In the long form the compiled client carries them all; for its twin one of each event will do, unless it is the only one. */
  const most = sized(2, Number.POSITIVE_INFINITY);
  const perEvent = { c: most, node: isMissing("c") ? most : 1 };

  describe.each(CLIENTS)("through the %s client", (client) => {
    it.skipIf(isMissing(client))("for every recorded payload", { timeout: 600_000 }, async () => {
      const seen = new Map<string, number>();
      const recorded = goldenPayloads(world).filter(({ event }) => {
        seen.set(event, (seen.get(event) ?? 0) + 1);
        return (seen.get(event) ?? 0) <= perEvent[client];
      });
      const payloads = [...recorded, ...unusual()];
      const cold = await run({ client, daemon: false }, payloads);
      const warm = await run({ client, daemon: true }, payloads);
      for (const [i, { name }] of payloads.entries()) expect(warm.answers[i], name).toEqual(cold.answers[i]);
      expect(warm.tables).toEqual(cold.tables);
      // All of them but the retried denial have a row, and every kind of answer was among them.
      expect(cold.tables.journal).toHaveLength(payloads.length - 1);
      expect(new Set(cold.tables.journal?.map((row) => row.ruling))).toEqual(new Set(["pass", "deny", "ask", "hold"]));
      console.log(`${client}: ${payloads.length} payloads of ${seen.size} events, cold and through the daemon`);
    });
  });
});
