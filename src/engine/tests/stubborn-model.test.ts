import { afterEach, describe, expect, it } from "vitest";
import { AllProfiles, type Answer, type Call } from "./all-profiles.samples.ts";

type Pick = (index: number, project: string) => Call;

const CALLS = 31;
/** Characters that reach the model in reasons and notes. */
const MOST = 4_000;

let world: AllProfiles | undefined;
afterEach(() => world?.close());
const begin = (session: object | undefined, files: readonly string[] = []): AllProfiles => {
  world = new AllProfiles(session, files);
  return world;
};

const step: Pick = (index) => ["Bash", { command: `make step${index}` }];
const edit: Pick = (index, project) => [
  "Edit",
  { file_path: `${project}/src/${index}.ts`, old_string: "a", new_string: "b" },
];
const anything: Pick = (index, project) => [step, edit][index % 2]?.(index, project) ?? step(index, project);
const TEMPLATE = "~/.claude/skills/implement/assets/TEMPLATE_IMPLEMENTATION_LOG.md";
const DIRECTIVES = ["README.md", "src/PITFALLS.md", "src/INVARIANTS.md", "src/CHECKLIST.md"];

describe(`${CALLS} calls of a model that does nothing it is told`, () => {
  it.each<[name: string, session: object | undefined, files: readonly string[], pick: Pick, denied: number]>([
    ["never logs", { logTemplate: TEMPLATE }, [], step, 22],
    ["reads no directive", {}, DIRECTIVES, edit, 28],
    ["reads no directive, with different tools", {}, DIRECTIVES, anything, 28],
    ["begins no session", undefined, [], anything, 31],
    ["continues no session", { lifecycle: "completed" }, [], step, 31],
    ["deletes what is not its own", {}, [], (index) => ["Bash", { command: `rm -rf /home/x${index}` }], 31],
    ["deletes everything, again and again", {}, [], () => ["Bash", { command: "rm -rf /" }], 31],
  ])("which %s", async (_name, session, files, pick, denied) => {
    const agent = begin(session, files);
    const said: Answer[] = [];
    for (let index = 1; index <= CALLS; index++) said.push(...(await agent.call(pick(index, agent.project))));
    expect(said.filter(({ decision }) => decision === "deny")).toHaveLength(denied);
    const total = said.reduce((sum, { text }) => sum + text.length, 0);
    expect(total).toBeGreaterThan(1_000);
    expect(total).toBeLessThanOrEqual(MOST);
    // Each says by itself what is denied, by whom and whether a retry helps.
    for (const { decision, text } of said) {
      if (decision !== "deny") continue;
      expect(text).toMatch(/A retry will not help|Retry after|Trying the same call|The same call may be tried/);
      expect(text).toMatch(/^\S.{20,}\[(?:session|safety)\/[a-z-]+/);
    }
  });
});

describe("the full text is given", () => {
  const overdue = "Write what was done, found and decided";
  const late = { toolUseWithoutLogsBlockAfter: 1 };

  it("to a subagent that was never told, whatever its parent was told", async () => {
    const agent = begin(late);
    const [first] = await agent.call(step(1, agent.project));
    const [second] = await agent.call(step(2, agent.project));
    const [theirs] = await agent.call(step(3, agent.project), { agent_id: "a1", agent_type: "coder" });
    const [again] = await agent.call(step(4, agent.project), { agent_id: "a1", agent_type: "coder" });
    expect([first, second, theirs, again].map((one) => one?.text.includes(overdue))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(second?.text).toContain("Retry after a log entry. [session/heartbeat]");
  });

  it.each([
    ["SessionStart", { source: "compact" }],
    ["PostCompact", { trigger: "auto", compact_summary: "x" }],
  ])("again after the context was summarised: %s", async (hook_event_name, more) => {
    const agent = begin(late);
    await agent.call(step(1, agent.project));
    await agent.send({ hook_event_name, ...more });
    const [after] = await agent.call(step(2, agent.project));
    expect(after?.text).toContain(overdue);
  });

  it("again where the same call is sent a second time, as a retry of the client does", async () => {
    const agent = begin(late);
    const [tool_name, tool_input] = step(1, agent.project);
    const body = { hook_event_name: "PreToolUse", tool_name, tool_input, tool_use_id: "t1" };
    const first = await agent.send(body);
    expect(await agent.send(body)).toEqual(first);
    expect(first.text).toContain(overdue);
  });
});
