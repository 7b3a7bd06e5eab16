/** Test data: a policy with an option of every kind, and an independent implementation of strictness. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { OptionSchemas } from "./read-settings.ts";

export const SYNTHETIC = "test/every-kind";

export const everyKind = z.object({
  least: z.number().default(3).meta({ tighter: "up" }),
  most: z.int().min(0).max(100).default(50).meta({ tighter: "down" }),
  strict: z.boolean().default(false).meta({ tighter: "up" }),
  lenient: z.boolean().default(true).meta({ tighter: "down" }),
  answer: z
    .enum(["once", "ask", "deny"])
    .default("ask")
    .meta({ tighter: "up", order: ["once", "ask", "deny"] }),
  patience: z
    .enum(["short", "long"])
    .default("long")
    .meta({ tighter: "down", order: ["short", "long"] }),
  listed: z.array(z.string()).default(["a"]).meta({ tighter: "union" }),
  few: z.array(z.number()).max(3).default([1, 2]).meta({ tighter: "union" }),
  rules: z
    .array(z.object({ path: z.string() }))
    .default([{ path: "x" }])
    .meta({ tighter: "union" }),
  text: z.string().default("x").meta({ tighter: "none" }),
  unsaid: z.number().default(1),
  unordered: z.enum(["p", "q"]).default("p").meta({ tighter: "up" }),
  inside: z.number().meta({ tighter: "up" }).default(5),
  sometimes: z.number().optional().meta({ tighter: "down" }),
  nested: z.object({ a: z.number().default(1) }).default({ a: 1 }),
});

export const SCHEMAS: OptionSchemas = new Map([
  [SYNTHETIC, everyKind],
  ["test/plain", z.object({})],
]);

interface Declared {
  readonly tighter: string;
  readonly order: readonly string[];
}

export function declared(option: z.ZodType): Declared {
  const { tighter, order } = option.meta() ?? {};
  if (tighter !== undefined) return { tighter, order: order ?? [] };
  const { def } = option as { def?: { innerType?: z.ZodType } };
  return def?.innerType ? declared(def.innerType) : { tighter: "none", order: [] };
}

/** Is `after` looser than `before`, according to the option's declaration? */
export function isLooser(option: z.ZodType, before: unknown, after: unknown): boolean {
  if (isDeepStrictEqual(before, after)) return false;
  const { tighter, order } = declared(option);
  if (tighter === "union") {
    if (!Array.isArray(before) || !Array.isArray(after)) return true;
    return !before.every((item) => after.some((other) => isDeepStrictEqual(item, other)));
  }
  const sign = tighter === "up" ? 1 : tighter === "down" ? -1 : undefined;
  if (sign === undefined) return true;
  // An option that may be left out limits nothing until it is set.
  if (tighter === "down" && before === undefined && option.safeParse(undefined).success) return false;
  const rank = (value: unknown): number => {
    if (typeof value === "number") return value * sign;
    if (typeof value === "boolean") return Number(value) * sign;
    return typeof value === "string" && order.includes(value) ? order.indexOf(value) * sign : Number.NaN;
  };
  return !(rank(after) >= rank(before));
}
