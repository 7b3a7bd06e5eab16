import type { EventName } from "../../core/event.ts";

/** Claude Code's event names, with ours. */
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
