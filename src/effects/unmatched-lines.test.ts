import { describe, expect, it, test } from "vitest";
import { readShell } from "../shell/shell.ts";
import { effectsOf } from "./effects.ts";
import { knownPrograms, TABLES, unitOf } from "./families.ts";
import { takesFreeWords } from "./unknown-programs.ts";

const PLACE = { cwd: "/w", userHome: "/home/u" };

function effects(line: string): readonly string[] {
  const shell = readShell(line, { cwd: PLACE.cwd, variables: { HOME: PLACE.userHome } });
  return effectsOf(shell, PLACE).map(({ kind }) => kind);
}

describe("a program that looks after data or machines", () => {
  const programs = knownPrograms().filter((program) => unitOf(program)?.service && !takesFreeWords(program));
  it("is one of many", () => expect(programs.length).toBeGreaterThan(200));

  test.each(programs)("%s is asked about what no rule of it names", (program) => {
    expect(effects(`${program} widget destroy x`)).not.toEqual([]);
    expect(effects(`${program} widget delete x`)).not.toEqual([]);
    expect(effects(`${program} widget rm --force x`)).not.toEqual([]);
  });

  test.each(programs)("%s is not asked about what it shows", (program) => {
    // Some have one purpose, whatever they are told.
    if (effects(`${program} widget`).length > 0) return;
    expect(effects(`${program} widget list x`)).toEqual([]);
  });
});

it("is not done for a unit that says why, which therefore is no service", () => {
  const units = knownPrograms().flatMap((program) => unitOf(program) ?? []);
  const exempt = units.filter((unit) => unit.exempt !== undefined);
  expect(exempt.length).toBeGreaterThan(100);
  for (const { names, service } of exempt) expect([names, service]).toEqual([names, undefined]);
});

it("is not done for what only code reads", () => {
  for (const table of Object.values(TABLES))
    for (const program of Object.keys(table()).filter((name) => !unitOf(name) && /^[a-z]+$/.test(name)))
      expect([program, effects(`${program} widget obliterate x`)]).not.toContain("destroy-infrastructure");
});
