import type { AnyEvent } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import { jsonReply } from "../answer.ts";

/**
 * Every answer that Codex gets from us, and no other: one key that it does not know, or a denial without a reason, and it
 * runs the tool as if nothing had been said.
 */
export type CodexAnswer =
  | {
      readonly hookSpecificOutput: {
        readonly hookEventName: "PreToolUse";
        readonly permissionDecision: "deny";
        readonly permissionDecisionReason: string;
      };
    }
  | {
      readonly hookSpecificOutput: {
        readonly hookEventName: "PermissionRequest";
        readonly decision: { readonly behavior: "allow" } | { readonly behavior: "deny"; readonly message: string };
      };
    }
  | { readonly hookSpecificOutput: { readonly hookEventName: ContextEvent; readonly additionalContext: string } }
  | { readonly decision: "block"; readonly reason: string };

type ContextEvent = "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "SubagentStart";

export function encode(event: AnyEvent, ruling: Ruling): Reply {
  return jsonReply(answerTo(event, ruling));
}

function answerTo({ agentEvent }: AnyEvent, { outcome, reason, notes }: Ruling): CodexAnswer | undefined {
  const context = notes.map(({ text }) => text).join("\n\n");
  switch (agentEvent) {
    case "PreToolUse":
      if (outcome === "deny") return denial(reason);
      return withContext(agentEvent, context);
    case "PermissionRequest":
      if (outcome === "deny") return permission({ behavior: "deny", message: reason });
      return outcome === "approve" ? permission({ behavior: "allow" }) : undefined;
    case "UserPromptSubmit":
      if (outcome === "deny") return { decision: "block", reason };
      return withContext(agentEvent, context);
    case "SessionStart":
    case "PostToolUse":
    case "SubagentStart":
      return withContext(agentEvent, context);
    case "Stop":
    case "SubagentStop":
      return outcome === "hold" ? { decision: "block", reason } : undefined;
    default:
      return undefined;
  }
}

function denial(reason: string): CodexAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

function permission(
  decision: Extract<
    CodexAnswer,
    { hookSpecificOutput: { hookEventName: "PermissionRequest" } }
  >["hookSpecificOutput"]["decision"],
): CodexAnswer {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

function withContext(hookEventName: ContextEvent, additionalContext: string): CodexAnswer | undefined {
  return additionalContext === "" ? undefined : { hookSpecificOutput: { hookEventName, additionalContext } };
}

export function denyUnreadable(_agentEvent: string, text: string): Reply {
  return jsonReply(denial(text), `${text}\n`);
}
