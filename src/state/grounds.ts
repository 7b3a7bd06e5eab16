import { maskedJson } from "./masking.ts";

/** What one decision was made on, beside its event, its facts and its origin. */
export interface Grounds {
  /** The revisions of the session, the project and the home before the event; see `Snapshot`. */
  readonly revision: string;
  /** Which of the three the event has changed. */
  readonly wrote: readonly ScopeKind[];
  /** The process that the agent's hook belongs to. */
  readonly pid: number;
  /** Nothing was known of the session before. */
  readonly isFirst?: true;
  /** What was looked at and not there, and what was as usual; see `Facts`. */
  readonly absent?: readonly string[];
  readonly usual?: readonly string[];
}

export type ScopeKind = "session" | "project" | "home";

export function groundsText(grounds: Grounds): string {
  return maskedJson(grounds);
}
