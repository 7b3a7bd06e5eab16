import type { AnyEvent } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import { jsonReply } from "../answer.ts";

/** Every answer that Qwen Code gets from us: a subset of what Claude Code takes. */
export type QwenAnswer =
  | {
      readonly hookSpecificOutput: {
        readonly hookEventName: "PreToolUse";
        readonly permissionDecision: "deny" | "ask";
        readonly permissionDecisionReason: string;
      };
    }
  | { readonly hookSpecificOutput: { readonly hookEventName: ContextEvent; readonly additionalContext: string } }
  | { readonly decision: "block"; readonly reason: string; readonly systemMessage?: string }
  /** Shown to the person, at a stop alone. */
  | { readonly systemMessage: string };

type ContextEvent = "SessionStart" | "UserPromptSubmit" | "PostToolUse" | "PostToolUseFailure" | "PostToolBatch";

export function encode(event: AnyEvent, ruling: Ruling): Reply {
  return jsonReply(answerTo(event, ruling));
}

function answerTo({ agentEvent }: AnyEvent, { outcome, reason, notes, notices }: Ruling): QwenAnswer | undefined {
  const additionalContext = notes.map(({ text }) => text).join("\n\n");
  switch (agentEvent) {
    case "PreToolUse":
      return outcome === "deny" || outcome === "ask" ? permission(outcome, reason) : undefined;
    case "UserPromptSubmit":
      if (outcome === "deny") return { decision: "block", reason };
      return withContext(agentEvent, additionalContext);
    case "SessionStart":
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PostToolBatch":
      return withContext(agentEvent, additionalContext);
    case "SubagentStop":
      return outcome === "hold" ? { decision: "block", reason } : undefined;
    case "Stop": {
      const systemMessage = notices.map(({ text, policy }) => `${text} [${policy}]`).join("\n");
      const message = systemMessage === "" ? undefined : { systemMessage };
      return outcome === "hold" ? { decision: "block", reason, ...message } : message;
    }
    default:
      return undefined;
  }
}

function permission(permissionDecision: "deny" | "ask", permissionDecisionReason: string): QwenAnswer {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason } };
}

function withContext(hookEventName: ContextEvent, additionalContext: string): QwenAnswer | undefined {
  return additionalContext === "" ? undefined : { hookSpecificOutput: { hookEventName, additionalContext } };
}

export function denyUnreadable(_agentEvent: string, text: string): Reply {
  return jsonReply(permission("deny", text), `${text}\n`);
}
