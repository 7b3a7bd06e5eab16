import { type Declaration, declared } from "../declaration.ts";

export const CODEX: Declaration = {
  id: "codex",
  title: "Codex CLI",
  program: "codex",
  package: "@openai/codex",
  version: "0.169.0",
  events: {
    SessionStart: declared("session.start", "note"),
    SessionEnd: declared("session.end"),
    UserPromptSubmit: declared("prompt.submit", "deny", "note"),
    PreToolUse: declared("tool.before", "deny", "note"),
    PermissionRequest: declared("permission.request", "deny", "approve"),
    PostToolUse: declared("tool.after", "note"),
    PreCompact: declared("compact.before"),
    PostCompact: declared("compact.after"),
    SubagentStart: declared("subagent.start", "note"),
    SubagentStop: declared("subagent.stop", "hold", "release"),
    Stop: declared("turn.stop", "hold", "release"),
  },
  because: {
    "tool.before ask": "Codex runs the tool when it is told to ask, so the call is denied with the reason.",
    "tool.before rewrite": "Codex takes a changed call only together with an approval, which nobody has given.",
    "tool.after rewrite": "Codex replaces an output only by the reason of a denial.",
    "tool.failed note": "Codex reports a call that failed as a finished one, and says so in the text only.",
    "compact.before note": "Codex takes no instructions for a summary.",
  },
  setup: [
    "Codex runs a hook only after you have trusted it, and skips every other one without a word. `init` asks you, and has Codex itself record your answer in `config.toml`; `uninstall` removes that again. `hookwright doctor` says when the trust is gone: a changed entry, or a hook of somebody else in front of it, ends it.",
    "Codex reads the hooks of a project only after you have trusted the project.",
  ],
  limits: [
    "what is typed into a program that already runs (`write_stdin`), such as a shell that was started without a command",
    "the report of a patch that stands on a command line, which Codex carries out itself",
  ],
  stopCap: 0,
  onFailure: { crash: "runs", timeout: "runs", missing: "runs" },
};
