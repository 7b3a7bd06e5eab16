import { isObject, type Json, type JsonObject } from "../core/event.ts";

/** The parts of a message on a line of Claude Code's transcript; none for other lines, some of which repeat messages. */
export function partsOf(line: unknown): JsonObject[] {
  if (!isObject(line as Json)) return [];
  const { type, message } = line as JsonObject;
  if ((type !== "user" && type !== "assistant") || !isObject(message) || !Array.isArray(message.content)) return [];
  return (message.content as Json[]).filter(isObject);
}
