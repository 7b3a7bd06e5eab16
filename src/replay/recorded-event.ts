import type { Json } from "../core/event.ts";
import type { Reply } from "../core/frame.ts";
import type { Config } from "../core/settings/config.ts";
import type { Grounds } from "../state/grounds.ts";
import type { Origin } from "../state/origins.ts";

/** What one policy said then. */
export interface RecordedResult {
  readonly policy: string;
  readonly fate: string;
  readonly error?: string;
  readonly verdicts: readonly { readonly kind: string; readonly text: string }[];
}

/** What became of a call after it was decided, which tells a false alarm from a true one. */
export const AFTERWARDS = ["kept", "failed", "undone", "refused", "stopped", "unknown"] as const;
export type Afterwards = (typeof AFTERWARDS)[number];

/** One event with what was known when it was decided, from the journal, a fixture or a transcript. */
export interface RecordedEvent {
  /** The number of its entry; of a transcript, its line. */
  readonly id: number;
  readonly at: number;
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
  readonly event: string;
  readonly agentEvent: string;
  readonly tool: string;
  readonly toolUseId: string;
  readonly key: string;
  /** As JSON, as far as it was kept. */
  readonly body: string;
  readonly origin: Origin | undefined;
  readonly grounds: Grounds | undefined;
  /** Undefined: they were too large to be kept. */
  readonly facts: Readonly<Record<string, Json>> | undefined;
  /** No facts were recorded at all, because another program wrote this; what is mostly usual counts as usual. */
  readonly assumesUsual?: boolean;
  readonly ruling: string;
  readonly policy: string;
  readonly reason: string;
  readonly results: readonly RecordedResult[];
  /** Undefined: Hookwright was not asked. */
  readonly reply: Reply | undefined;
  /** Undefined: to be looked up when it is needed. */
  readonly afterwards?: Afterwards;
  /** Events before the time that was asked for only rebuild the state. */
  readonly isWarmUp: boolean;
  /** The configuration that a fixture was saved with. */
  readonly config?: Config;
}
