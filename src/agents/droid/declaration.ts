import { type Declaration, declared, declaredEnd } from "../declaration.ts";

const UNTRIED = "Droid sends this only where a person types, which was not tried.";

export const DROID: Declaration = {
  id: "droid",
  title: "Droid",
  program: "droid",
  package: "droid",
  version: "0.215.0",
  events: {
    SessionStart: declared("session.start", "note", "environment"),
    SessionEnd: declared("session.end"),
    UserPromptSubmit: declared("prompt.submit"),
    PreToolUse: declared("tool.before", "deny", "rewrite"),
    PostToolUse: declaredEnd("note", "end"),
    Stop: declared("turn.stop", "hold", "release"),
    SubagentStop: declared("subagent.stop"),
    PreCompact: declared("compact.before"),
    Notification: declared("notification.sent"),
  },
  because: {
    "prompt.submit deny": UNTRIED,
    "prompt.submit note": UNTRIED,
    "tool.before ask": "Droid runs the tool when it is told to ask, so the call is denied with the reason.",
    "tool.before note": "Droid gives its model nothing that a hook adds before a call.",
    "tool.after rewrite": "Droid has no answer that replaces a result.",
    "tool.failed note":
      "Droid reports a command that failed, with the exit code in the text, but not a tool of its own that did.",
    "subagent.start note": "Droid does not report the start of a subagent.",
    "subagent.stop hold": "Droid does not look at the answer.",
    "compact.before note": "Droid takes no instructions for a summary.",
    "compact.after notice": "Droid does not report that it has compressed.",
  },
  limits: ["the prompt of `droid exec`"],
  stopCap: 0,
  onFailure: { crash: "runs", timeout: "runs", missing: "runs" },
};
