import { type AnyEvent, isObject, type Json, type JsonObject } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import { asContinuation, jsonReply } from "../answer.ts";
import { theirInput } from "../tool-table.ts";
import { DROID_TOOLS } from "./tools.ts";

/** Every answer that Droid gets from us: a subset of what Claude Code takes. */
export type DroidAnswer =
  | {
      readonly hookSpecificOutput: {
        readonly hookEventName: "PreToolUse";
        readonly permissionDecision: "deny";
        readonly permissionDecisionReason: string;
      };
    }
  | { readonly hookSpecificOutput: { readonly hookEventName: "PreToolUse"; readonly updatedInput: JsonObject } }
  | { readonly hookSpecificOutput: { readonly hookEventName: ContextEvent; readonly additionalContext: string } }
  | { readonly continue: false; readonly stopReason: string }
  | { readonly decision: "block"; readonly reason: string };

type ContextEvent = "SessionStart" | "PostToolUse";

export function encode(event: AnyEvent, ruling: Ruling): Reply {
  return jsonReply(answerTo(event, ruling));
}

function answerTo(event: AnyEvent, ruling: Ruling): DroidAnswer | undefined {
  const { outcome, reason, end } = ruling;
  switch (event.agentEvent) {
    case "PreToolUse":
      return outcome === "deny" ? denial(reason) : changedCall(event, ruling);
    case "PostToolUse":
      if (end) return { continue: false, stopReason: `${end.text} [${end.policy}]` };
      return withContext(event.agentEvent, ruling);
    case "SessionStart":
      return withContext(event.agentEvent, ruling);
    case "Stop":
      return outcome === "hold" ? { decision: "block", reason: asContinuation(reason) } : undefined;
    default:
      return undefined;
  }
}

function denial(reason: string): DroidAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

function changedCall({ tool }: AnyEvent, { rewrite }: Ruling): DroidAnswer | undefined {
  const value = rewrite?.value as Json | undefined;
  if (tool === undefined || !isObject(value) || DROID_TOOLS.get(tool.name)?.input) return undefined;
  const updatedInput = theirInput(DROID_TOOLS, tool.name, value);
  return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } };
}

function withContext(hookEventName: ContextEvent, { notes }: Ruling): DroidAnswer | undefined {
  if (notes.length === 0) return undefined;
  return { hookSpecificOutput: { hookEventName, additionalContext: notes.map(({ text }) => text).join("\n\n") } };
}

export function denyUnreadable(_agentEvent: string, text: string): Reply {
  return jsonReply(denial(text), `${text}\n`);
}
