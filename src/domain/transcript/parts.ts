import { isObject, type Json, type JsonObject } from "../../core/event.ts";

/** One part of a message: a text, thinking, the use of a tool, its result, an image. Parts of other shapes are kept as they are. */
export type Part = Json;

export interface Message {
  readonly role: string;
  readonly model: string;
  readonly parts: readonly Part[];
}

const THINKING = new Set(["thinking", "redacted_thinking", "reasoning"]);
const TOOL = /^tool$|(?:^|_)tool_(?:use|result)$/;

export function isThinking(part: Part): part is JsonObject {
  return isObject(part) && THINKING.has(String(part.type));
}

export function isTool(part: Part): boolean {
  return isObject(part) && TOOL.test(String(part.type));
}

export function isText(part: Part): part is JsonObject {
  return isObject(part) && part.type === "text";
}

export function isBlankText(part: Part): part is JsonObject {
  return isText(part) && (typeof part.text !== "string" || part.text.trim() === "");
}

/** Text or a tool part. An image or a document is content as well: the model's server accepts a message of nothing else. */
export function isContent(part: Part): boolean {
  if (isText(part)) return !isBlankText(part);
  return isTool(part) || (isObject(part) && (part.type === "image" || part.type === "document"));
}

/** The parts of a message's content, which may be one plain text. */
export function partsOf(content: Json | undefined): readonly Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}
