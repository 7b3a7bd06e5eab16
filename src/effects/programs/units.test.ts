import { describe, expect, it } from "vitest";
import type { Command } from "../../shell/command.ts";
import { readShell } from "../../shell/shell.ts";
import type { Effect, Scene } from "../effect.ts";
import { effectsOf } from "../effects.ts";
import { type Program, type ProgramUnit, program } from "../program.ts";
import { matchedRule } from "../program-rules.ts";
import { PROGRAMS, UNITS } from "../programs.gen.ts";

const PLACE = { cwd: "/w", userHome: "/home/u" };

const paths = new Set(
  Object.values(PROGRAMS).flatMap((names) => names.split(/,? /).filter((place) => place.includes("/"))),
);
const units = [...paths].sort().map((path): [string, Program] => {
  const [family = "", name = ""] = path.split("/");
  const unit = UNITS[family]?.(name);
  if (!unit) throw new Error(`programs.gen.ts has no ${path}: run \`npm run generate\``);
  return [path, unit];
});

/** The commands of the unit on a line, and the line as a whole. */
function read(line: string, { names }: ProgramUnit): { commands: readonly Command[]; scene: Scene } {
  const shell = readShell(line, { cwd: PLACE.cwd, variables: { HOME: PLACE.userHome } });
  const commands = shell.commands.filter((one) => names.includes(one.program ?? ""));
  return { commands, scene: { shell, ...PLACE, nested: (text) => effects(text) } };
}

function effects(line: string): readonly Effect[] {
  return effectsOf(readShell(line, { cwd: PLACE.cwd, variables: { HOME: PLACE.userHome } }), PLACE);
}

/** Which rule decides a line, with what it does. */
function decided(line: string, unit: Program): { at: number; isHarmless: boolean } | undefined {
  const {
    commands: [command],
    scene,
  } = read(line, unit);
  if (!command) return undefined;
  const seen = unit.reads?.(command, scene) ?? command;
  const match = matchedRule(unit, unit.rules ?? [], seen.argv.slice(1));
  return match === "harmless" ? undefined : match;
}

/** Whether a part of the unit, without the rest, finds something on the line. */
function finds(line: string, unit: Program, part: Partial<ProgramUnit>): boolean {
  const { names, kind, values, options, examples } = unit;
  const alone = program({ names, kind, examples, ...(values && { values }), ...(options && { options }), ...part });
  const { commands, scene } = read(line, unit);
  return commands.some((command) => alone.effects(command, scene).length > 0);
}

/** Whether the unit finds something by itself. What many lines say by their words alone is asked about without any unit. */
function findsItself(line: string, unit: Program): boolean {
  const { commands, scene } = read(line, unit);
  return commands.some((command) => unit.effects(command, scene).length > 0);
}

describe("the registry of programs", () => {
  it("has hundreds of units, each name in one of them", () => {
    const names = units.flatMap(([, unit]) => unit.names);
    expect(units.length).toBeGreaterThan(400);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.each(units)("%s", (_path, unit) => {
  const { rules = [], shell = [], sql = [], script = [], client, also, examples } = unit;

  it("has examples of both kinds, each of which gives what it says", () => {
    expect(examples.hit.length, "Add to `hit` a line that must be asked about.").toBeGreaterThan(0);
    expect(examples.pass.length, "Add to `pass` a line that must not be asked about.").toBeGreaterThan(0);
    for (const line of examples.hit) {
      expect(effects(line).length, `nothing is asked about: ${line}`).toBeGreaterThan(0);
      expect(findsItself(line, unit), `only the check of unknown programs finds it, not the unit: ${line}`).toBe(true);
    }
    for (const line of examples.pass) expect(effects(line), line).toEqual([]);
    for (const line of [...examples.hit, ...examples.pass])
      expect(read(line, unit).commands.length, `another program: ${line}`).toBeGreaterThan(0);
  });

  it("has an example for every rule", () => {
    for (const [at, [words, why, extra]] of rules.entries()) {
      const lines = why === undefined ? examples.pass : examples.hit;
      const kind = extra?.kind ?? unit.kind;
      const shown = lines.some((line) => {
        const found = decided(line, unit);
        if (found?.at !== at) return false;
        return why === undefined || (!found.isHarmless && effects(line).some((one) => one.kind === kind));
      });
      const list = why === undefined ? "pass" : "hit";
      expect(shown, `Add to \`${list}\` a line that the rule ${at + 1}, "${words}", decides.`).toBe(true);
    }
  });

  it("has an example for everything else that it says", () => {
    const parts: Partial<ProgramUnit>[] = [
      ...shell.map((one) => ({ shell: [one] })),
      ...sql.map((one) => ({ sql: [one] })),
      ...script.map((one) => ({ script: [one] })),
      ...(client ? [{ client }] : []),
      ...(also ? [{ also }] : []),
    ];
    for (const part of parts) {
      const shown = examples.hit.some((line) => finds(line, unit, part));
      expect(shown, `Add to \`hit\` a line for ${JSON.stringify(part)} ${Object.keys(part)}.`).toBe(true);
    }
  });
});
