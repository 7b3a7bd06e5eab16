import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { PolicyMode } from "../core/settings/config.ts";

/** Which way an option gets stricter; `none`: a project may not set it at all. */
export type Tighter = "up" | "down" | "union" | "none";

declare module "zod" {
  interface GlobalMeta {
    /** In which direction a project may move the option by itself. Without it: not at all. */
    tighter?: Tighter;
    /** For an option that takes one of several words: the words, the one that counts least first. */
    order?: readonly string[];
  }
}

export interface Outcome {
  readonly value: unknown;
  /** The wish was not granted: the value is what it was before. */
  readonly refused: boolean;
}

const STRICTNESS: Record<PolicyMode, number> = { off: 0, observe: 1, enforce: 2 };

export function tightenMode(before: PolicyMode, wanted: PolicyMode): { value: PolicyMode; refused: boolean } {
  const isLooser = STRICTNESS[wanted] < STRICTNESS[before];
  return { value: isLooser ? before : wanted, refused: isLooser };
}

/** The value in force after somebody who may only tighten wished for another. */
export function tightenOption(option: z.ZodType, before: unknown, wanted: unknown): Outcome {
  const refused: Outcome = { value: before, refused: true };
  if (isDeepStrictEqual(before, wanted)) return { value: before, refused: false };
  const { tighter, order } = directionOf(option);
  if (tighter === "none") return refused;
  if (tighter === "union") {
    if (!Array.isArray(before) || !Array.isArray(wanted)) return refused;
    const added = wanted.filter((item: unknown) => !before.some((old: unknown) => isDeepStrictEqual(old, item)));
    const all: unknown[] = [...before, ...added];
    // Both lists may be valid and still be too long together.
    return option.safeParse(all).success ? { value: all, refused: false } : refused;
  }
  const from = rankOf(before, order);
  const to = rankOf(wanted, order);
  if (from === undefined || to === undefined) return refused;
  return (tighter === "up" ? to > from : to < from) ? { value: wanted, refused: false } : refused;
}

/** Looks through wrappers too, so that `.meta()` counts wherever in the chain it was written. */
export function directionOf(option: z.ZodType): { readonly tighter: Tighter; readonly order: readonly string[] } {
  for (let at: z.core.$ZodType | undefined = option; at !== undefined; at = innerOf(at)) {
    const meta = (at as z.ZodType).meta();
    if (meta?.tighter !== undefined) return { tighter: meta.tighter, order: meta.order ?? [] };
  }
  return { tighter: "none", order: [] };
}

function innerOf(option: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = option._zod;
  return "innerType" in def ? (def.innerType as z.core.$ZodType) : undefined;
}

function rankOf(value: unknown, order: readonly string[]): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  const rank = typeof value === "string" ? order.indexOf(value) : -1;
  return rank < 0 ? undefined : rank;
}
