import type * as z from "zod";
import type { PolicyMode } from "../core/config.ts";

/** Which way an option gets stricter; `none`: a project may not set it at all. */
export type Tighter = "up" | "down" | "union" | "none";

const STRICTNESS: Record<PolicyMode, number> = { off: 0, observe: 1, enforce: 2 };

export function strictestMode(a: PolicyMode, b: PolicyMode): PolicyMode {
  return STRICTNESS[a] >= STRICTNESS[b] ? a : b;
}

export function tighterOf(option: z.ZodType): Tighter {
  const declared = option.meta()?.tighter;
  return declared === "up" || declared === "down" || declared === "union" ? declared : "none";
}

/** The person's options with a project's laid over them, each only in the direction that makes it stricter. */
export function tighten(
  schema: z.ZodObject,
  person: Readonly<Record<string, unknown>>,
  project: Readonly<Record<string, unknown>>,
  refuse: (key: string) => void,
): Record<string, unknown> {
  const defaults = schema.parse(person) as Record<string, unknown>;
  const result: Record<string, unknown> = { ...person };
  for (const [key, value] of Object.entries(project)) {
    const option = schema.shape[key] as z.ZodType | undefined;
    const before = defaults[key];
    const stricter = option && strictest(tighterOf(option), before, value);
    if (stricter === undefined) refuse(key);
    else result[key] = stricter;
  }
  return result;
}

function strictest(tighter: Tighter, before: unknown, value: unknown): unknown {
  if (tighter === "union" && Array.isArray(before) && Array.isArray(value)) return [...new Set([...before, ...value])];
  if (typeof before === "number" && typeof value === "number") {
    if (tighter === "up") return Math.max(before, value);
    if (tighter === "down") return Math.min(before, value);
  }
  if (typeof before === "boolean" && typeof value === "boolean") {
    if (tighter === "up") return before || value;
    if (tighter === "down") return before && value;
  }
  return undefined;
}
