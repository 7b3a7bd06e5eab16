import type * as Zod from "zod";
import { EFFECT_KINDS, type EffectKind } from "../../effects/effect.ts";
import { ANSWERS, ON_LOSS } from "./answer-effects.ts";

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

/** What to answer to losses inside the project, and the limits of a snapshot. */
export function snapshotOptions(z: typeof Zod) {
  return {
    onLoss: z
      .enum(ON_LOSS)
      .default("ask")
      .describe(
        "What to answer when a command would lose work inside the project: refuse it, ask, or keep a snapshot for " +
          "`hookwright undo` and let it run. A setting for the kind itself takes precedence.",
      )
      .meta({ tighter: "up", order: ON_LOSS }),
    snapshotMegabytes: z
      .number()
      .min(1)
      .default(200)
      .describe("The largest snapshot; above this size a person is asked.")
      .meta({ tighter: "down" }),
    snapshotMilliseconds: z
      .number()
      .min(100)
      .max(2_500)
      .default(1_500)
      .describe("How long a snapshot may take; when it would take longer a person is asked.")
      .meta({ tighter: "down" }),
  };
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
        until: z.iso.date().optional().describe("The day from which the allowance no longer applies."),
      }),
    )
    .default([])
    .describe("Losses that are allowed for a reason.")
    .meta({ tighter: "none" });
}
