/**
 * Events as no agent sends them: what the real client sent, with fields lost, of the wrong type, huge or hostile, and
 * bytes cut and turned. Whatever comes, there is one answer in the agent's own form, one entry, and no policy that throws.
 */
import { expect, it } from "vitest";
import { journalObject } from "../../src/cli/commands/journal/entry.ts";
import { registeredEvents } from "../../src/cli/installation/registered-events.ts";
import { encodeFrame, type Reply } from "../../src/core/frame.ts";
import { PROFILES } from "../../src/core/settings/profiles.ts";
import { STAGES, type StageName } from "../../src/core/stages.ts";
import { Database } from "../../src/state/database.ts";
import { newestEntries } from "../../src/state/journal-query.ts";
import { Dice } from "../corpus/dice.ts";
import { Grammar } from "../corpus/grammar.ts";
import { FrameSender } from "../support/frames.ts";
import { goldenPayloads } from "../support/golden.ts";
import { World } from "../support/world.ts";
import { type Fields, HOSTILE_LINES, spoilt, torn } from "./spoilt-payloads.ts";

const SEED = Number(process.env.FUZZ_SEED ?? 20_260_116);
const CASES = Number(process.env.FUZZ_CASES ?? 600);
/** Fewer than this share would test the reader and hardly a policy. */
const LEAST_AT_A_POLICY = 0.6;

function withLine(fields: Fields, dice: Dice): Fields {
  const line = dice.chance(50) ? new Grammar(dice).line() : dice.pick(HOSTILE_LINES);
  if (typeof fields.prompt === "string") return { ...fields, prompt: line };
  return { ...fields, tool_name: "Bash", tool_input: { command: line } };
}

function made(golden: Fields, number: number, dice: Dice): string {
  let fields: Fields = { ...golden, session_id: `session-${dice.roll(20)}`, tool_use_id: `call-${number}` };
  if ("tool_use_id" in golden === false) delete fields.tool_use_id;
  const kind = dice.roll(100);
  if (kind < 15) return JSON.stringify(fields);
  if (kind < 60 && ("tool_input" in fields || "prompt" in fields)) fields = withLine(fields, dice);
  if (kind >= 50 && kind < 93) for (let times = 1 + dice.roll(2); times > 0; times--) fields = spoilt(fields, dice);
  const text = JSON.stringify(fields);
  return kind < 93 ? text : torn(text, dice);
}

function expectAnswer({ exit, stdout, stderr }: Reply, input: string): void {
  const about = input.slice(0, 500);
  expect([0, 2], about).toContain(exit);
  if (exit === 2) expect(stderr, about).not.toBe("");
  expect(stdout + stderr, about).not.toMatch(/\n\s+at \S+ \(|TypeError|RangeError|\[object Object\]/);
  if (stdout.startsWith("{")) expect(typeof JSON.parse(stdout), about).toBe("object");
  else if (stdout !== "") expect(input, about).toContain("PreCompact");
}

it("any event has one answer, one entry, and no policy that throws", { timeout: 240_000 }, async () => {
  const world = new World();
  const dice = new Dice(SEED);
  const registered = new Set<string>(registeredEvents({ profiles: PROFILES }).map(({ event }) => event));
  // Most are about events that somebody looks at; the others must be answered as well.
  const all = goldenPayloads(world);
  const looked = all.filter(({ event }) => registered.has(event));
  const calls = all.filter(({ event }) => event === "PreToolUse");
  const inputs = Array.from({ length: CASES }, (_, number) => {
    const { text, event } = dice.pick(dice.chance(30) ? calls : dice.chance(90) ? looked : all);
    return { event, text: made(JSON.parse(text) as Fields, number, dice) };
  });
  const frames = inputs.map(({ event, text }, number) =>
    encodeFrame({
      ...{ nonce: `fuzz-${number}`, build: world.build, home: world.home, deadline: Date.now() + 200_000 },
      ...{ cwd: world.project, ppid: process.pid, cut: "", env: world.environment, body: Buffer.from(text) },
      args: ["--event", event, "--profile", PROFILES.join(",")],
    }),
  );
  const sender = new FrameSender(world, "cold", frames);
  try {
    await sender.ready();
    const { replies } = await sender.send();
    expect(replies).toHaveLength(CASES);
    for (const [number, reply] of replies.entries()) expectAnswer(reply, inputs[number]?.text ?? "");
    const db = new Database(world.database, 5_000);
    const entries = newestEntries(db, {}, CASES * 2).map((row) => journalObject(db, row));
    db.close();
    expect(entries).toHaveLength(CASES);
    const reached = new Map<string, number>();
    const count = (what: string): unknown => reached.set(what, (reached.get(what) ?? 0) + 1);
    for (const { event, verdicts, body } of entries) {
      const asked = verdicts as readonly { policy: string; stage: StageName; error?: string }[];
      for (const { policy, error } of asked) {
        expect(error ?? "the event is malformed", `${policy}: ${JSON.stringify(body).slice(0, 500)}`).toMatch(
          /^the event is malformed/,
        );
      }
      if (event === "unreadable" || event === "unknown") count(event);
      else if (asked.length === 0) count("no policy");
      else if (asked.every(({ error }) => error !== undefined)) count("malformed");
      else {
        count("a policy");
        for (const stage of new Set(asked.map(({ stage }) => stage))) count(`  ${stage}`);
      }
    }
    const lines = ["unreadable", "unknown", "malformed", "no policy", "a policy"].concat(
      Object.keys(STAGES).map((stage) => `  ${stage}`),
    );
    console.log(lines.map((line) => `${line}: ${reached.get(line) ?? 0} of ${CASES}`).join("\n"));
    expect((reached.get("a policy") ?? 0) / CASES).toBeGreaterThanOrEqual(LEAST_AT_A_POLICY);
    for (const line of ["unreadable", "malformed"]) expect(reached.get(line) ?? 0, line).toBeGreaterThan(0);
  } finally {
    sender.kill();
    await world.dispose();
  }
});
