import { describe, expect, it } from "vitest";
import { claudeCode } from "../agents/claude-code/adapter.ts";
import type { AnyEvent } from "../core/event.ts";
import { Facts } from "../core/facts.ts";
import { homeAt } from "../core/home.ts";
import type { ActivePolicy } from "../core/pipeline.ts";
import { applies } from "../core/pipeline.ts";
import type { Policy } from "../core/policy.ts";
import type { Ruling } from "../core/ruling.ts";
import type { Verdict, VerdictKind } from "../core/verdict.ts";
import { writeEvent } from "../engine/commit.ts";
import { type World, worldOf } from "../engine/context.ts";
import { judge } from "../engine/judge.ts";
import { Database } from "../state/database.ts";
import { hasGuarded } from "../state/journal.ts";
import { type SnapshotOf, takeSnapshot } from "../state/sessions.ts";
import { PROJECT, USER_HOME } from "./events.ts";
import { type FakeWorld, fakePorts } from "./fake-ports.ts";

interface Case extends FakeWorld {
  readonly name: string;
  readonly event: AnyEvent;
  /** Events of the same session that happen first, in this order and in the same world. */
  readonly after?: readonly AnyEvent[];
  readonly options?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface HitCase extends Case {
  readonly says: VerdictKind;
  readonly message: string;
  /** A part of the text. */
  readonly text?: string;
}

export interface PolicyCases {
  readonly hit: readonly HitCase[];
  readonly pass: readonly Case[];
}

/**
 * Runs a policy's cases through the real pipeline, merge and transaction. It also demands what makes the cases worth
 * having: a name each, no duplicates, and at least one hit for every message the policy can say.
 */
export function testPolicy(policy: Policy, cases: PolicyCases): void {
  describe(policy.id, () => {
    it("has a case for every message and no duplicates", () => {
      const names = [...cases.hit, ...cases.pass].map((one) => one.name);
      expect(names).toEqual([...new Set(names)]);
      expect(new Set(cases.hit.map((one) => one.message))).toEqual(new Set(Object.keys(policy.messages)));
    });
    it.each(cases.hit)("hit: $name", async (one) => {
      const { verdicts, ruling } = await play(policy, one);
      const said = verdicts.map(({ kind, message }) => ({ kind, message }));
      expect(said).toEqual([{ kind: one.says, message: one.message }]);
      expect(verdicts[0]?.text ?? "").toContain(one.text ?? "");
      expect(verdicts[0]?.text ?? "").not.toMatch(/\{\w+\}/);
      expect(ruling.fates[policy.id]).toBe("sent");
    });
    it.each(cases.pass)("pass: $name", async (one) => {
      const { verdicts, error } = await play(policy, one);
      expect(verdicts).toEqual([]);
      expect(error).toBeUndefined();
    });
  });
}

interface Played {
  readonly verdicts: readonly Verdict[];
  readonly error: string | undefined;
  readonly ruling: Ruling;
}

/** Plays the earlier events and then the one in question; returns what the policy said of the last. */
async function play(policy: Policy, one: Case): Promise<Played> {
  const zod = await import("zod");
  const options = (policy.options?.(zod) ?? zod.object({})).parse(one.options ?? {});
  const active: ActivePolicy = { policy, mode: "enforce", options };
  const db = new Database(":memory:", 50);
  try {
    for (const event of one.after ?? []) await decide(event, active, one, db);
    return await decide(one.event, active, one, db);
  } finally {
    db.close();
  }
}

async function decide(event: AnyEvent, active: ActivePolicy, one: Case, db: Database): Promise<Played> {
  const { policy } = active;
  const env = { HOME: USER_HOME, ...one.env };
  const ports = fakePorts(one);
  const frame = { nonce: `${Math.random()}`, env, cwd: PROJECT };
  const home = homeAt(`${USER_HOME}/.local/share/hookwright`, USER_HOME);
  const world: World = {
    ...worldOf(event, frame.env, claudeCode, home, new Facts(), ports),
    hasGuarded: (useId) => hasGuarded(db, event.session, useId),
  };
  const of: SnapshotOf = { agent: event.agent, session: event.session, agentId: event.agentId, project: PROJECT };
  const snapshot = takeSnapshot(db, of);
  const events = [...Object.keys(policy.on), ...Object.keys(policy.settled ?? {})] as AnyEvent["name"][];
  const isAsked = applies({ events, ...(policy.filter ? { kinds: policy.filter.kinds } : {}) }, event);
  const policies = isAsked ? [active] : [];
  const judgement = await judge({ world, policies, problems: [], db, of, snapshot, budget: 1_000 });
  const reply = claudeCode.encode(event, judgement.ruling, "json");
  const input = { db, world, of, key: frame.nonce, via: "", snapshot, judgement, reply, microseconds: 0 };
  expect(db.transaction(() => writeEvent(input))).toEqual({ value: { kind: "written" } });
  const result = judgement.results.find(({ id }) => id === policy.id);
  return { verdicts: result?.verdicts ?? [], error: result?.error, ruling: judgement.ruling };
}
