/** The messages between the engine and the worker. Both sides are of one build. */
import type { Actor } from "../../core/actor.ts";
import type { AnyEvent, EventName, ToolKind } from "../../core/event.ts";
import type { Places } from "../../core/policy.ts";
import type { StageName } from "../../core/stages.ts";
import type { Candidate } from "./policy-folder.ts";

/** A worker begins with this, and loads the candidates in their order. */
export interface WorkerInput {
  readonly folder: string;
  /** The text of every file, by its name in the folder: the worker reads nothing from the disk. */
  readonly files: ReadonlyMap<string, string>;
  readonly candidates: readonly Candidate[];
  /**
   * One 32-bit number: which candidate is running right now, counted from 1, or 0. It can be read even while the worker
   * does not come back.
   */
  readonly running: SharedArrayBuffer;
}

/** What the engine needs to know of a policy to ask it. */
export interface LoadedPolicy {
  readonly id: string;
  readonly summary: string;
  readonly why: string;
  readonly stage: StageName;
  readonly events: readonly EventName[];
  readonly kinds?: readonly ToolKind[];
  readonly messages: Readonly<Record<string, string>>;
}

export interface LoadReport {
  readonly kind: "loaded";
  readonly policies: readonly LoadedPolicy[];
  readonly failed: readonly { readonly id: string; readonly why: string }[];
}

export interface Question {
  readonly batch: number;
  readonly ids: readonly string[];
  readonly event: AnyEvent;
  readonly actor: Actor;
  readonly places: Places;
  readonly now: number;
}

/** `said` is the value that the policy returned, if it could be sent. */
export type PolicyAnswer = { readonly said: unknown } | { readonly error: string };

export interface AnswerMessage {
  readonly kind: "answer";
  readonly batch: number;
  readonly id: string;
  readonly answer: PolicyAnswer;
}

/** How much memory the worker holds once it has nothing to do. */
export interface MemoryMessage {
  readonly kind: "memory";
  readonly bytes: number;
}

export type FromWorker = LoadReport | AnswerMessage | MemoryMessage;
