import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { PolicyMode } from "../core/settings/config.ts";

/**
 * The direction in which an option gets stricter; `none`: a project may not set it without trust; `person`: no project
 * may set it, not even a trusted one.
 */
export type Tighter = "up" | "down" | "union" | "none" | "person";

declare module "zod" {
  interface GlobalMeta {
    /** The direction in which a project may change the option without trust; left out means `none`. */
    tighter?: Tighter;
    /** For an option with several words: the words from the lowest to the highest. */
    order?: readonly string[];
  }
}

export interface TightenResult {
  readonly value: unknown;
  /** True when the value was refused and the previous one stays. */
  readonly refused: boolean;
}

const STRICTNESS: Record<PolicyMode, number> = { off: 0, observe: 1, enforce: 2 };

export function tightenMode(before: PolicyMode, wanted: PolicyMode): { value: PolicyMode; refused: boolean } {
  const isLooser = STRICTNESS[wanted] < STRICTNESS[before];
  return { value: isLooser ? before : wanted, refused: isLooser };
}

/** The value in force after a file that may only tighten asked for another one. */
export function tightenOption(option: z.ZodType, before: unknown, wanted: unknown): TightenResult {
  const refused: TightenResult = { value: before, refused: true };
  if (isDeepStrictEqual(before, wanted)) return { value: before, refused: false };
  const { tighter, order } = directionOf(option);
  if (tighter === "none" || tighter === "person") return refused;
  if (tighter === "union") {
    if (!Array.isArray(before) || !Array.isArray(wanted)) return refused;
    const added = wanted.filter((item: unknown) => !before.some((old: unknown) => isDeepStrictEqual(old, item)));
    const all: unknown[] = [...before, ...added];
    // Two valid lists may be too long when joined.
    return option.safeParse(all).success ? { value: all, refused: false } : refused;
  }
  const from = rankOf(before, order);
  const to = rankOf(wanted, order);
  // An option that may be left out limits nothing until it is set.
  if (before === undefined && to !== undefined && tighter === "down" && option.safeParse(undefined).success) {
    return { value: wanted, refused: false };
  }
  if (from === undefined || to === undefined) return refused;
  return (tighter === "up" ? to > from : to < from) ? { value: wanted, refused: false } : refused;
}

/** Also looks inside wrapper types, so that `.meta()` may be anywhere in the chain. */
export function directionOf(option: z.ZodType): { readonly tighter: Tighter; readonly order: readonly string[] } {
  for (let at: z.core.$ZodType | undefined = option; at !== undefined; at = innerOf(at)) {
    const meta = (at as z.ZodType).meta();
    if (meta?.tighter !== undefined) return { tighter: meta.tighter, order: meta.order ?? [] };
  }
  return { tighter: "none", order: [] };
}

/** The type inside of a wrapper such as `optional` or `default`. */
export function innerOf(option: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = option._zod;
  return "innerType" in def ? (def.innerType as z.core.$ZodType) : undefined;
}

function rankOf(value: unknown, order: readonly string[]): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  const rank = typeof value === "string" ? order.indexOf(value) : -1;
  return rank < 0 ? undefined : rank;
}
