import { type Declaration, declared, declaredEnd } from "../declaration.ts";

export const OPENCODE: Declaration = {
  id: "opencode",
  title: "opencode",
  program: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  // Hooks and bus events of opencode, as client/opencode.cjs reports them; `.child` is the same in the session of a subagent.
  events: {
    "session.created": declared("session.start", "note", "notice"),
    "session.created.child": declared("subagent.start", "note"),
    "chat.message": declared("prompt.submit", "deny", "note", "notice"),
    "tool.execute.before": declared("tool.before", "deny", "rewrite", "note", "notice"),
    "tool.execute.after": declaredEnd("rewrite", "note", "notice"),
    "message.part.updated": declared("tool.failed", "note", "notice"),
    "experimental.session.compacting": declared("compact.before", "note"),
    "session.compacted": declared("compact.after", "notice"),
    // The first where `opencode run` would leave, the second where opencode stays.
    "experimental.text.complete": declared("turn.stop", "hold", "release", "notice"),
    "session.idle": declared("turn.stop", "hold", "release", "notice"),
    "session.idle.child": declared("subagent.stop", "notice"),
    "session.error": declared("turn.failed"),
    dispose: declared("session.end"),
  },
  because: {
    "tool.before ask": "A plugin of opencode cannot ask the person, so the call is denied with the reason.",
    "tool.before end": "A plugin of opencode cannot end the turn.",
    "compact.before deny": "A plugin of opencode cannot keep it from compacting.",
    "permission.request approve": "opencode does not call the hook that it has for permissions.",
    "subagent.stop hold": "The session of a subagent is over when opencode reports it as idle.",
  },
  setup: ["The plugin is one file. Restart opencode after `init`, because it loads its plugins when it starts."],
  stopCap: 0,
  onFailure: { crash: "denies", timeout: "denies", missing: "denies" },
};
