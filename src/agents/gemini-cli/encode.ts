import { type AnyEvent, isObject, type Json, type JsonObject } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import { asContinuation, jsonReply } from "../answer.ts";
import { theirInput } from "../tool-table.ts";
import { GEMINI_TOOLS } from "./tools.ts";

/** Every answer that Gemini CLI gets from us. It ignores the shape of Claude Code's answers and would run the tool. */
export type GeminiAnswer = Decision & {
  /** Shown to the person. */
  readonly systemMessage?: string;
};

type Decision =
  | { readonly decision: "deny"; readonly reason: string }
  | { readonly continue: false; readonly stopReason: string }
  | { readonly hookSpecificOutput?: { readonly additionalContext: string } | { readonly tool_input: JsonObject } };

export function encode(event: AnyEvent, ruling: Ruling): Reply {
  const said = ruling.notices.map(({ text, policy }) => `${text} [${policy}]`).join("\n");
  const answer: GeminiAnswer = { ...decisionOn(event, ruling), ...(said === "" ? {} : { systemMessage: said }) };
  return jsonReply(answer);
}

function decisionOn(event: AnyEvent, { outcome, reason, end, rewrite, notes }: Ruling): Decision {
  if (end) return { continue: false, stopReason: `${end.text} [${end.policy}]` };
  if (outcome === "deny") return { decision: "deny", reason };
  if (outcome === "hold") return { decision: "deny", reason: asContinuation(reason) };
  if (rewrite && event.tool) {
    const value = rewrite.value as Json;
    if (isObject(value))
      return { hookSpecificOutput: { tool_input: theirInput(GEMINI_TOOLS, event.tool.name, value) } };
  }
  const additionalContext = notes.map(({ text }) => text).join("\n\n");
  return additionalContext === "" ? {} : { hookSpecificOutput: { additionalContext } };
}

export function denyUnreadable(_agentEvent: string, text: string): Reply {
  return jsonReply({ decision: "deny", reason: text } satisfies GeminiAnswer, `${text}\n`);
}
