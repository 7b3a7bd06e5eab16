import type { Database } from "./database.ts";
import type { Row } from "./driver.ts";
import { maskJson } from "./masking.ts";

/** The circumstances of a decision that mostly stay the same during a session. */
export interface Origin {
  /** The build that decided. */
  readonly build: string;
  /** Identifies the configuration that was in force. */
  readonly config: string;
  /** The arguments of the registration. */
  readonly args: readonly string[];
  /** The environment of the hook. */
  readonly env: Readonly<Record<string, string>>;
  /** What the person was told about the environment; mostly nothing. */
  readonly notice: string;
  readonly userHome: string;
  /** The folder of our own state, and the person's configuration. */
  readonly home: string;
  readonly personConfig: string;
  /** The folder of the build. */
  readonly programs: string;
  readonly tempDir: string;
  readonly uid: number;
  /** Decided by the daemon. */
  readonly isResident: boolean;
}

/** Masking goes over the whole environment, so the result is kept for the events that follow. */
const masked = new Map<string, string>();
const MOST_MASKED = 200;

/** An origin as it is stored, without secrets. */
export function originText(origin: Origin): string {
  const text = JSON.stringify(origin);
  let known = masked.get(text);
  if (known === undefined) {
    known = JSON.stringify(maskJson(JSON.parse(text)));
    if (masked.size >= MOST_MASKED) masked.clear();
    masked.set(text, known);
  }
  return known;
}

/** The number under which an origin is stored. */
export function originId(db: Database, content: string): number {
  const known = db.recall("origins", "SELECT id FROM origins WHERE content = ?", content);
  return known ? Number(known.id) : db.insert("INSERT INTO origins (content) VALUES (?)", content);
}

/** Undefined for entries of builds that recorded none, and for entries that are no events. */
export function originIn(db: Database, { origin }: Row): Origin | undefined {
  if (typeof origin !== "number") return undefined;
  const row = db.get("SELECT content FROM origins WHERE id = ?", origin);
  return row && (JSON.parse(String(row.content)) as Origin);
}

/** Origins that no entry has. The search goes over the whole journal, so it is made without the write lock. */
export function unusedOrigins(db: Database): number[] {
  const used = new Set(db.all("SELECT DISTINCT origin FROM journal WHERE origin IS NOT NULL").map((row) => row.origin));
  return db
    .all("SELECT id FROM origins")
    .map((row) => Number(row.id))
    .filter((id) => !used.has(id));
}

/** An event may have been recorded with an unused one meanwhile; then it can no longer be replayed. */
export function forgetOrigins(db: Database, ids: readonly number[]): void {
  for (const id of ids) db.run("DELETE FROM origins WHERE id = ?", id);
}
