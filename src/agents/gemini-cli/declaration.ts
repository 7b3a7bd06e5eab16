import { type Declaration, declared, declaredEnd } from "../declaration.ts";

export const GEMINI_CLI: Declaration = {
  id: "gemini-cli",
  title: "Gemini CLI",
  program: "gemini",
  package: "@google/gemini-cli",
  version: "0.61.0",
  // Not PreCompress: it comes before every request to the model, also when nothing is compressed.
  events: {
    SessionStart: declared("session.start", "note", "notice"),
    SessionEnd: declared("session.end"),
    BeforeAgent: declared("prompt.submit", "deny", "note", "notice", "end"),
    BeforeTool: declared("tool.before", "deny", "rewrite", "notice", "end"),
    AfterTool: declaredEnd("note", "notice", "end"),
    AfterAgent: declared("turn.stop", "hold", "release", "notice"),
    Notification: declared("notification.sent"),
  },
  because: {
    "tool.before ask":
      "Without a person at the terminal Gemini CLI ends without a word when it is told to ask, so the call is denied with the reason.",
    "tool.before note": "Gemini CLI gives its model nothing that a hook adds before a call.",
    "tool.after rewrite": "Gemini CLI replaces a result only by the reason of a denial.",
    "compact.before note": "Gemini CLI announces a compression before every request, also when there is none.",
    "compact.after notice": "Gemini CLI does not report that it has compressed.",
    "subagent.start note": "Gemini CLI reports its subagents only as calls of `invoke_agent`.",
    "subagent.stop hold": "Gemini CLI does not report the end of a subagent.",
  },
  setup: [
    "Your own hooks are an extension of Gemini CLI, a folder of ours beside your other extensions. Your `settings.json` stays as it is.",
    "Gemini CLI reads the hooks of a project only in a folder that you have trusted.",
  ],
  limits: ["which of its subagents makes a call"],
  stopCap: 0,
  onFailure: { crash: "runs", timeout: "runs", missing: "denies" },
};
