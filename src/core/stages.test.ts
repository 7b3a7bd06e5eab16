/** What it means at each stage when a policy fails, written down once more, so that no change of it goes unnoticed. */
import { expect, it } from "vitest";
import { shell } from "../testing/events.ts";
import { merge } from "./ruling.ts";
import { STAGES, type StageName } from "./stages.ts";

const CLOSED: Readonly<Partial<Record<StageName, string>>> = { security: "deny", destructive: "ask", scope: "ask" };

it.each((Object.keys(STAGES) as StageName[]).map((stage) => [stage, CLOSED[stage] ?? "pass"]))(
  "a policy of the stage %s that fails before a call: %s",
  (stage, outcome) => {
    const failed = { id: "p/broken", stage: stage as StageName, mode: "enforce" as const, verdicts: [], error: "boom" };
    const { outcome: answer } = merge(shell("ls"), [{ ...failed, microseconds: 1 }], () => ({ held: [], notice: "" }));
    expect(answer).toBe(outcome);
  },
);
