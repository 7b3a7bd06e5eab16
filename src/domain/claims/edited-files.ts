import { isObject, type Json } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import { type Claim, liveClaims } from "./claim.ts";

/** The claim of a session on a file that it has edited. It keeps nobody from editing: others are told, once each. */
export type EditClaim = Claim & {
  /** The agent's name, such as `claude-code`. */
  readonly agent: string;
  readonly at: number;
  readonly expiresAt: number;
};

type Row = {
  readonly claims: readonly EditClaim[];
  /** The sessions that were told of the file. */
  readonly told: readonly string[];
};

const SOURCE = "an edit";
/** More sessions than this on one file are not told apart. */
const MOST_SESSIONS = 16;
const RENEW_MS = 60_000;
const NOTHING: Row = { claims: [], told: [] };

/** Which sessions of a project have edited which files lately. Rows have the real path of the file as their key. */
export class EditedFiles {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The last edit of the file by another session, if this session was not told of one before. */
  untold(file: string, session: string, now: number): EditClaim | undefined {
    const { claims, told } = this.#row(file);
    if (told.includes(session)) return undefined;
    const others = liveClaims(claims, now).filter(({ owner }) => owner !== session);
    return others.reduce<EditClaim | undefined>((last, one) => (last && last.at > one.at ? last : one), undefined);
  }

  markTold(file: string, session: string): void {
    const { claims, told } = this.#row(file);
    this.#save(file, { claims, told: [...told, session] });
  }

  /** Of several edits within a minute only the first is written down. */
  claim(file: string, { session, agent }: { session: string; agent: string }, now: number, ms: number): void {
    const { claims, told } = this.#row(file);
    const own = claims.find(({ owner }) => owner === session);
    if (own && now - own.at < RENEW_MS) return;
    const live = liveClaims(claims, now);
    const others = live.filter(({ owner }) => owner !== session);
    const mine = { owner: session, pattern: file, source: SOURCE, agent, at: now, expiresAt: now + ms };
    // Who was told hears of the file again after all edits of it have expired.
    this.#save(file, { claims: [...others, mine], told: live.length === 0 ? [] : told });
  }

  /** A session that has ended edits nothing any more. What has expired goes with it. */
  release(session: string, now: number): void {
    if (this.#table.isEmpty()) return;
    for (const file of this.#table.keys()) {
      const { claims, told } = this.#row(file);
      const left = liveClaims(claims, now).filter(({ owner }) => owner !== session);
      if (left.length === 0) this.#table.delete(file);
      else if (left.length < claims.length) this.#save(file, { claims: left, told });
    }
  }

  #row(file: string): Row {
    const row = this.#table.isEmpty() ? undefined : this.#table.get(file);
    return isObject(row) ? (row as unknown as Row) : NOTHING;
  }

  #save(file: string, { claims, told }: Row): void {
    const row = { claims: claims.slice(-MOST_SESSIONS), told: told.slice(-MOST_SESSIONS) };
    this.#table.set(file, row as unknown as Json);
  }
}

export const editedFiles = defineStore({
  name: "edited-files",
  scope: "project",
  open: (table) => new EditedFiles(table),
});
