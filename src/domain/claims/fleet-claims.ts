import { isObject, type Json } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";

/** A file that a session on another machine holds. Times are by the clock of this machine. */
export type FleetClaim = {
  readonly machine: string;
  readonly agent: string;
  readonly session: string;
  readonly at: number;
  readonly expiresAt: number;
};

type Row = FleetClaim & {
  /** The sessions that were told of it. */
  readonly told: readonly string[];
};

const MOST_TOLD = 16;

/**
 * What other machines hold in a project, with the real path of the file here as key. The link to the fleet writes it; a
 * decision only reads it, and waits for nobody.
 */
export class FleetClaims {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  of(file: string, now: number): FleetClaim | undefined {
    const row = this.#row(file);
    return row && now < row.expiresAt ? row : undefined;
  }

  wasTold(file: string, session: string): boolean {
    return this.#row(file)?.told.includes(session) ?? false;
  }

  markTold(file: string, session: string): void {
    const row = this.#row(file);
    if (row) this.#table.set(file, { ...row, told: [...row.told, session].slice(-MOST_TOLD) } as unknown as Json);
  }

  all(): ReadonlyMap<string, FleetClaim> {
    if (this.#table.isEmpty()) return new Map();
    return new Map(
      this.#table.keys().flatMap((file) => {
        const row = this.#row(file);
        return row ? [[file, row] as const] : [];
      }),
    );
  }

  set(file: string, claim: FleetClaim): void {
    const before = this.#row(file);
    const isSame = before?.machine === claim.machine && before.session === claim.session;
    this.#table.set(file, { ...claim, told: isSame ? before.told : [] } as unknown as Json);
  }

  delete(file: string): void {
    this.#table.delete(file);
  }

  #row(file: string): Row | undefined {
    const row = this.#table.isEmpty() ? undefined : this.#table.get(file);
    return isObject(row) ? (row as unknown as Row) : undefined;
  }
}

export const fleetClaims = defineStore({
  name: "fleet-claims",
  scope: "project",
  open: (table) => new FleetClaims(table),
});
