import { parse, TomlError } from "smol-toml";
import type { Json } from "../core/event.ts";

/** A chunk of its own: only projects that have such a file load it, and only when its text is new. */
export type Toml = { readonly value: Json } | { readonly problem: string };

export function readToml(text: string): Toml {
  try {
    // Dates and big numbers become text, so that what was read can be kept as JSON.
    return { value: JSON.parse(JSON.stringify(parse(text, { integersAsBigInt: "asNeeded" }), plain)) as Json };
  } catch (error) {
    if (error instanceof TomlError) return { problem: `line ${error.line}: ${error.message.split("\n")[0]}` };
    throw error;
  }
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
