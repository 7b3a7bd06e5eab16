import { expect, it } from "vitest";
import type { Policy, PolicyContext } from "../core/policy.ts";
import type { Table } from "../core/store.ts";
import { shell } from "../testing/events.ts";
import { registry } from "./index.gen.ts";

const policies = await Promise.all(registry.map(async (entry) => (await entry.load()).default));
const conditions = [...new Set(policies.flatMap(({ when }) => when ?? []))];
const table = { get: () => undefined, keys: () => [], isEmpty: () => false } as unknown as Table;

/** The variables that a condition reads. */
function askedBy({ when, uses }: Policy): string[] {
  const asked: string[] = [];
  const env = (name: string): undefined => void asked.push(name);
  const ctx = { env, places: { userHome: "/home/dev" } } as unknown as PolicyContext;
  when?.(shell("ls"), ctx, uses?.open(table) as never);
  return asked;
}

it.each(conditions.map((when) => policies.filter((policy) => policy.when === when)))(
  "$id shares its condition with others, which use the same store and may read what it asks for",
  (...together) => {
    expect(together.length).toBeGreaterThan(1);
    expect(new Set(together.map(({ uses }) => uses)).size).toBe(1);
    for (const policy of together) expect(policy.reads?.env ?? []).toEqual(expect.arrayContaining(askedBy(policy)));
  },
);
