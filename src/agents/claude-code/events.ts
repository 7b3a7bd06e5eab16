import { type EventName, GUARDED_EVENTS } from "../../core/event.ts";
import { registry } from "../../policies/index.gen.ts";

/** The agent's words for our events. */
export const CLAUDE_EVENTS = {
  PreToolUse: "tool.before",
  PostToolUse: "tool.after",
  PostToolUseFailure: "tool.failed",
  PostToolBatch: "batch.after",
  Notification: "notification.sent",
  UserPromptSubmit: "prompt.submit",
  UserPromptExpansion: "prompt.expand",
  SessionStart: "session.start",
  SessionEnd: "session.end",
  Stop: "turn.stop",
  StopFailure: "turn.failed",
  SubagentStart: "subagent.start",
  SubagentStop: "subagent.stop",
  PreCompact: "compact.before",
  PostCompact: "compact.after",
  PreModelSwitch: "model.before",
  PostModelSwitch: "model.after",
  PermissionRequest: "permission.request",
  PermissionDenied: "permission.denied",
  Setup: "setup.run",
  TeammateIdle: "teammate.idle",
  TaskCreated: "task.created",
  TaskCompleted: "task.completed",
  Elicitation: "elicitation.request",
  ElicitationResult: "elicitation.result",
  ConfigChange: "config.change",
  WorktreeCreate: "worktree.create",
  WorktreeRemove: "worktree.remove",
  InstructionsLoaded: "instructions.loaded",
  CwdChanged: "cwd.changed",
  FileChanged: "file.changed",
  DirectoryAdded: "directory.added",
  MessageDisplay: "message.display",
} as const satisfies Record<string, EventName>;

export type ClaudeEvent = keyof typeof CLAUDE_EVENTS;

export function isClaudeEvent(name: string): name is ClaudeEvent {
  return Object.hasOwn(CLAUDE_EVENTS, name);
}

/** The engine itself listens here: a person's prompt gives the Stop arbiter its budgets back. */
const ENGINE_EVENTS: readonly EventName[] = ["prompt.submit"];

/** What `init` registers: every event that a shipped policy handles. */
export function registeredEvents(): { readonly event: ClaudeEvent; readonly guarded: boolean }[] {
  const handled = new Set<EventName>([...ENGINE_EVENTS, ...registry.flatMap((entry) => entry.events)]);
  return (Object.keys(CLAUDE_EVENTS) as ClaudeEvent[])
    .filter((event) => handled.has(CLAUDE_EVENTS[event]))
    .map((event) => ({ event, guarded: GUARDED_EVENTS.includes(CLAUDE_EVENTS[event]) }));
}
