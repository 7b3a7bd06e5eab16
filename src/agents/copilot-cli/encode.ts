import { type AnyEvent, isObject, type Json, type JsonObject } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import { asContinuation, jsonReply } from "../answer.ts";
import { theirInput } from "../tool-table.ts";
import { COPILOT_TOOLS } from "./tools.ts";

interface Permission {
  readonly permissionDecision: "deny" | "ask";
  readonly permissionDecisionReason: string;
}

interface Context {
  readonly additionalContext?: string;
}

/**
 * Every answer that Copilot CLI gets from us. Its own events take flat answers; those in Claude Code's spelling take the
 * decision about a call in Claude Code's form, but context in the flat one.
 */
export type CopilotAnswer =
  | Permission
  | ({ readonly modifiedArgs: JsonObject } & Context)
  | ({ readonly modifiedResult: { readonly resultType: "success"; readonly textResultForLlm: string } } & Context)
  | { readonly additionalContext: string }
  | { readonly decision: "block"; readonly reason: string }
  | { readonly behavior: "allow" }
  | { readonly behavior: "deny"; readonly message: string }
  | ({
      readonly hookSpecificOutput: { readonly hookEventName: "PreToolUse" } & (
        | Permission
        | { readonly updatedInput: JsonObject }
      );
    } & Context);

export function encode(event: AnyEvent, ruling: Ruling): Reply {
  return jsonReply(answerTo(event, ruling));
}

function answerTo(event: AnyEvent, ruling: Ruling): CopilotAnswer | undefined {
  const { outcome, reason } = ruling;
  switch (event.agentEvent) {
    case "preToolUse":
    case "PreToolUse":
      if (outcome === "deny" || outcome === "ask") return permission(event.agentEvent, outcome, reason);
      return changedCall(event, ruling) ?? withContext(ruling);
    case "permissionRequest":
      if (outcome === "deny") return { behavior: "deny", message: reason };
      return outcome === "approve" ? { behavior: "allow" } : undefined;
    case "postToolUse":
      return changedResult(ruling) ?? withContext(ruling);
    case "userPromptSubmitted":
      return outcome === "deny" ? { decision: "block", reason } : withContext(ruling);
    case "UserPromptSubmit":
    case "sessionStart":
    case "SessionStart":
    case "PostToolUse":
    case "postToolUseFailure":
    case "PostToolUseFailure":
    case "subagentStart":
    case "SubagentStart":
      return withContext(ruling);
    case "agentStop":
    case "Stop":
    case "subagentStop":
    case "SubagentStop":
      return outcome === "hold" ? { decision: "block", reason: asContinuation(reason) } : undefined;
    default:
      return undefined;
  }
}

function permission(agentEvent: string, permissionDecision: "deny" | "ask", reason: string): CopilotAnswer {
  const said: Permission = { permissionDecision, permissionDecisionReason: reason };
  return agentEvent === "PreToolUse" ? { hookSpecificOutput: { hookEventName: agentEvent, ...said } } : said;
}

function changedCall({ tool, agentEvent }: AnyEvent, ruling: Ruling): CopilotAnswer | undefined {
  const value = ruling.rewrite?.value as Json | undefined;
  if (tool === undefined || !isObject(value) || COPILOT_TOOLS.get(tool.name)?.input) return undefined;
  const input = theirInput(COPILOT_TOOLS, tool.name, value);
  return agentEvent === "PreToolUse"
    ? { hookSpecificOutput: { hookEventName: agentEvent, updatedInput: input }, ...withContext(ruling) }
    : { modifiedArgs: input, ...withContext(ruling) };
}

function changedResult(ruling: Ruling): CopilotAnswer | undefined {
  const { rewrite } = ruling;
  if (rewrite === undefined) return undefined;
  const text = typeof rewrite.value === "string" ? rewrite.value : JSON.stringify(rewrite.value);
  return { modifiedResult: { resultType: "success", textResultForLlm: text }, ...withContext(ruling) };
}

function withContext({ notes }: Ruling): { readonly additionalContext: string } | undefined {
  return notes.length === 0 ? undefined : { additionalContext: notes.map(({ text }) => text).join("\n\n") };
}

export function denyUnreadable(agentEvent: string, text: string): Reply {
  return jsonReply(permission(agentEvent, "deny", text), `${text}\n`);
}
