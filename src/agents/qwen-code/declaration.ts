import { type Declaration, declared } from "../declaration.ts";

export const QWEN_CODE: Declaration = {
  id: "qwen-code",
  title: "Qwen Code",
  program: "qwen",
  package: "@qwen-code/qwen-code",
  version: "0.24.4",
  events: {
    SessionStart: declared("session.start", "note"),
    UserPromptSubmit: declared("prompt.submit", "deny", "note"),
    PreToolUse: declared("tool.before", "deny", "ask"),
    PostToolUse: declared("tool.after", "note"),
    PostToolUseFailure: declared("tool.failed", "note"),
    PostToolBatch: declared("batch.after", "note"),
    SubagentStart: declared("subagent.start"),
    SubagentStop: declared("subagent.stop", "hold", "release"),
    Stop: declared("turn.stop", "hold", "release", "notice"),
    Notification: declared("notification.sent"),
    InstructionsLoaded: declared("instructions.loaded"),
  },
  because: {
    "tool.before note": "Qwen Code gives its model nothing that a hook adds before a call.",
    "tool.before rewrite": "Qwen Code ignores a changed input.",
    "tool.after rewrite": "Qwen Code ignores a changed result.",
    "subagent.start note": "Qwen Code gives its subagent nothing that a hook adds.",
  },
  limits: ["the end of a session that runs one prompt"],
  stopCap: 8,
  onFailure: { crash: "runs", timeout: "runs", missing: "runs" },
};
