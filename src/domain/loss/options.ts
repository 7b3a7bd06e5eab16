import type * as Zod from "zod";
import { EFFECT_KINDS, type EffectKind } from "../../shell/effects/effect.ts";
import { ANSWERS } from "./weigh.ts";

/** One option for each kind of effect: what to answer. */
export function kindOptions(z: typeof Zod) {
  const answer = (what: string) =>
    z
      .enum(ANSWERS)
      .default("standard")
      .describe(`What to answer when a command ${what}.`)
      .meta({ tighter: "up", order: ANSWERS });
  const kinds = Object.entries(EFFECT_KINDS).map(([kind, what]) => [kind, answer(what)]);
  return Object.fromEntries(kinds) as Record<EffectKind, ReturnType<typeof answer>>;
}

export function allowOption(z: typeof Zod) {
  return z
    .array(
      z.object({
        kind: z.enum(Object.keys(EFFECT_KINDS) as [EffectKind, ...EffectKind[]]),
        target: z
          .string()
          .min(1)
          .describe("What may be hit, as a pattern: `*` is anything but a slash, `**` anything."),
        reason: z.string().min(1).describe("Why; shown to whoever asks."),
        until: z.iso.date().optional().describe("The day from which it no longer counts."),
      }),
    )
    .default([])
    .describe("Losses that are allowed for a reason.")
    .meta({ tighter: "none" });
}
