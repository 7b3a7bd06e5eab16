import { type Declaration, type DeclaredEvent, declared, declaredEnd } from "../declaration.ts";

/**
 * The spelling in which we register. Not errorOccurred: it also comes for errors after which Copilot CLI tries again, and
 * nothing in it tells them from the end of a turn.
 */
export const OWN_EVENTS: Readonly<Record<string, DeclaredEvent>> = {
  sessionStart: declared("session.start", "note"),
  sessionEnd: declared("session.end"),
  userPromptSubmitted: declared("prompt.submit", "deny", "note"),
  preToolUse: declared("tool.before", "deny", "ask", "note", "rewrite"),
  permissionRequest: declared("permission.request", "deny", "approve"),
  postToolUse: declaredEnd("note", "rewrite"),
  postToolUseFailure: declared("tool.failed", "note"),
  agentStop: declared("turn.stop", "hold", "release"),
  subagentStart: declared("subagent.start", "note"),
  subagentStop: declared("subagent.stop", "hold", "release"),
  preCompact: declared("compact.before"),
  notification: declared("notification.sent"),
};

/** The spelling of Claude Code, in which Copilot CLI reports to hooks that stand in the settings of Claude Code. */
const CLAUDE_EVENTS: Readonly<Record<string, DeclaredEvent>> = {
  SessionStart: declared("session.start", "note"),
  SessionEnd: declared("session.end"),
  UserPromptSubmit: declared("prompt.submit", "note"),
  PreToolUse: declared("tool.before", "deny", "ask", "note", "rewrite"),
  PermissionRequest: declared("permission.request"),
  PostToolUse: declaredEnd("note"),
  PostToolUseFailure: declared("tool.failed", "note"),
  Stop: declared("turn.stop", "hold", "release"),
  SubagentStart: declared("subagent.start", "note"),
  SubagentStop: declared("subagent.stop", "hold", "release"),
  Notification: declared("notification.sent"),
};

export const COPILOT_CLI: Declaration = {
  id: "copilot-cli",
  title: "Copilot CLI",
  program: "copilot",
  package: "@github/copilot",
  version: "1.0.102",
  events: { ...OWN_EVENTS, ...CLAUDE_EVENTS },
  because: {
    "tool.before end": "Nothing is known by which a hook ends the turn, so the call is denied with the reason.",
    "tool.after end": "Nothing is known by which a hook ends the turn.",
    "compact.before note": "Copilot CLI takes no instructions for a summary.",
    "session.start environment": "Copilot CLI takes no variables for later commands.",
  },
  setup: [
    "Copilot CLI also runs the hooks that Claude Code has in a project (`.claude/settings.json`), but without their arguments. They guard its calls too, with the profiles of the configuration; an event that comes both ways is decided once. Where `hookwright` is not on the PATH, Copilot CLI denies every call in such a project.",
    "It reads the hooks of a project only in a folder that you have trusted.",
  ],
  stopCap: 8,
  onFailure: { crash: "denies", timeout: "runs", missing: "denies" },
};
