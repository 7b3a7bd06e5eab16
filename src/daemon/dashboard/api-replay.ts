/** What a replay is told about: POST /api/replay {since, config?, policy?, profile?} streams `ReplayProgress`, a JSON line each. */

export interface ReplaySummary {
  readonly replayed: number;
  /** Something that was not recorded would decide. */
  readonly undecidable: number;
  /** The event itself was not recorded completely. */
  readonly notReplayable: number;
  readonly newlyDenied: number;
  readonly newlyAsked: number;
  readonly newlyAllowed: number;
  /** The agent would have been kept from stopping. */
  readonly newlyHeld: number;
  readonly changedContext: number;
}

export type ReplayProgress =
  | { readonly kind: "progress"; readonly done: number; readonly all: number }
  | { readonly kind: "done"; readonly summary: ReplaySummary; readonly samples: readonly ReplaySample[] }
  | { readonly kind: "failed"; readonly error: string };

export interface ReplaySample {
  readonly id: number;
  readonly policy: string;
  readonly change: "newly denied" | "newly asked" | "newly allowed" | "newly held" | "changed context";
  readonly subject: string;
  readonly before: string;
  readonly after: string;
  /** What happened afterwards: kept, failed, undone, refused by the person; or "". */
  readonly outcome: string;
}
