import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { windowOf } from "../../domain/compaction/context-window.ts";

/** English and code come to about this many characters a token. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * How full the context is, 0 to 1, from the end of a transcript: the tokens of the last answer of the main
 * conversation, else an estimate from its words. The last line may be half written, and the first one cut by reading
 * only the tail. Lines before a compaction are no longer in the context.
 */
export function usageFromTranscript(
  tail: string,
  env: Readonly<Record<string, string | undefined>> = {},
): number | undefined {
  let tokens: number | undefined;
  let message = "";
  let characters = 0;
  for (const line of tail.split("\n").reverse()) {
    const entry = entryOf(line);
    if (!entry || entry.isSidechain === true) continue;
    if (entry.type === "system" && entry.subtype === "compact_boundary") break;
    if (entry.type !== "assistant" && entry.type !== "user") continue;
    const id = isObject(entry.message) && typeof entry.message.id === "string" ? entry.message.id : "";
    // One answer stands on several lines, and only the last of them knows all that it cost; they need not be in order.
    if (tokens !== undefined && (id === "" || id !== message)) break;
    const counted = tokensOf(entry);
    if (counted !== undefined) {
      tokens = Math.max(tokens ?? 0, counted);
      message = id;
    }
    characters += line.length;
  }
  const used = tokens ?? characters / CHARACTERS_PER_TOKEN;
  return used === 0 ? undefined : used / windowOf(used, env);
}

function entryOf(line: string): { readonly [key: string]: Json } | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const entry = JSON.parse(line) as Json;
    return isObject(entry) ? entry : undefined;
  } catch {
    // Half a line at either end of the tail; the neighbouring ones are whole.
    return undefined;
  }
}

function tokensOf(entry: { readonly [key: string]: Json }): number | undefined {
  if (entry.type !== "assistant" || entry.isApiErrorMessage === true) return undefined;
  const usage = isObject(entry.message) ? entry.message.usage : undefined;
  if (!isObject(usage)) return undefined;
  const count = (name: string): number => (typeof usage[name] === "number" ? usage[name] : 0);
  return (
    count("input_tokens") +
    count("cache_read_input_tokens") +
    count("cache_creation_input_tokens") +
    count("output_tokens")
  );
}
