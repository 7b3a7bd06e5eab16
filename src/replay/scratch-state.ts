import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Database } from "../state/database.ts";
import type { Row } from "../state/driver.ts";
import type { ScopeKind } from "../state/grounds.ts";
import { HOME_SCOPE, projectScope, type SessionRef, sessionScope } from "../state/stores.ts";

const BUSY_MS = 1_000;
const MIRRORS = "mirrors";
/** `is_written` of an export that was held back; see ../state/exported-files.ts. */
const HELD = 2;
const SCOPES = ["session", "project", "home"] as const;

interface Known {
  /** The revision that the next event of this scope must find. */
  next: number | undefined;
  /** Somebody who is not replayed wrote here, so what the replay has may not be what there was. */
  isLost: boolean;
}

/**
 * The state that the replayed events build up, in a file that is removed at the end. It remembers in which scopes it can
 * no longer be what it was: something other than a replayed event wrote there, or an event that could not be decided.
 */
export class ScratchState extends Database {
  readonly #folder: string;
  readonly #known = new Map<string, Known>();
  #onMissing: ((name: string) => void) | undefined;
  #facts: ReadonlyMap<string, unknown> = new Map();

  constructor() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-replay-"));
    super(path.join(folder, "state.db"), BUSY_MS);
    this.#folder = folder;
    this.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 4000");
  }

  /** From now on, reads of state that is not what it was are told to `onMissing`. */
  watch(onMissing: (name: string) => void, facts: Readonly<Record<string, unknown>>): void {
    this.#onMissing = onMissing;
    this.#facts = new Map(Object.entries(facts));
  }

  unwatch(): void {
    this.#onMissing = undefined;
  }

  /** Compares what the event found with what the replay has, before the event is decided. */
  meet(ref: SessionRef, revision: string, isFirst: boolean): void {
    const found = revision.split(".").map(Number);
    for (const [index, kind] of SCOPES.entries()) {
      const known = this.#of(scopeOf(kind, ref));
      const expected = known.next ?? 0;
      if (found[index] !== expected || (kind === "session" && known.next === undefined && !isFirst))
        known.isLost = true;
      known.next = found[index];
    }
  }

  /** The event has changed these scopes, and so the revisions that the next event finds. */
  leave(ref: SessionRef, wrote: readonly ScopeKind[]): void {
    for (const kind of wrote) {
      const known = this.#of(scopeOf(kind, ref));
      known.next = (known.next ?? 0) + 1;
    }
  }

  /** The replay could not do what the event did to these scopes. */
  lose(ref: SessionRef, kinds: readonly ScopeKind[]): void {
    for (const kind of kinds) this.#of(scopeOf(kind, ref)).isLost = true;
  }

  isLost(scope: string): boolean {
    return this.#known.get(scope)?.isLost === true;
  }

  /** Scopes that no revision is kept for are lost as soon as anybody has written there. */
  loseScope(scope: string): void {
    this.#of(scope).isLost = true;
  }

  override recall(kind: Parameters<Database["recall"]>[0], sql: string, ...values: string[]): Row | undefined {
    if (kind === "entries") this.#look(values[0] ?? "");
    const row = super.recall(kind, sql, ...values);
    return kind === MIRRORS ? this.#mirror(row, values[0] ?? "") : row;
  }

  override all(...[sql, ...values]: Parameters<Database["all"]>): Row[] {
    if (/\bFROM entries\b/.test(sql)) this.#look(String(values[0]));
    return super.all(sql, ...values);
  }

  #look(scope: string): void {
    if (this.#onMissing && this.isLost(scope)) this.#onMissing(`state:${scope}`);
  }

  /** An export counts as it was left, unless somebody else has changed the file since. */
  #mirror(row: Row | undefined, file: string): Row | undefined {
    if (this.#onMissing && this.isLost(HOME_SCOPE)) this.#onMissing(`state:${HOME_SCOPE}`);
    if (row === undefined) return row;
    const fact = `file:${file}`;
    const isOther = this.#facts.has(fact) && (this.#facts.get(fact) ?? null) !== row.content;
    if (isOther) this.#onMissing?.(`state:${file}`);
    return row.is_written === HELD ? { ...row, is_written: 0 } : row;
  }

  #of(scope: string): Known {
    const known = this.#known.get(scope) ?? { next: undefined, isLost: false };
    this.#known.set(scope, known);
    return known;
  }

  remove(): void {
    this.close();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

function scopeOf(kind: ScopeKind, ref: SessionRef): string {
  return kind === "session" ? sessionScope(ref) : kind === "project" ? projectScope(ref) : HOME_SCOPE;
}
