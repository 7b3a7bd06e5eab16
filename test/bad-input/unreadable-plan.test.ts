/** Files of a plan that are missing, broken, forbidden or elsewhere: nobody is stopped, nothing crashes, the person is told. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planText } from "../../src/domain/plan/plan.samples.ts";
import { decideHere } from "../support/in-process.ts";
import { noOrdinaryUser, ordinaryUser } from "../support/privileges.ts";
import { AVAILABLE } from "../support/routes.ts";
import { World } from "../support/world.ts";

const [route] = AVAILABLE;
const STATE = ".claude/orchestrator-state.json";
const PLAN = "docs/plan.md";
const ALL_ON =
  "hooks: { task_verification: prompt, stop_guard: true, session_context: true, precompact_state: true }\n";

let world: World;
let asUser = false;
beforeEach(() => begin(new World()));
afterEach(() => world.dispose());

function begin(next: World): void {
  world = next;
  asUser = world.uid !== undefined;
  write(".claude/project.yml", ALL_ON);
  write(PLAN, planText(["pending"]));
  write(STATE, JSON.stringify({ active_plan: PLAN, team: "t", started: "2026-01-02T03:00:00Z" }));
}

function write(name: string, content: string | Buffer, mode = 0o644): void {
  const file = path.resolve(world.project, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  fs.chmodSync(file, mode);
}

const remove = (name: string): void => fs.rmSync(path.join(world.project, name));

const EVENTS: readonly Record<string, unknown>[] = [
  { hook_event_name: "SessionStart", source: "clear" },
  {
    hook_event_name: "PreToolUse",
    tool_name: "Edit",
    tool_use_id: "t",
    agent_id: "a",
    agent_type: "x",
    tool_input: { file_path: "a.ts", old_string: "a", new_string: "b" },
  },
  { hook_event_name: "TaskCompleted", task_id: "1", task_subject: "Water the plants" },
  { hook_event_name: "PreCompact", trigger: "auto" },
  { hook_event_name: "Stop", stop_hook_active: false },
];

/** In a process of the ordinary user where permissions are what stands in the way: nothing is forbidden to root. */
async function everything(): Promise<{ exits: (number | null)[]; out: string; err: string }> {
  const exits: (number | null)[] = [];
  let [out, err] = ["", ""];
  for (const event of EVENTS) {
    const payload = { session_id: "s", cwd: world.project, ...event };
    const args = ["--profile", "plan"];
    const answer = await (asUser
      ? world.send(payload, { ...route, daemon: false }, { args })
      : decideHere(world, payload, args));
    exits.push(answer.exit);
    out += answer.stdout;
    err += answer.stderr;
  }
  return { exits, out, err };
}

interface Trouble {
  readonly name: string;
  make(): void;
  /** What the person reads; nothing when that is as it should be. */
  readonly told: string;
}

const TROUBLES: readonly Trouble[] = [
  { name: "no configuration", make: () => remove(".claude/project.yml"), told: "" },
  {
    name: "a configuration that is no YAML",
    make: () => write(".claude/project.yml", "hooks: [\n"),
    told: "project.yml:2:1",
  },
  {
    name: "a configuration that is no text",
    make: () => write(".claude/project.yml", Buffer.from([0xff, 0xfe])),
    told: "UTF-8",
  },
  { name: "no state", make: () => remove(STATE), told: "" },
  { name: "an empty state", make: () => write(STATE, ""), told: "names no plan" },
  { name: "a state cut short", make: () => write(STATE, '{"active_plan": "do'), told: "names no plan" },
  { name: "a state of another kind", make: () => write(STATE, '{"active_plan": 5}'), told: "names no plan" },
  { name: "a plan that is gone", make: () => remove(PLAN), told: "is missing or cannot be read" },
  { name: "a plan outside", make: () => write(STATE, '{"active_plan": "../../etc/passwd"}'), told: "is not inside" },
  { name: "a name with a zero in it", make: () => write(STATE, '{"active_plan": "a\\u0000b"}'), told: "is not inside" },
  { name: "a plan without tasks", make: () => write(PLAN, "# Nothing\n"), told: "has no tasks" },
  { name: "a plan that is no text", make: () => write(PLAN, Buffer.from([0, 255, 254, 10, 0])), told: "has no tasks" },
  {
    name: "a plan that is far too large",
    make: () => write(PLAN, Buffer.alloc(5 * 1024 * 1024, "x")),
    told: "cannot be read",
  },
];

describe("nobody is stopped by", () => {
  it.each(TROUBLES)("$name", async ({ make, told }) => {
    make();
    const { exits, out, err } = await everything();
    expect(exits).toEqual([0, 0, 0, 0, 0]);
    if (told === "") expect(out).toBe("");
    else expect(out.split(told).length - 1).toBe(1);
    expect(err).not.toMatch(/Error|at .*\.cjs/);
  });

  it.skipIf(noOrdinaryUser !== "").each([
    ["a plan that may not be read", PLAN, "is missing or cannot be read"],
    ["a state that may not be read", STATE, "names no plan"],
    ["a configuration that may not be read", ".claude/project.yml", "cannot be read"],
  ])("%s", async (_name, file, told) => {
    await world.dispose();
    begin(new World({ uid: ordinaryUser }));
    fs.chmodSync(path.join(world.project, file), 0o000);
    const { exits, out } = await everything();
    expect(exits).toEqual([0, 0, 0, 0, 0]);
    expect(out.split(told).length - 1).toBe(1);
  });

  it("a circle of links", async () => {
    remove(PLAN);
    fs.symlinkSync("plan.md", path.join(world.project, PLAN));
    expect((await everything()).exits).toEqual([0, 0, 0, 0, 0]);
  });

  it("a control: with everything in order they do speak", async () => {
    const { exits, out } = await everything();
    expect(exits).toEqual([0, 0, 2, 0, 2]);
    expect(out).toContain("0/1 tasks complete");
  });
});
