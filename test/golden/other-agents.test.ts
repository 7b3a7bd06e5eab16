/**
 * Both directions of every other agent's adapter, byte for byte: each recorded payload and the event it becomes, each ruling that
 * the agent carries out and its answer. `npx vitest run test/golden -u` writes what is now the case into the files; add a payload
 * with an empty `event` to have it filled in.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Adapter } from "../../src/agents/adapter.ts";
import { AGENT_NAMES, agentNamed } from "../../src/agents/known-agents.ts";
import type { AnyEvent } from "../../src/core/event.ts";
import type { Reply } from "../../src/core/frame.ts";
import { acceptedAnswer } from "../support/answers/accepted-answers.ts";
import { rulingsOf } from "../support/answers/rulings.ts";

interface GoldenFile {
  readonly payloads: Readonly<Record<string, { readonly from: string; readonly payload: object; readonly event: object }>>;
  /** By ruling. */
  readonly answers: Readonly<Record<string, Reply>>;
}

const others = AGENT_NAMES.filter((name) => name !== "claude-code").flatMap((name) => agentNamed(name) ?? []);

describe.each(others)("$declaration.title", (adapter) => {
  const { id, version, events } = adapter.declaration;
  const folder = path.join(import.meta.dirname, id, version);
  const file = (event: string): string => path.join(folder, `${event}.json`);

  it("has a golden file for each event that is declared, and for no other", () => {
    const names = fs.readdirSync(folder).map((name) => path.basename(name, ".json"));
    expect(names.sort()).toEqual(Object.keys(events).sort());
  });

  it.each(Object.keys(events))("%s is read in full, and answered as in its golden file", async (event) => {
    const golden = JSON.parse(fs.readFileSync(file(event), "utf8")) as GoldenFile;
    const now = asItIsNow(adapter, event, golden);
    await expect(`${JSON.stringify(now, null, 1)}\n`).toMatchFileSnapshot(file(event));
    for (const { event: read } of Object.values(now.payloads)) {
      expect(read).toMatchObject({ agentEvent: event, malformed: [] });
      const { name, also = [] } = events[event] ?? {};
      expect([name, ...also]).toContain("name" in read ? read.name : undefined);
    }
  });

  it.each(Object.keys(events))("%s gets only answers that the agent accepts", async (event) => {
    const accepted = await acceptedAnswer(id);
    const { answers } = JSON.parse(fs.readFileSync(file(event), "utf8")) as GoldenFile;
    for (const [name, reply] of Object.entries(answers)) expect([name, accepted(event, reply)]).toEqual([name, ""]);
  });
});

function asItIsNow(adapter: Adapter, agentEvent: string, { payloads }: GoldenFile): GoldenFile {
  const events = Object.entries(payloads).map(([name, { from, payload }]) => {
    const { raw, ...event } = decoded(adapter, agentEvent, payload);
    expect(raw, name).toEqual(payload);
    return [name, { from, payload, event }];
  });
  const sample = decoded(adapter, agentEvent, Object.values(payloads)[0]?.payload ?? {});
  const rulings = rulingsOf(adapter.declaration.events[agentEvent]?.can ?? []);
  const answers = Object.entries(rulings).map(([name, ruling]) => [name, adapter.encode(sample, ruling, "exit")]);
  return { payloads: Object.fromEntries(events), answers: Object.fromEntries(answers) };
}

function decoded(adapter: Adapter, namedEvent: string, payload: object): AnyEvent {
  const result = adapter.decode({ body: Buffer.from(JSON.stringify(payload)), namedEvent, cwd: "/" });
  if (result.kind !== "event") throw new Error(`not an event of ours: ${JSON.stringify(payload)}`);
  return result.event;
}
