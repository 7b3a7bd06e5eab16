import type * as Zod from "zod";
import { DEFAULT_ROUNDS, MODES, type ModeName } from "./modes.ts";

/** How a mode holds a stop: as context, which the agent shows to nobody as an error, or as a block. */
export function stopOption(z: typeof Zod) {
  return z
    .enum(["soft", "hard"])
    .default("soft")
    .describe("How a running mode holds a stop: as context for the model (`soft`) or as a block (`hard`).")
    .meta({ tighter: "up", order: ["soft", "hard"] });
}

/** Who may start a mode. */
export function startedByOption(z: typeof Zod) {
  return z
    .enum(["anyone", "person"])
    .default("person")
    .describe("Who may start a mode: only a person (`person`), or the model as well (`anyone`).")
    .meta({ tighter: "up", order: ["anyone", "person"] });
}

/** How many rounds a run may go on. */
export function limitsOption(z: typeof Zod) {
  const rounds = (mode: ModeName) => z.int().min(1).max(1_000).default(DEFAULT_ROUNDS[mode]);
  return z
    .strictObject(
      Object.fromEntries(MODES.map((mode) => [mode, rounds(mode)])) as Record<ModeName, ReturnType<typeof rounds>>,
    )
    .partial()
    .default({})
    .describe("How many rounds a run of each mode goes on before it pauses.")
    .meta({ tighter: "none" });
}

export function modeOptions(z: typeof Zod) {
  return z.object({ stop: stopOption(z) });
}
