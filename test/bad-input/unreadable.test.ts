import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outside, strays } from "../support/footprint.ts";
import { journal } from "../support/records.ts";
import { AVAILABLE, ROUTES } from "../support/routes.ts";
import { World } from "../support/world.ts";

/** Standard input that is no event, and how that is put. */
const INPUTS: readonly (readonly [name: string, input: string | Buffer, detail: string])[] = [
  ["nothing at all", "", "it is empty"],
  ["only white space", " \n", "it is not valid JSON"],
  ["only a brace", "{", "it is not valid JSON"],
  ["cut in a string", '{"hook_event_name":"PreToolUse","tool_name":"Wri', "it is not valid JSON"],
  ["cut after a value", '{"hook_event_name":"PreToolUse","tool_input":{"file_path":"/a"}', "it is not valid JSON"],
  ["two objects", '{"hook_event_name":"PreToolUse"}{}', "it is not valid JSON"],
  ["an array", '[{"hook_event_name":"PreToolUse"}]', "it is not a JSON object"],
  ["a number", "7", "it is not a JSON object"],
  ["a string", '"PreToolUse"', "it is not a JSON object"],
  ["null", "null", "it is not a JSON object"],
  ["true", "true", "it is not a JSON object"],
  ["NUL bytes", Buffer.alloc(64), "it is not valid JSON"],
  ["bytes that are no UTF-8", Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80]), "it is not valid JSON"],
  ["UTF-16", Buffer.from('{"hook_event_name":"PreToolUse"}', "utf16le"), "it is not valid JSON"],
  ["an event name that is a number", '{"hook_event_name":7}', "hook_event_name is not a string"],
  ["an event name that is a list", '{"hook_event_name":["PreToolUse"]}', "hook_event_name is not a string"],
];

/** How it was registered decides what that means: only a guard that is on may not be passed unseen. */
const REGISTRATIONS: readonly (readonly [name: string, args: readonly string[], exit: number, blocks: boolean])[] = [
  ["by hand", [], 0, false],
  ["at an event that is not guarded", ["--event", "Stop"], 0, false],
  ["at a guarded event", ["--event", "PreToolUse"], 2, true],
  ["at a guarded event, answers in JSON", ["--event", "PreToolUse", "--reply", "json"], 0, true],
  ["at a guarded event, without safety", ["--event", "PreToolUse", "--profile", "ntm"], 0, false],
];

const ESSENTIAL = new Set(["by hand", "at a guarded event"]);

let world: World;
beforeAll(async () => {
  world = new World();
  await world.startDaemon();
});
afterAll(() => world.dispose());

let rowsBefore: number;
let outsideBefore: Record<string, string>;
beforeEach(() => {
  rowsBefore = journal(world).length;
  outsideBefore = outside(world);
});
afterEach(() => {
  expect(outside(world)).toEqual(outsideBefore);
  expect(strays(world)).toEqual([]);
});

describe.each(ROUTES)("$name", (route) => {
  // Where the answer is made is the same behind every route; what the client may get wrong shows in these two.
  const registrations = route === AVAILABLE[0] ? REGISTRATIONS : REGISTRATIONS.filter(([name]) => ESSENTIAL.has(name));

  describe.each(INPUTS)("%s", (_, input, detail) => {
    it.skipIf(route.isMissing)("passes, or blocks where a guard should have seen it", async () => {
      const answers = await Promise.all(registrations.map(([, args]) => world.send(input, route, { args })));
      for (const [i, [name, args, exit, blocks]] of registrations.entries()) {
        const answer = answers[i];
        expect(answer?.exit, name).toBe(exit);
        expect(answer?.stderr, name).toContain(`The event on standard input could not be read: ${detail}`);
        expect(answer?.stderr.split("\n"), name).toHaveLength(2);
        expect(answer?.stdout === "" ? undefined : JSON.parse(answer?.stdout ?? ""), name).toEqual(
          blocks ? denial(answer?.stderr.trimEnd()) : undefined,
        );
        expect(args.includes("json") && answer?.exit === 2, name).toBe(false);
      }
      const rows = journal(world).slice(rowsBefore);
      expect(rows.map((row) => `${row.event} ${row.agent_event} ${row.ruling}`).sort()).toEqual(
        registrations.map(([, args, , blocks]) => `unreadable ${args[1] ?? ""} ${blocks ? "deny" : "pass"}`).sort(),
      );
      for (const row of rows) expect(row).toMatchObject({ session: "", tool: "", body: "{}", policy: "" });
      for (const row of rows) expect(row.reason).toContain(detail);
    });
  });
});

function denial(reason: string | undefined): object {
  return {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
  };
}
