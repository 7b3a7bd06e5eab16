import { isText, isThinking, isTool, type Message, type Part } from "./parts.ts";

/** Stands where no earlier message has a thinking part to repeat. */
export const CONTINUED_THINKING = "[Continuing from previous reasoning]";
const SYNTHETIC_ID = "prt_0000000000_synthetic_thinking";

const THINKING_MODELS = ["thinking", "claude-sonnet-4", "claude-opus-4", "claude-3"];

/** Does this model begin its messages with thinking, where thinking is on? */
export function isThinkingModel(id: string): boolean {
  const name = id.toLowerCase();
  return name.endsWith("-high") || THINKING_MODELS.some((part) => name.includes(part));
}

/** A message that has content and does not begin with thinking: with thinking on, a server refuses it. */
export function lacksThinking(parts: readonly Part[]): boolean {
  return parts.some((part) => isTool(part) || isText(part)) && !isThinking(parts[0] as Part);
}

/** The words of a thinking part; empty where they were redacted. */
export function thoughtOf(part: Part): string {
  if (!isThinking(part)) return "";
  const words = part.thinking ?? part.text;
  return typeof words === "string" ? words.trim() : "";
}

/** Has no signature: only the model's server can sign what its model has thought. */
export function syntheticThinking(thought: string, number: number): Part {
  const thinking = thought === "" ? CONTINUED_THINKING : thought;
  return { type: "thinking", thinking, signature: "", id: `${SYNTHETIC_ID}_${number}`, synthetic: true };
}

export interface ValidatedMessage {
  readonly valid: boolean;
  readonly fixed: boolean;
  readonly issue: string;
  readonly action: string;
}

export interface Validated<M extends Message> {
  readonly messages: readonly M[];
  /** About each message. */
  readonly results: readonly ValidatedMessage[];
  readonly statistics: { readonly messages: number; readonly valid: number; readonly fixed: number };
}

const VALID: ValidatedMessage = { valid: true, fixed: false, issue: "", action: "" };

/**
 * Puts a thinking part in front of assistant messages that begin with none, where the model thinks: the words of the
 * nearest earlier thinking part. The messages that were given stay as they are.
 */
export function withThinkingParts<M extends Message>(messages: readonly M[]): Validated<M> {
  let thought = "";
  let model = "";
  const results: ValidatedMessage[] = [];
  const fixed = messages.map((message, index) => {
    model = message.model || model;
    const before = thought;
    thought = message.parts.map(thoughtOf).findLast((words) => words !== "") ?? thought;
    if (message.role !== "assistant" || !isThinkingModel(message.model || model) || !lacksThinking(message.parts)) {
      results.push(VALID);
      return message;
    }
    const parts = [syntheticThinking(before, index + 1), ...message.parts];
    const action = before === "" ? "put a placeholder in front" : "repeated the nearest earlier thinking in front";
    results.push({ valid: false, fixed: true, issue: "does not begin with thinking", action });
    return { ...message, parts };
  });
  const invalid = results.filter(({ valid }) => !valid).length;
  const statistics = { messages: messages.length, valid: messages.length - invalid, fixed: invalid };
  return { messages: fixed, results, statistics };
}
