import type { VerdictKind } from "./verdict.ts";

/**
 * Where in the order a policy stands, what it may say there, and what its failure means.
 * The order decides which denial supplies the headline and which notes survive.
 */
interface StageRow {
  readonly order: number;
  readonly verdicts: readonly VerdictKind[];
  /** What an error, a late answer or an unreadable event body means at a guarded event. */
  readonly onError: "deny" | "ask" | "nothing";
}

const ADVISER: readonly VerdictKind[] = ["note", "notice", "rewrite", "watch", "environment"];
const GUARD: readonly VerdictKind[] = ["deny", "ask", "hold", "release", "approve", "wait", "end", ...ADVISER];
const RECORDER: readonly VerdictKind[] = ["notice"];

export const STAGES = {
  security: { order: 1, verdicts: GUARD, onError: "deny" },
  destructive: { order: 2, verdicts: GUARD, onError: "ask" },
  ntm: { order: 3, verdicts: GUARD, onError: "nothing" },
  spawn: { order: 4, verdicts: GUARD, onError: "nothing" },
  scope: { order: 5, verdicts: GUARD, onError: "ask" },
  session: { order: 6, verdicts: GUARD, onError: "nothing" },
  overflow: { order: 7, verdicts: GUARD, onError: "nothing" },
  heartbeat: { order: 8, verdicts: GUARD, onError: "nothing" },
  directives: { order: 9, verdicts: GUARD, onError: "nothing" },
  delegation: { order: 10, verdicts: GUARD, onError: "nothing" },
  advice: { order: 11, verdicts: ADVISER, onError: "nothing" },
  recorder: { order: 12, verdicts: RECORDER, onError: "nothing" },
} as const satisfies Record<string, StageRow>;

export type StageName = keyof typeof STAGES;
