/** Every policy of the profile `omc` on, also those that are off by default: what of it reaches the model's context. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/event.ts";
import { packsOf } from "../../core/settings/profiles.ts";
import { registry } from "../../policies/index.gen.ts";
import { ModeWorld } from "./modes.samples.ts";

const MOST_AT_START = 6_000;
const packs = packsOf(["omc"], true);
const policies = registry.filter(({ pack }) => packs.has(pack));
const CONFIG = JSON.stringify({
  profiles: ["safety", "omc"],
  policies: Object.fromEntries(policies.flatMap(({ id, defaultMode }) => (defaultMode ? [[id, "enforce"]] : []))),
});

let world: ModeWorld;
let calls = 0;
beforeEach(() => {
  world = new ModeWorld(CONFIG);
  write("src/a.ts", "export const a = 1;\n");
});
afterEach(() => world.close());

function write(name: string, text: string): string {
  const file = path.join(world.project, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

const start = (session: string, source: string) => world.send(session, { hook_event_name: "SessionStart", source });

/** All that the model and the person read of one call that succeeds. */
async function textOf(session: string, tool_name: string, tool_input: JsonObject): Promise<string> {
  const call = { tool_name, tool_input, tool_use_id: `toolu_${++calls}` };
  const answers = [
    await world.send(session, { hook_event_name: "PreToolUse", ...call }),
    await world.send(session, { hook_event_name: "PostToolUse", ...call, tool_response: responseOf(tool_input) }),
    await world.send(session, {
      hook_event_name: "PostToolBatch",
      tool_calls: [{ ...call, tool_response: "ok" }],
    }),
  ];
  return answers.flatMap(({ model, person }) => [model, person]).join("");
}

const responseOf = ({ file_path }: JsonObject): JsonObject =>
  typeof file_path === "string" ? { filePath: file_path, originalFile: "export const a = 1;\n" } : { stdout: "" };

/** Calls that are none of anybody's business. */
function plainCalls(): readonly (readonly [string, JsonObject])[] {
  const file = path.join(world.project, "src/a.ts");
  return [
    ["Read", { file_path: file }],
    ["Bash", { command: "ls -la src" }],
    ["Bash", { command: "git status" }],
    ["Bash", { command: "npm test" }],
    ["Bash", { command: "ps aux | grep node" }],
  ];
}

/** Calls about which some policy says something once or twice in a session. */
function everyCall(): readonly (readonly [string, JsonObject])[] {
  const file = path.join(world.project, "src/a.ts");
  return [
    ...plainCalls(),
    ["Grep", { pattern: "const" }],
    ["Glob", { pattern: "**/*.ts" }],
    ["WebFetch", { url: "https://example.com/", prompt: "what is it" }],
    ["Edit", { file_path: file, old_string: "a = 1", new_string: "a = 2" }],
    ["Write", { file_path: path.join(world.project, "src/b.ts"), content: "export const b = 1;\n" }],
  ];
}

/** Everything that the start of a session may tell of, and more of each than there is room for. */
function fillProject(): void {
  const long = "A sentence that has to be told to everybody who works here. ".repeat(60);
  const notes = Array.from({ length: 40 }, (_, n) => `### 2026-01-02 03:${String(n).padStart(2, "0")}\n${long}\n`);
  write(".omc/notepad.md", `# Notepad\n\n## Priority Context\n${long}\n\n## Working Memory\n${notes.join("\n")}\n`);
  for (let n = 0; n < 30; n++) {
    write(`.cursor/rules/r${n}.mdc`, `---\nalwaysApply: true\n---\nRule ${n}: ${long}`);
    write(
      `.omc/skills/s${n}.md`,
      `---\nname: s${n}\ndescription: ${long}\ntriggers: [go on]\n---\n# Problem\n${long}\n`,
    );
    const modes = { ralph: { active: true, iteration: n, original_prompt: long } };
    const checkpoint = { created_at: "2026-01-02T03:00:00Z", trigger: "auto", active_modes: modes };
    write(`.omc/state/checkpoints/checkpoint-2026-01-02T03-${10 + n}-00-000Z.json`, JSON.stringify(checkpoint));
  }
  for (const name of ["learnings", "decisions", "issues", "problems"]) write(`.omc/notepads/plan/${name}.md`, long);
  for (const folder of ["", "src/"]) write(`${folder}README.md`, `# Read me\n\n${long}`);
  write(".github/copilot-instructions.md", long);
}

describe(`the start of a session with all ${policies.length} policies`, () => {
  it.each(["startup", "resume", "clear", "compact", "fork"])("is silent in a plain project (%s)", async (source) => {
    expect(await start("s1", source)).toMatchObject({ model: "", person: "" });
  });

  it.each(["startup", "resume", "clear", "compact", "fork"])("adds no more than its budget (%s)", async (source) => {
    fillProject();
    await world.send("s1", { hook_event_name: "Setup", trigger: "init" });
    await world.prompt("s0", "ralph: port the scripts to TypeScript");
    await world.prompt("s1", "ultrawork: port the scripts to TypeScript");
    for (const [tool, input] of everyCall()) await textOf("s1", tool, input);
    await world.send("s1", { hook_event_name: "PreCompact", trigger: "auto", custom_instructions: "" });
    const { model } = await start("s1", source);
    expect(model).toContain("notepad");
    expect(model.length).toBeLessThanOrEqual(MOST_AT_START);
  });
});

describe("tool calls", () => {
  it("that need nothing get no text", async () => {
    await start("s1", "startup");
    await world.prompt("s1", "Port the scripts.");
    for (const [tool, input] of plainCalls()) expect([tool, await textOf("s1", tool, input)]).toEqual([tool, ""]);
  });

  it("of every kind get none any more, 100 in a row, once each thing was said", async () => {
    fillProject();
    await start("s1", "startup");
    await world.prompt("s1", "Port the scripts.");
    let said = 0;
    for (let round = 0; round < 3; round++) {
      for (const [tool, input] of everyCall()) said += (await textOf("s1", tool, input)).length;
    }
    const more: string[] = [];
    for (let round = 0; round < 10; round++) {
      for (const [tool, input] of everyCall()) more.push(await textOf("s1", tool, input));
    }
    expect(more).toHaveLength(100);
    expect(more.filter((text) => text !== "")).toEqual([]);
    expect(said).toBeGreaterThan(0);
  });
});
