import type { AnyEvent } from "../../core/event.ts";
import { type Policy, policy } from "../../core/policy.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { PROJECT, toolAfter, toolBefore } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions, type Sent } from "../../testing/sandbox.ts";

/** A session whose state file another program wrote, for the cases of several policies. */
export const NAME = "2026_01_02_LOGIN";
export const DIR = `${PROJECT}/sessions/${NAME}`;
export const STATE = `${DIR}/.state.json`;
export const TRANSCRIPT = "/home/dev/.claude/projects/app/main.jsonl";
export const PID = 4242;
export const WRAPPED = { SESSION_REQUIRED: "1", CLAUDE_SUPERVISOR_PID: String(PID) };

type Files = NonNullable<SandboxOptions["files"]>;

export function worldInSession(fields: object = {}, files: Files = {}) {
  const state = { pid: PID, skill: "implement", lifecycle: "active", ...fields };
  return { env: WRAPPED, alive: [PID], files: { [STATE]: JSON.stringify(state), ...files } };
}

export const noSession = { env: WRAPPED };

/** A call in the main conversation, which has a transcript of its own. */
export const call = (tool: string, input: Record<string, string | number> = {}): AnyEvent =>
  toolBefore(tool, input, { transcript_path: TRANSCRIPT });
export const bash = (command: string): AnyEvent => call("Bash", { command });
export const read = (file: string): AnyEvent => call("Read", { file_path: file });
export const edit = (file: string): AnyEvent => call("Edit", { file_path: file, old_string: "a", new_string: "b" });
export const bySubagent = (tool: string, input: Record<string, string> = {}): AnyEvent =>
  toolBefore(tool, input, { transcript_path: TRANSCRIPT, agent_id: "a1", agent_type: "coder" });

/** The `tool.after` event of this call. */
export function hasRun(before: AnyEvent, more: Record<string, string> = {}): AnyEvent {
  const tool = before.tool;
  return toolAfter(tool?.name ?? "", { ...tool?.input }, tool?.useId ?? "", { transcript_path: TRANSCRIPT, ...more });
}

/** Sends the events; returns the answers and the resulting state file. */
export async function playSessionEvents(
  policies: readonly Policy[],
  events: readonly AnyEvent[],
  world: SandboxOptions,
) {
  const sandbox = createSandbox(policies, world);
  try {
    const sent: Sent[] = [];
    for (const event of events) sent.push(await sandbox.send(event));
    const text = mirrorOf(sandbox.db, STATE)?.content;
    const appended = sandbox.db.all("SELECT path, text FROM appends ORDER BY id");
    return { sent, state: text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>), appended };
  } finally {
    sandbox.close();
  }
}

/** Another policy that denies every call. */
export const DENIES_ALL = policy({
  id: "test/denies-all",
  summary: "Denies every call.",
  why: "To see what others count then.",
  stage: "destructive",
  messages: { no: "No." },
  examples: { hit: ["anything"], pass: ["nothing"] },
  on: { "tool.before": (_event, ctx) => ctx.deny("no") },
});
