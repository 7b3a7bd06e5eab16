import { expect, it } from "vitest";
import type { Family } from "./effect.ts";
import { familiesOf, knownPrograms, TABLES, unitOf } from "./families.ts";

it("finds every table that knows a program, in their order, and its unit after them", () => {
  const known = new Map<string, Family[]>();
  for (const table of Object.values(TABLES)) {
    for (const [program, family] of Object.entries(table())) {
      known.set(program, [...(known.get(program) ?? []), family]);
    }
  }
  const programs = knownPrograms();
  expect(programs.length).toBeGreaterThan(850);
  expect(new Set(programs).size).toBe(programs.length);
  for (const program of new Set([...programs, ...known.keys()])) {
    const unit = unitOf(program);
    const families = [...(known.get(program) ?? []), ...(unit ? [unit.effects] : [])];
    expect(familiesOf(program), program).toEqual(families);
    if (unit) expect(unit.names).toContain(program);
  }
});

it.each(["", "ls", "constructor", "rm rmdir"])("knows nothing of %j", (program) => {
  expect(familiesOf(program)).toBeUndefined();
});
