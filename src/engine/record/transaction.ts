import type { Reply } from "../../core/frame.ts";
import type { Ports } from "../../core/ports.ts";
import type { Database } from "../../state/database.ts";
import { isCorrupt } from "../../state/driver.ts";
import { crashPoint } from "../../system/crash-point.ts";
import { MARGIN_MS } from "../decide/decision.ts";
import type { Lock } from "../receive/queue.ts";
import { notRecorded } from "./state-file.ts";

/** What a write came to. `changed`: somebody else wrote in between, so the decision has to be made again. */
export type Written =
  | {
      readonly kind: "written";
      readonly jobs: readonly number[];
      readonly hasExports: boolean;
      /** The permission request whose answer the client is to wait for. */
      readonly request?: number | undefined;
      /** What went wrong outside of the database, in words. */
      readonly problem?: string;
    }
  | { readonly kind: "known"; readonly reply: Reply }
  | { readonly kind: "changed" };

/** A sentence instead when the event could not be recorded; the decision stands all the same. */
export type Committed = Exclude<Written, { kind: "changed" }> | string;

export interface TransactionOptions {
  readonly homeRoot: string;
  readonly ports: Pick<Ports, "now">;
  /** Keeps other events of this process from writing through the same connection. */
  readonly lock: Lock;
  /** Told that others kept the lock until the deadline. What it returns is said instead of that the event is lost. */
  onLocked?: (() => string | undefined) | undefined;
  /** Told what kept an event from being recorded, unless the database is damaged. */
  onFailure(error: unknown): void;
}

interface Attempt<D> {
  readonly decided: D;
  /** Called inside the transaction. */
  write(): Written;
}

export interface Transactions {
  /**
   * Decides and writes, again and again until nobody else has written in between. The last try decides while it holds
   * the write lock. Undefined when the attempt finds that there is nothing to decide.
   */
  decideAndCommit<D>(
    db: Database,
    tries: number,
    deadline: number,
    attempt: () => Promise<Attempt<D> | undefined>,
  ): Promise<{ readonly decided: D; readonly committed: Committed } | undefined>;
  commit<W extends Written>(db: Database, write: () => W, deadline: number): Promise<W | string>;
}

export function openTransactions({ homeRoot, ports, lock, onLocked, onFailure }: TransactionOptions): Transactions {
  async function decideAndCommit<D>(
    db: Database,
    tries: number,
    deadline: number,
    attempt: () => Promise<Attempt<D> | undefined>,
  ): Promise<{ readonly decided: D; readonly committed: Committed } | undefined> {
    for (let number = 1; ; number = Math.min(number + 1, tries)) {
      const unlock = number === tries ? await beginLast(db) : undefined;
      try {
        const made = await attempt();
        if (!made) {
          if (unlock) db.exec("ROLLBACK");
          return undefined;
        }
        const write = (): Written => {
          const written = made.write();
          crashPoint(homeRoot, "before-commit");
          return written;
        };
        const committed = unlock ? commitOpen(db, write) : await commit(db, write, deadline);
        crashPoint(homeRoot, "after-commit");
        if (typeof committed === "string" || committed.kind !== "changed") return { decided: made.decided, committed };
      } catch (error) {
        if (unlock) db.rollBack();
        throw error;
      } finally {
        unlock?.();
      }
    }
  }

  /** The last try decides while nobody else can write. Without the write lock it goes on like the tries before it. */
  async function beginLast(db: Database): Promise<(() => void) | undefined> {
    const unlock = await lock();
    if (db.begin()) return unlock;
    unlock();
    return undefined;
  }

  async function commit<W extends Written>(db: Database, write: () => W, deadline: number): Promise<W | string> {
    while (true) {
      const unlock = await lock();
      try {
        const done = db.transaction(write);
        if (done) return done.value;
      } catch (error) {
        return failure(error);
      } finally {
        unlock();
      }
      if (ports.now() >= deadline - MARGIN_MS)
        return onLocked?.() ?? notRecorded(new Error("the database stayed locked"));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** For a transaction that is open already. */
  function commitOpen<W extends Written>(db: Database, write: () => W): W | string {
    try {
      const result = write();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      db.rollBack();
      return failure(error);
    }
  }

  /** What a damaged database could not take is written again into the one that replaces it, so that error goes on. */
  function failure(error: unknown): string {
    if (isCorrupt(error)) throw error;
    onFailure(error);
    return notRecorded(error);
  }

  return { decideAndCommit, commit };
}
