import { expect, it } from "vitest";
import type { Family } from "./effect.ts";
import { familiesOf, knownPrograms, TABLES } from "./families.ts";

it("finds every family that knows a program, in the order of the tables", () => {
  const known = new Map<string, Family[]>();
  for (const table of Object.values(TABLES)) {
    for (const [program, family] of Object.entries(table())) {
      known.set(program, [...(known.get(program) ?? []), family]);
    }
  }
  expect(new Set(knownPrograms())).toEqual(new Set(known.keys()));
  for (const [program, families] of known) expect(familiesOf(program), program).toEqual(families);
});

it.each(["", "ls", "constructor", "rm rmdir"])("knows nothing of %j", (program) => {
  expect(familiesOf(program)).toBeUndefined();
});
