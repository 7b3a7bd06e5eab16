/**
 * What each agent sent, spoilt: fields lost, of the wrong type, huge or hostile, and bytes cut and turned. Whatever
 * comes, there is one answer, which that agent accepts: one that it drops would let a call run that was denied.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT_NAMES } from "../../src/agents/known-agents.ts";
import { encodeFrame } from "../../src/core/frame.ts";
import { PROFILES } from "../../src/core/settings/profiles.ts";
import { Dice } from "../corpus/dice.ts";
import { acceptedAnswer } from "../support/answers/accepted-answers.ts";
import { FrameSender } from "../support/frames.ts";
import { sized } from "../support/long.ts";
import { World } from "../support/world.ts";
import { type Fields, HOSTILE_LINES, spoilt, torn } from "./spoilt-payloads.ts";

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_119);
const CASES = Number(process.env.FUZZ_CASES ?? sized(150, 1_000));
const GOLDEN = path.resolve(import.meta.dirname, "../golden");

interface Recorded {
  readonly event: string;
  readonly payload: Fields;
}

/** With their folder moved into the world. */
function recordedOf(agent: string, world: World): Recorded[] {
  const files = fs.readdirSync(path.join(GOLDEN, agent), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => {
      const text = fs
        .readFileSync(path.join(GOLDEN, agent, file), "utf8")
        .replaceAll(/\/home\/dev\/(?:project|app)\b/g, world.project);
      const { payloads } = JSON.parse(text) as { payloads: Record<string, { payload: Fields }> };
      return Object.values(payloads).map(({ payload }) => ({ event: path.basename(file, ".json"), payload }));
    });
}

/** One of its texts, at any depth, becomes a hostile command line. */
function withLine(fields: Fields, dice: Dice): Fields {
  const name = dice.pick(Object.keys(fields));
  const value = fields[name];
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return { ...fields, [name]: withLine(value as Fields, dice) };
  }
  return typeof value === "string" ? { ...fields, [name]: dice.pick(HOSTILE_LINES) } : fields;
}

function made(payload: Fields, dice: Dice): string {
  let fields = payload;
  const kind = dice.roll(100);
  if (kind < 55) for (let times = 1 + dice.roll(3); times > 0; times--) fields = withLine(fields, dice);
  if (kind >= 40 && kind < 90) for (let times = 1 + dice.roll(2); times > 0; times--) fields = spoilt(fields, dice);
  const text = JSON.stringify(fields);
  return kind < 90 ? text : torn(text, dice);
}

describe.each(AGENT_NAMES)("%s", (agent) => {
  it("gets one answer that it accepts to anything", { timeout: 600_000 }, async () => {
    const world = new World();
    const dice = new Dice(SEED);
    const recorded = recordedOf(agent, world);
    const inputs = Array.from({ length: CASES }, () => {
      const { event, payload } = dice.pick(recorded);
      return { event, text: made(payload, dice) };
    });
    const frames = inputs.map(({ event, text }, number) =>
      encodeFrame({
        ...{ nonce: `fuzz-${number}`, build: world.build, home: world.home, deadline: Date.now() + 500_000 },
        ...{ cwd: world.project, ppid: process.pid, cut: "", env: world.environment, body: Buffer.from(text) },
        args: ["--agent", agent, "--event", event, "--profile", PROFILES.join(",")],
      }),
    );
    const sender = new FrameSender(world, "cold", frames);
    try {
      await sender.ready();
      const { replies } = await sender.send();
      expect(replies).toHaveLength(CASES);
      const accepted = await acceptedAnswer(agent);
      let denied = 0;
      for (const [number, reply] of replies.entries()) {
        const { event, text } = inputs[number] ?? expect.fail("there is no such input");
        // The event may be another one by its own name.
        const names = new Set([event, ...recorded.map((one) => one.event).filter((one) => text.includes(`"${one}"`))]);
        const wrong = [...names].map((name) => accepted(name, reply));
        expect(wrong.some((one) => one === "") ? "" : `${wrong.join("; ")}\n${text.slice(0, 500)}`).toBe("");
        expect(reply.stderr, text.slice(0, 500)).not.toMatch(/\n\s+at \S+ \(|TypeError|RangeError/);
        if (/"(?:deny|block)"/.test(reply.stdout)) denied++;
      }
      // Otherwise nothing but silence would have been tried.
      expect(denied).toBeGreaterThan(0);
    } finally {
      sender.kill();
      await world.dispose();
    }
  });
});
