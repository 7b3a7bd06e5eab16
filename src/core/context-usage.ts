import type { Json } from "./event.ts";

const USUAL_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;

/**
 * How full the context is, 0 to 1, from the end of a transcript: the tokens of the last answer of the main
 * conversation. The last line may be half written, and the first one cut by reading only the tail.
 */
export function usageFromTranscript(tail: string): number | undefined {
  for (const line of tail.split("\n").reverse()) {
    const tokens = tokensOf(line);
    if (tokens !== undefined) return tokens / (tokens > USUAL_WINDOW ? LARGE_WINDOW : USUAL_WINDOW);
  }
  return undefined;
}

function tokensOf(line: string): number | undefined {
  if (!line.includes('"usage"')) return undefined;
  let entry: Json;
  try {
    entry = JSON.parse(line) as Json;
  } catch {
    // Half a line at either end of the tail; the neighbouring ones are whole.
    return undefined;
  }
  if (
    !isObject(entry) ||
    entry.type !== "assistant" ||
    entry.isSidechain === true ||
    entry.isApiErrorMessage === true
  ) {
    return undefined;
  }
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

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
