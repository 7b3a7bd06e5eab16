import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forbiddenWrite } from "../support/events.ts";
import { outside, strays } from "../support/footprint.ts";
import { journal } from "../support/records.ts";
import { ROUTES } from "../support/routes.ts";
import { World } from "../support/world.ts";

let world: World;
let before: Record<string, string>;
beforeEach(() => {
  world = new World();
  before = outside(world);
});
afterEach(async () => {
  const left = [outside(world), strays(world)];
  await world.dispose();
  expect(left).toEqual([before, []]);
});

/** Mistakes of whoever wrote the command line. An agent reads 2 as a block, so it must never be 2. */
const WRONG_ARGUMENTS: readonly (readonly [args: readonly string[], said: string])[] = [
  [["--bogus"], "unknown argument `--bogus`"],
  [["PreToolUse"], "unknown argument `PreToolUse`"],
  [["--event"], "`--event` needs a value"],
  [["--event="], "`--event` needs a value"],
  [["--reply", "xml"], "`--reply` takes exit or json, not `xml`"],
  [["--deadline-ms", "soon"], "`--deadline-ms` takes a whole number, not `soon`"],
  [["--profile", "safty"], "the profile `safty` is not known"],
  [["--agent", "nobody"], "the agent `nobody` is not known; known: claude-code"],
  [["--agent", "constructor"], "the agent `constructor` is not known; known: claude-code"],
  [["--agent", "__proto__"], "the agent `__proto__` is not known; known: claude-code"],
];

describe.each(ROUTES)("$name", (route) => {
  it.skipIf(route.isMissing)("wrong arguments are said and exit with 1, also at a guarded event", async () => {
    if (route.daemon) await world.startDaemon();
    for (const [args, said] of WRONG_ARGUMENTS) {
      for (const registered of [[], ["--event", "PreToolUse"]]) {
        const answer = await world.send(forbiddenWrite(world, "call-1"), route, { args: [...registered, ...args] });
        expect(answer, args.join(" ")).toMatchObject({ exit: 1, stdout: "" });
        expect(answer.stderr).toContain(`hookwright hook: ${said}`);
        expect(answer.stderr).toContain("--help");
      }
    }
    expect(journal(world)).toEqual([]);
  });

  it.skipIf(route.isMissing)("an unknown event passes and is journalled as unknown", async () => {
    if (route.daemon) await world.startDaemon();
    const event = { ...forbiddenWrite(world, "call-1"), hook_event_name: "BrandNew" };
    for (const args of [[], ["--event", "BrandNew"], ["--event", "BrandNew", "--reply", "json"]]) {
      expect(await world.send(event, route, { args })).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    }
    const rows = journal(world);
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      expect(row).toMatchObject({ event: "unknown", agent_event: "BrandNew", session: "session-1", ruling: "pass" });
    }
  });

  it.skipIf(route.isMissing)("HOOKWRIGHT_DISABLE=1 passes everything and records nothing", async () => {
    if (route.daemon) await world.startDaemon();
    const env = { HOOKWRIGHT_DISABLE: "1" };
    for (const input of [forbiddenWrite(world, "call-1"), "", "{"]) {
      const answer = await world.send(input, route, { args: ["--event", "PreToolUse"], env });
      expect(answer).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    }
    expect(journal(world)).toEqual([]);
    // Only exactly 1 switches it off.
    for (const value of ["0", "", "true"]) {
      const answer = await world.send(forbiddenWrite(world, `call-${value}`), route, {
        env: { HOOKWRIGHT_DISABLE: value },
      });
      expect(answer.exit, `HOOKWRIGHT_DISABLE=${value}`).toBe(2);
    }
  });
});

describe("the command line", () => {
  it.each([
    ["no command", []],
    ["an unknown command", ["nosuch"]],
    ["an unknown option", ["journal", "--bogus"]],
    ["a value that is no number", ["journal", "--limit", "many"]],
    ["an unknown action", ["daemon", "nonsense"]],
    ["no action", ["daemon"]],
    ["a wrong argument for hook", ["hook", "--bogus"]],
    ["an unknown agent for hook", ["hook", "--agent", "nobody"]],
  ])("%s exits with 1", async (_, args) => {
    const answer = await world.hookwright(...args);
    expect(answer.exit).toBe(1);
    expect(answer.stdout + answer.stderr).toContain("hookwright");
    expect(fs.existsSync(world.database)).toBe(false);
  });
});
