import { UNKNOWN, type Value } from "./env.ts";

export function element(items: readonly string[], index: number): Value {
  const text = items[index];
  return text === undefined ? { kind: "unset" } : { kind: "text", text };
}

export function listOf(items: readonly string[] | undefined): Value {
  return items ? { kind: "list", items } : UNKNOWN;
}

export function listLength(items: readonly string[] | undefined): Value {
  return items ? { kind: "text", text: String(items.length) } : UNKNOWN;
}
