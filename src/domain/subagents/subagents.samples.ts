import type { AnyEvent, JsonObject } from "../../core/event.ts";
import type { Database } from "../../state/database.ts";
import { openTable, projectScope } from "../../state/stores.ts";
import { claudeEvent, PROJECT, toolAfter, toolBefore } from "../../testing/events.ts";
import { AGENT_STORE } from "./running-count.ts";
import { TrackedAgents } from "./tracked-agents.ts";

export const OTHER_SESSION = "99999999-2222-3333-4444-555555555555";
const WITHOUT_ID = { agent_type: "executor" };

/** Events of a subagent, in the words of Claude Code. */
export const startsAgent = (id: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "SubagentStart", agent_id: id, ...WITHOUT_ID, ...more });
export const stopsAgent = (id: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({
    ...{ hook_event_name: "SubagentStop", agent_id: id, ...WITHOUT_ID },
    ...{ stop_hook_active: false, last_assistant_message: "Found three.", ...more },
  });
export const spawns = (description: string, more: JsonObject = {}): AnyEvent =>
  toolBefore("Agent", { description, prompt: "Do it.", subagent_type: "executor", ...more });

/** The report of a call that started a subagent. */
export function reportsAgent(id: string, response: JsonObject = {}, input: JsonObject = {}): AnyEvent {
  const given = { description: "look", prompt: "Look.", subagent_type: "executor", ...input };
  return toolAfter("Agent", given, `toolu_${id}`, { tool_response: { status: "completed", agentId: id, ...response } });
}

export const launchesAgent = (id: string, input: JsonObject = {}): AnyEvent =>
  reportsAgent(id, { isAsync: true, status: "async_launched" }, input);

export const startsSession = (source: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "SessionStart", source, ...more });
export const endsSession = (reason: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "SessionEnd", reason, ...more });

/** What the client puts in place of a prompt when a background task has ended. */
export function taskNotification(id: string, status: string, result = ""): string {
  const parts = [`<task-id>${id}</task-id>`, `<status>${status}</status>`, `<summary>Task ${id} ended</summary>`];
  const more = result === "" ? [] : [`<result>${result}</result>`];
  return `<task-notification>\n${[...parts, ...more].join("\n")}\n</task-notification>`;
}

export const inBackground = (id: string, type: string = "subagent"): JsonObject => ({
  ...{ id, type, status: "running", description: `task ${id}` },
});

/** The recorded subagents of the test's project. */
export function agentsIn(db: Database): TrackedAgents {
  const scope = projectScope({ agent: "", session: "", agentId: "", project: PROJECT });
  return new TrackedAgents(openTable(db, scope, AGENT_STORE, () => undefined));
}

/** The text that an exported file has, or will have; undefined when there is none. */
export function exportedText(db: Database, file: string): string | undefined {
  const content = db.get("SELECT content FROM mirrors WHERE path = ?", `${PROJECT}/${file}`)?.content;
  return typeof content === "string" ? content : undefined;
}

/** The lines that were added to a file. */
export function addedLines(db: Database, file: string): JsonObject[] {
  const rows = db.all("SELECT line FROM lines WHERE path = ? ORDER BY id", `${PROJECT}/${file}`);
  return rows.map((row) => JSON.parse(String(row.line)) as JsonObject);
}
