/** Every event of a plan, by every way it can travel: the same bytes come back, whoever decides. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { planText } from "../../src/domain/plan/plan.samples.ts";
import { AVAILABLE } from "../support/routes.ts";
import { World } from "../support/world.ts";

const FILES: Readonly<Record<string, string>> = {
  "docs/plan.md": planText(["complete", "in-progress", "pending"]),
  ".claude/project.yml": [
    "hooks:",
    "  task_verification: prompt # light",
    "  stop_guard: true",
    "  session_context: true",
    "  precompact_state: true",
  ].join("\n"),
  ".claude/orchestrator-state.json": JSON.stringify({
    active_plan: "docs/plan.md",
    slug: "login",
    team: "implement-login",
    started: "2026-01-02T03:00:00Z",
    worktrees: {},
  }),
  ".claude/hooks/scopes/implement-login.json": JSON.stringify({ api: ["src/api", "src/**/*.proto"] }),
};

let world: World;
beforeEach(() => {
  world = new World();
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(world.project, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
});
afterEach(() => world.dispose());

const edit = (id: string, file: string) => ({
  hook_event_name: "PreToolUse",
  tool_name: "Edit",
  tool_use_id: id,
  agent_id: "a1",
  agent_type: "api",
  tool_input: { file_path: file, old_string: "a", new_string: "b" },
});

const EVENTS: readonly Record<string, unknown>[] = [
  { hook_event_name: "SessionStart", source: "clear" },
  { hook_event_name: "SessionStart", source: "startup" },
  edit("t1", "src/api/x.ts"),
  edit("t2", "src/web/x.ts"),
  edit("t3", "src/web/x.proto"),
  { hook_event_name: "TaskCompleted", task_id: "4", task_subject: "Water the plants" },
  { hook_event_name: "TaskCompleted", task_id: "4", task_subject: "Water the plants" },
  { hook_event_name: "PreCompact", trigger: "auto" },
  { hook_event_name: "SessionStart", source: "compact" },
  { hook_event_name: "Stop", stop_hook_active: false },
  { hook_event_name: "Stop", stop_hook_active: true },
];

it("says the same by every way", async () => {
  const answers: string[][] = [];
  for (const route of AVAILABLE) {
    world.forgetState();
    const daemon = route.daemon ? await world.startDaemon() : undefined;
    const said: string[] = [];
    for (const event of EVENTS) {
      const payload = { session_id: "s1", cwd: world.project, ...event };
      const args = ["--profile", "plan", "--reply", "json"];
      const { exit, stdout, stderr } = await world.send(payload, route, { args });
      said.push(JSON.stringify({ exit, stdout, stderr }));
    }
    answers.push(said);
    daemon?.kill();
    await daemon?.ended;
  }
  const [first = []] = answers;
  for (const said of answers) expect(said).toEqual(first);
  const exits = first.map((answer) => (JSON.parse(answer) as { exit: number }).exit);
  expect(exits).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0]);
  expect(first[3]).toContain("is outside the scope of api");
  expect(first[9]).toContain("2 tasks still incomplete");
  console.log(`${AVAILABLE.length} ways, ${EVENTS.length} events each`);
}, 180_000);
