import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../core/event.ts";
import type { Policy } from "../core/policy.ts";
import type { VerdictKind } from "../core/verdict.ts";
import { eventOfExample } from "./examples.ts";
import { missingCases } from "./missing-cases.ts";
import { createSandbox, type SandboxOptions } from "./sandbox.ts";

export interface Case extends SandboxOptions {
  readonly name: string;
  readonly event: AnyEvent;
  /** Events of the same session that are sent first, in this order and in the same world. */
  readonly after?: readonly AnyEvent[];
  /** Other policies that are on as well. */
  readonly beside?: readonly Policy[];
}

export interface HitCase extends Case {
  /** `later`: a note in the outbox instead of a verdict. */
  readonly says: VerdictKind | "later";
  readonly message: string;
  /** A part of the text. */
  readonly text?: string;
  /** What the policy says about the same event after that. */
  readonly also?: readonly { readonly says: VerdictKind; readonly message: string }[];
}

export interface PolicyCases {
  readonly hit: readonly HitCase[];
  readonly pass: readonly Case[];
}

/**
 * Runs a policy's cases, and its examples that can be run, through the real pipeline, merge and transaction. It also
 * requires that the cases are complete: unique names, at least one pass, and a hit for every message of the policy.
 */
export function testPolicy(policy: Policy, cases: PolicyCases): void {
  describe(policy.id, () => {
    it("has every case it needs", () => {
      const missing = missingCases(policy, cases);
      if (missing.length > 0) throw new Error([`${policy.id} is not finished:`, ...missing].join("\n- "));
    });
    it.each(cases.hit)("hit: $name", async (one) => {
      const { verdicts, fate, left } = await play(policy, one);
      if (one.says === "later") {
        expect(left).toEqual([expect.stringContaining(one.text ?? "")]);
        return;
      }
      const said = verdicts.map(({ kind, message }) => ({ kind, message }));
      const also = (one.also ?? []).map(({ says, message }) => ({ kind: says, message }));
      expect(said).toEqual([{ kind: one.says, message: one.message }, ...also]);
      expect(verdicts[0]?.text ?? "").toContain(one.text ?? "");
      expect(verdicts[0]?.text ?? "").not.toMatch(/\{\w+\}/);
      expect(fate).toBe("sent");
    });
    it.each(cases.pass)("pass: $name", async (one) => {
      await passes(policy, one);
    });
    it.each(runnable(policy.examples.hit))("example of a hit: $name", async (one) => {
      const { verdicts, error } = await play(policy, one);
      expect(error).toBeUndefined();
      expect(verdicts).not.toEqual([]);
    });
    it.each(runnable(policy.examples.pass))("example of a pass: $name", async (one) => {
      await passes(policy, one);
    });
  });
}

function runnable(examples: readonly string[]): Case[] {
  return examples.flatMap((name) => {
    const event = eventOfExample(name);
    return event ? [{ name, event }] : [];
  });
}

async function passes(policy: Policy, one: Case): Promise<void> {
  const { verdicts, error, left } = await play(policy, one);
  expect(verdicts).toEqual([]);
  expect(left).toEqual([]);
  expect(error).toBeUndefined();
}

/** Sends the earlier events and then the event of the case; returns what the policy said about the last one. */
async function play(policy: Policy, one: Case) {
  const sandbox = createSandbox([policy, ...(one.beside ?? [])], one);
  try {
    for (const event of one.after ?? []) {
      for (const { error } of (await sandbox.send(event)).results) expect(error).toBeUndefined();
    }
    const { results, ruling } = await sandbox.send(one.event);
    const result = results.find(({ id }) => id === policy.id);
    const left = sandbox.db
      .all("SELECT text FROM outbox WHERE delivered_by IS NULL ORDER BY id")
      .map((row) => row.text);
    return { verdicts: result?.verdicts ?? [], error: result?.error, fate: ruling.fates[policy.id] ?? "silent", left };
  } finally {
    sandbox.close();
  }
}
