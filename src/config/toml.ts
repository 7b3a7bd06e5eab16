import { parse, TomlError } from "smol-toml";
import type { Json } from "../core/event.ts";

// A separate bundle: it is loaded only for projects with a TOML file, and only when that file has changed.
export type Toml = { readonly value: Json } | { readonly problem: string };

export function readToml(text: string): Toml {
  try {
    // Dates and large integers become strings, so that the value can be stored as JSON.
    return { value: JSON.parse(JSON.stringify(parse(text, { integersAsBigInt: "asNeeded" }), plain)) as Json };
  } catch (error) {
    if (error instanceof TomlError) return { problem: `line ${error.line}: ${error.message.split("\n")[0]}` };
    throw error;
  }
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
