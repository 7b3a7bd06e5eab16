import type { JsonObject } from "../../core/event.ts";
import type { BoardCounts } from "../../core/ports.ts";
import type { ModeFiles } from "./files/exports.ts";
import type { ModeRun } from "./mode-run.ts";
import type { ModeName } from "./modes.ts";

/** The type of a field in a mode's state; a field whose type ends in `?` may be missing or null. */
export type FieldType =
  | "text"
  | "number"
  | "flag"
  | "list"
  | "object"
  | "text?"
  | "number?"
  | "flag?"
  | "list?"
  | "object?";

/** How a mode reads the outside, the same while deciding, while settling and on the command line. */
export interface ModeReader {
  /** The project's root folder. */
  readonly project: string;
  readonly now: number;
  /** What `digest` returns for a text file; undefined when there is none. `about` names the question. */
  text<T>(file: string, about: string, digest: (text: string) => T): T | undefined;
  /** The project's task board; undefined when it has none. */
  board(): BoardCounts | undefined;
}

/** What a person asked for when a mode was started. */
export interface StartRequest {
  readonly mode: ModeName;
  readonly request: string;
  /** ultraqa: what has to succeed, and by which command. */
  readonly goal?: string;
  readonly command?: string;
  /** The folder that the person works in, where it may be another one than the project's root. */
  readonly folder?: string;
  /** How many rounds the run will have, where that is settled already. */
  readonly limit?: number;
  /** swarm: how many agents. */
  readonly agents?: number;
  /** pipeline: a preset, or stages such as `explore -> architect`. */
  readonly stages?: string;
}

/** A stop of the main agent, as far as a mode looks at it. */
export interface StopView {
  readonly lastMessage: string;
  readonly now: number;
  /** How many subagents and teammates still run. */
  readonly runningAgents?: number;
  /** Modes that hold stops of this session as well, and that this run did not start. */
  readonly beside?: readonly ModeName[];
}

/** A mode that another one starts, with its details. */
export interface Child {
  readonly mode: ModeName;
  readonly details: JsonObject;
  readonly limit: number;
  /** Another child that it helps, and that is started before it. */
  readonly parent?: ModeName;
}

/**
 * What a stop means for a run.
 * - hold: the agent goes on, and reads `text`
 * - end: the run is over, and the person reads `text`
 * - pause: the run stays, holds nothing, and the person reads `text`
 */
export interface Step {
  readonly kind: "hold" | "end" | "pause";
  readonly text: string;
  /** For `end`: done, failed, unverified, … */
  readonly outcome?: string;
  /** The run after this stop, without the counting of rounds. */
  readonly run: ModeRun;
  /** Runs that this one started, after this stop. */
  readonly children?: readonly ModeRun[];
  /** The one of `children` whose text is part of this one: a round of this run is also one of that child. */
  readonly driven?: ModeName;
  /** Modes that this one starts now. */
  readonly begins?: readonly Child[];
  /** Modes that this one started and that end now, each with its outcome. */
  readonly finishes?: readonly { readonly mode: ModeName; readonly outcome: string }[];
  /** A line for the person: a new phase, a finished story. */
  readonly news?: string;
}

/** One mode: what it stores, what it reads, and what a stop means. Pure, but for what the reader gives. */
export interface ModeMachine {
  readonly mode: ModeName;
  /** The fields of `details`. */
  readonly fields: Readonly<Record<string, FieldType>>;
  /** The details of a new run; throws a HookwrightError for a request that cannot be started. */
  begin(start: StartRequest, reader: ModeReader): JsonObject;
  /** The phase that a new run begins with. */
  readonly firstPhase?: string;
  /** The modes that are started together with it. */
  companions?(start: StartRequest): readonly StartRequest[];
  /** Writes the files that the mode needs at its start, beside its state. */
  atStart?(run: ModeRun, files: ModeFiles): void;
  /** Completes "goes on until …" for the person. */
  until(run: ModeRun): string;
  /** What the model is told at the start and after a compaction: how this mode works, and which signals count. */
  guide(run: ModeRun, reader: ModeReader): string;
  step(run: ModeRun, stop: StopView, reader: ModeReader, children: readonly ModeRun[]): Step;
  /** For tables and the status line, such as `2 of 5 stories`; empty when there is nothing to count. */
  progress(run: ModeRun, reader: ModeReader): string;
  /** The last message of a subagent; the run after it, or undefined when it means nothing here. */
  heard?(run: ModeRun, agentType: string, message: string, reader: ModeReader): ModeRun | undefined;
}
