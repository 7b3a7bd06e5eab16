import { type Declaration, declared, declaredEnd } from "../declaration.ts";

export const PI: Declaration = {
  id: "pi",
  title: "pi",
  program: "pi",
  package: "@earendil-works/pi-coding-agent",
  version: "0.87.1",
  // Events of pi's extensions, as client/pi.cjs reports them; `agent_end.error` is an end after an error of the model's service.
  events: {
    session_start: declared("session.start", "note", "notice"),
    session_shutdown: declared("session.end"),
    input: declared("prompt.submit", "deny", "note", "notice"),
    tool_call: declared("tool.before", "deny", "rewrite", "note", "notice"),
    tool_result: declaredEnd("rewrite", "note", "notice"),
    agent_end: declared("turn.stop", "hold", "release", "notice"),
    "agent_end.error": declared("turn.failed"),
    session_before_compact: declared("compact.before"),
    session_compact: declared("compact.after", "notice"),
  },
  because: {
    "tool.before ask": "The extension does not open dialogs in pi, so the call is denied with the reason.",
    "tool.before end": "The extension ends no turn of pi.",
    "compact.before note": "pi takes a whole summary from an extension, but no instructions for its own.",
    "compact.before deny": "The extension does not keep pi from compacting.",
    "subagent.start note": "pi has no subagents of its own.",
    "subagent.stop hold": "pi has no subagents of its own.",
    "permission.request approve": "pi asks for no permissions.",
  },
  setup: [
    "The extension is one file, for all projects: pi loads extensions of a project only where you have trusted it.",
  ],
  stopCap: 0,
  onFailure: { crash: "denies", timeout: "denies", missing: "denies" },
};
