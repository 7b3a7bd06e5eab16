import { describe, expect, it, test } from "vitest";
import { readShell } from "../shell/shell.ts";
import { effectsOf } from "./effects.ts";
import { TABLES } from "./families.ts";
import { EXEMPT_PROGRAMS, EXEMPT_TABLES, isExempt, SERVICE_TABLES } from "./unmatched-lines.ts";

const PLACE = { cwd: "/w", userHome: "/home/u" };
const known = new Set(Object.values(TABLES).flatMap((table) => Object.keys(table())));
const services = new Set(SERVICE_TABLES.flatMap((name) => Object.keys(TABLES[name]?.() ?? {})));

function effects(line: string): readonly string[] {
  const shell = readShell(line, { cwd: PLACE.cwd, variables: { HOME: PLACE.userHome } });
  return effectsOf(shell, PLACE).map(({ kind }) => kind);
}

describe("a program that looks after data or machines", () => {
  const programs = [...services].filter((program) => !isExempt(program));
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

describe("a program that the generic check leaves alone", () => {
  const exempt = EXEMPT_PROGRAMS.flatMap(([, programs]) => programs.split(/\s+/));

  it.each(exempt)("%s is known, and would not be left alone by its tables", (program) => {
    expect(known).toContain(program);
    const tables = Object.keys(TABLES).filter((name) => Object.hasOwn(TABLES[name]?.() ?? {}, program));
    expect(tables.every((name) => Object.hasOwn(EXEMPT_TABLES, name))).toBe(false);
  });

  it("is listed once", () => expect(new Set(exempt).size).toBe(exempt.length));
});

it("leaves no table of services alone, and none that does not exist", () => {
  for (const name of Object.keys(EXEMPT_TABLES)) {
    expect(Object.keys(TABLES)).toContain(name);
    expect(SERVICE_TABLES).not.toContain(name);
  }
});
