/** Every shipped policy, while it only observes: whatever happens, no file of anybody's is written. */
import { expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { runtime } from "../../domain/ntm/ntm.samples.ts";
import { worldInSession } from "../../domain/session/session.samples.ts";
import { inProject } from "../../domain/team/team.samples.ts";
import { registry } from "../../policies/index.gen.ts";
import { claudeEvent, PROJECT, prompt, shell, stop, toolAfter, toolBefore } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";

const ran = (command: string): AnyEvent => toolAfter("Bash", { command }, "t", {});
const EVENTS: readonly AnyEvent[] = [
  claudeEvent({ hook_event_name: "SessionStart", source: "startup" }),
  prompt("go on"),
  shell("ntm --robot-spawn=a"),
  ran("ntm --robot-spawn=a"),
  shell("ntm --robot-status=a"),
  ran("ntm save a"),
  ran("ntm kill a"),
  toolBefore("Edit", { file_path: `${PROJECT}/a.ts`, old_string: "a", new_string: "b" }),
  toolAfter("Read", { file_path: `${PROJECT}/a.ts` }, "r", {}),
  toolAfter("AskUserQuestion", { questions: [{ question: "Why?" }] }, "q", { tool_response: "so" }),
  toolBefore("Agent", { prompt: "x", name: "bob", team_name: "atm-dev" }),
  claudeEvent({ hook_event_name: "PreCompact", trigger: "auto", custom_instructions: null }),
  claudeEvent({ hook_event_name: "TaskCompleted", task_id: "7", task_subject: "x" }),
  stop(),
  claudeEvent({ hook_event_name: "SessionEnd", reason: "clear" }),
];

async function traces(mode: "observe" | "enforce") {
  const policies = await Promise.all(registry.map(async (entry) => (await entry.load()).default));
  const worlds = [worldInSession(), runtime(), inProject()];
  const files = Object.assign({ [`${PROJECT}/README.md`]: "x" }, ...worlds.map((world) => world.files));
  const env = { ...worldInSession().env, ...runtime().env };
  const sandbox = createSandbox(policies, {
    mode,
    files,
    env,
    alive: worldInSession().alive,
    contextPolicy: "restart",
  });
  for (const event of EVENTS) await sandbox.send(event);
  const count = (sql: string): number => Number(sandbox.db.get(`SELECT COUNT(*) AS n FROM ${sql}`)?.n);
  const found = {
    files: count("mirrors WHERE is_written = 0"),
    appends: count("appends"),
    lines: count("lines"),
    notes: count("outbox"),
    jobs: count("jobs WHERE name <> 'journal/prune'"),
    own: count("entries"),
  };
  sandbox.close();
  return found;
}

it("nothing leaves the database, and our own state is kept as ever", async () => {
  const { own, ...outside } = await traces("observe");
  expect(outside).toEqual({ files: 0, appends: 0, lines: 0, notes: 0, jobs: 0 });
  expect(own).toBeGreaterThan(0);
});

it("is measured by events that do leave traces when the policies are in force", async () => {
  const { files, appends, lines } = await traces("enforce");
  for (const count of [files, appends, lines]) expect(count).toBeGreaterThan(0);
});
