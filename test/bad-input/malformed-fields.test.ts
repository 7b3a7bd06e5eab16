import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Event, forbiddenWrite } from "../support/events.ts";
import { outside, strays } from "../support/footprint.ts";
import { query } from "../support/records.ts";
import { AVAILABLE, ROUTES } from "../support/routes.ts";
import { World } from "../support/world.ts";

type Expected = "deny" | "ask" | "unreadable";

/**
 * Each field of a PreToolUse for a forbidden write: left out, empty, null, and of a type it should not have.
 * A field nobody reads changes nothing; one that a guard relies on turns the denial into a question, never a pass.
 */
const FIELDS: readonly {
  readonly field: string;
  readonly missing: Expected;
  readonly empty: Expected;
  readonly wrong: Expected;
}[] = [
  { field: "session_id", missing: "deny", empty: "deny", wrong: "ask" },
  { field: "transcript_path", missing: "deny", empty: "deny", wrong: "ask" },
  { field: "cwd", missing: "deny", empty: "deny", wrong: "ask" },
  { field: "prompt_id", missing: "deny", empty: "deny", wrong: "ask" },
  { field: "permission_mode", missing: "deny", empty: "deny", wrong: "deny" },
  { field: "hook_event_name", missing: "deny", empty: "deny", wrong: "unreadable" },
  { field: "tool_name", missing: "ask", empty: "ask", wrong: "ask" },
  { field: "tool_input", missing: "ask", empty: "ask", wrong: "ask" },
  { field: "tool_use_id", missing: "deny", empty: "deny", wrong: "ask" },
  { field: "agent_id", missing: "deny", empty: "deny", wrong: "ask" },
  { field: "agent_type", missing: "deny", empty: "deny", wrong: "ask" },
  { field: "effort", missing: "deny", empty: "deny", wrong: "deny" },
  { field: "mcp_server", missing: "deny", empty: "deny", wrong: "deny" },
];

/** The same for what a tool is called with. */
const INPUTS: readonly (readonly [name: string, input: unknown, expected: Expected])[] = [
  ["without a path", { content: "x" }, "ask"],
  ["with an empty path", { file_path: "" }, "ask"],
  ["with a path that is a number", { file_path: 7 }, "ask"],
  ["with a path that is a list", { file_path: ["/a"] }, "ask"],
  ["that is a list", [{ file_path: "/a" }], "ask"],
  ["that is a string", '{"file_path":"/a"}', "ask"],
];

/** A command that is no text was read by no guard. */
const COMMANDS: readonly (readonly [name: string, input: unknown])[] = [
  ["without a command", {}],
  ["with a command that is a number", { command: 7 }],
  ["with a command that is a list", { command: ["rm", "-rf", "/"] }],
  ["with a command that is null", { command: null }],
];

let world: World;
let before: Record<string, string>;
beforeAll(async () => {
  world = new World();
  before = outside(world);
  await world.startDaemon();
});
afterAll(async () => {
  const left = [outside(world), strays(world)];
  await world.dispose();
  expect(left).toEqual([before, []]);
});

let calls = 0;

function write(): Event {
  return {
    ...forbiddenWrite(world, `call-${++calls}`),
    agent_id: "agent-1",
    agent_type: "general-purpose",
    effort: { level: "high" },
    mcp_server: { name: "demo", source: "dynamic" },
  };
}

function lastRow() {
  return query(world, "SELECT * FROM journal ORDER BY id DESC LIMIT 1")[0];
}

describe.each(ROUTES)("$name", (route) => {
  const expectRuling = async (event: Event, expected: Expected, named: string): Promise<void> => {
    const answer = await world.send(event, route, { args: ["--event", "PreToolUse"] });
    const said = JSON.parse(answer.stdout) as { hookSpecificOutput: { permissionDecision: string } };
    const decision = expected === "ask" ? "ask" : "deny";
    expect(said.hookSpecificOutput).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: decision });
    expect(answer.exit).toBe(expected === "ask" ? 0 : 2);
    expect(answer.stderr === "").toBe(expected === "ask");
    const row = lastRow();
    expect(row).toMatchObject({ event: expected === "unreadable" ? "unreadable" : "tool.before", ruling: decision });
    if (expected !== "ask") return;
    expect(row?.policy).toMatch(/^safety\//);
    // Once, however many could not check it.
    const [sentence, ...more] = String(row?.reason).split("\n");
    expect(sentence).toContain(`This call could not be checked: the event is malformed: ${named}`);
    expect(sentence).toContain("safety/protected-paths");
    expect(more).toEqual([]);
  };

  describe.each(FIELDS)("$field", ({ field, missing, empty, wrong }) => {
    // The field is read in the same place behind every route; one of them shows all there is to show.
    const rare: readonly (readonly [string, unknown, Expected])[] = [
      ["null", null, missing],
      ["empty", "", empty],
      ["false", false, wrong],
      ["a list", ["x"], wrong],
    ];
    const variants: readonly (readonly [string, unknown, Expected])[] = [
      ["missing", undefined, missing],
      ["a number", 7, wrong],
      ...(route === AVAILABLE[0] ? rare : []),
    ];
    it.skipIf(route.isMissing).each(variants)("%s", async (_, value, expected) => {
      await expectRuling({ ...write(), [field]: value }, expected, field);
    });
  });

  it.skipIf(route.isMissing).each(INPUTS)("tool_input %s", async (_, input, expected) => {
    await expectRuling({ ...write(), tool_input: input }, expected, "tool_input");
  });

  it.skipIf(route.isMissing).each(COMMANDS)("a shell call %s", async (_, input) => {
    await expectRuling({ ...write(), tool_name: "Bash", tool_input: input }, "ask", "tool_input.command");
  });

  it.skipIf(route.isMissing)("without the safety profile nobody is asked", async () => {
    const event = { ...write(), session_id: 7 };
    expect(await world.send(event, route, { args: ["--profile", "ntm"] })).toMatchObject({
      exit: 0,
      stdout: "",
      stderr: "",
    });
    expect(lastRow()).toMatchObject({ event: "tool.before", ruling: "pass" });
  });
});
