import type { Ports } from "../core/ports.ts";
import type { Chunks } from "./chunks.ts";
import type { TransactionOptions } from "./record/transaction.ts";

export interface EngineOptions extends Chunks, Pick<TransactionOptions, "onLocked"> {
  readonly home: string;
  readonly build: string;
  readonly ports: Ports;
  /** The file that a worker for a project's own policies is started from. */
  readonly policyWorker: string;
  /** How long one try for the write lock may block; the daemon tries again without blocking others. */
  busyMs(deadline: number): number;
  /** An event whose turn comes after its deadline is dropped: the client has decided by itself by then. */
  readonly dropsLate?: boolean;
  /** Told the ids of jobs that an event has left behind, once they are committed. */
  onJobs(ids: readonly number[]): void;
  /** A copy of the state, decided on in place of the home's own, which stays as it is. */
  readonly databaseFile?: string;
  /** Writes nothing to the disk beside the state: no cache of the configuration. */
  readonly readOnly?: boolean;
  /** Set in the daemon, which can do work that a hook cannot wait for. */
  readonly isResident?: boolean;
}
