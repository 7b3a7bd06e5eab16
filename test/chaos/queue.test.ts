/** Events of one session are decided one after the other; what that means when they come faster than that. */
import net from "node:net";
import { describe, expect } from "vitest";
import { toolCall } from "../support/events.ts";
import { frameFor } from "../support/frames.ts";
import { sleep } from "../support/processes.ts";
import { test, trustPolicy } from "../support/surroundings.ts";
import type { World } from "../support/world.ts";

const SLOW_MS = 300;
const SLOW = `async (event, ctx) => {
  if (event.tool.input.command === "bad") return ctx.deny("no", { what: "way" });
  if (event.tool.input.command === "slow") await new Promise((resolve) => setTimeout(resolve, ${SLOW_MS}));
}`;
const DEADLINE_MS = 3_000;
const EVENTS = 40;

let asked = 0;

/** One event to the daemon itself, and its answer; empty when it hung up. */
function ask(world: World, command: string, session: string): Promise<string> {
  const event = toolCall(world, `call-${++asked}`, "Bash", { command }, session);
  const frame = frameFor(world, event, `nonce-${asked}`, [], {}, DEADLINE_MS);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const connection = net.connect(world.socket, () => connection.write(frame));
    connection.on("data", (chunk) => chunks.push(chunk));
    connection.on("error", reject);
    connection.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}

describe("forty slow events of one session at once", () => {
  test("another session does not wait for them, and what made them slow still guards", async ({ makeWorld }) => {
    const world = makeWorld();
    trustPolicy(world, "slow", SLOW);
    await world.startDaemon();
    // The policy's worker has started, so that what follows takes as long as it says.
    expect(await ask(world, "bad", "calm")).toContain("No way.");
    let gone = 0;
    const many = Array.from({ length: EVENTS }, () => ask(world, "slow", "busy").finally(() => gone++));
    await sleep(SLOW_MS);
    const calm = await ask(world, "quick", "calm");
    const goneBeforeCalm = gone;
    await sleep(DEADLINE_MS);
    const next = await ask(world, "bad", "busy");
    const answers = await Promise.all(many);
    const answered = answers.filter((answer) => answer !== "");
    console.log(`${answered.length} of ${EVENTS} answered, ${goneBeforeCalm} before the calm one`);
    expect(calm).not.toBe("");
    // Among them it would have come last, or never.
    expect(goneBeforeCalm).toBeLessThan(EVENTS / 2);
    // One after the other they would take twelve seconds; what has no time left is answered without the policy or left to
    // its client.
    expect(answered.length).toBeGreaterThanOrEqual(2);
    // That some had too little time left is no fault of the policy: it goes on, and what comes next does not wait for
    // them until its own time is over.
    expect(next).toContain("No way.");
  });
});
