import type { Database } from "../../state/database.ts";
import type { Row } from "../../state/driver.ts";
import type { FleetClient } from "../connection/client.ts";

const MOST_ENTRIES = 500;
/** A batch is sent when it has so many characters, because entries can be long. */
const BATCH_CHARACTERS = 500_000;

const ENTRIES = `
SELECT id AS seq, at, agent, session, agent_id, project, event, agent_event, tool, ruling, policy, reason, microseconds, body
FROM journal WHERE id > ? AND id <= ? ORDER BY id LIMIT ${MOST_ENTRIES}`;

/** The entries that were copied with one batch, for what else follows from them. */
export type CopiedEntries = readonly Row[];

/** Copies the journal of this machine, whose secrets were masked when it was written, to the server. */
export class JournalCopy {
  readonly #client: FleetClient;
  readonly #db: Database;
  #position: number | undefined;

  constructor(client: FleetClient, db: Database) {
    this.#client = client;
    this.#db = db;
  }

  /** How many entries are not copied yet; all of them before the server has told the position. */
  get waiting(): number {
    const sql = "SELECT COUNT(*) AS n FROM journal WHERE id > ?";
    return Number(this.#db.get(sql, this.#position ?? 0)?.n ?? 0);
  }

  /** Copies the next batch. Empty when all is copied. */
  async copyBatch(): Promise<CopiedEntries> {
    const journal = this.#journal();
    this.#position ??= await this.#client.call<number>("journal_position($1::text)", journal);
    const { newest } = this.#db.get("SELECT COALESCE(MAX(id), 0) AS newest FROM journal") ?? {};
    if (Number(newest) < this.#position) {
      this.#beginAnew();
      return this.copyBatch();
    }
    const entries = this.#entries(this.#position, Number(newest));
    const upto = Number(entries.at(-1)?.seq ?? this.#position);
    if (upto === this.#position) return [];
    const place = await this.#client.call<number>(
      "copy_journal($1::text, $2::bigint, $3::bigint, $4::text::jsonb)",
      ...[journal, this.#position, upto, JSON.stringify(entries.map(withoutNul))],
    );
    this.#position = place;
    return place === upto ? entries : [];
  }

  /** Sends again what the server has lost of the copied entries. Returns how many it has stored again. */
  async refillGaps(): Promise<number> {
    const journal = this.#journal();
    let refilled = 0;
    const gaps = await this.#client.call<readonly { after: number; upto: number }[]>("journal_gaps($1::text)", journal);
    for (const { after, upto } of gaps) {
      // A batch never had more entries than one statement reads.
      const entries = this.#db.all(ENTRIES, after, upto).map(withoutNul);
      refilled += await this.#client.call<number>(
        "refill_journal($1::text, $2::bigint, $3::text::jsonb)",
        ...[journal, after, JSON.stringify(entries)],
      );
    }
    return refilled;
  }

  #entries(after: number, upto: number): Row[] {
    const entries = this.#db.all(ENTRIES, after, upto);
    let characters = 0;
    const end = entries.findIndex(({ body }) => {
      characters += String(body).length;
      return characters > BATCH_CHARACTERS;
    });
    return end < 0 ? entries : entries.slice(0, Math.max(1, end));
  }

  #journal(): string {
    return String(this.#db.get("SELECT id FROM journal_identity")?.id);
  }

  /** The server has more of this journal than there is: an old copy of the database was put in its place. */
  #beginAnew(): void {
    this.#db.transaction(() => this.#db.run("UPDATE journal_identity SET id = lower(hex(randomblob(16)))"));
    this.#position = undefined;
  }
}

/** PostgreSQL stores no NUL in a text. */
function withoutNul(row: Row): Row {
  const clean = Object.entries(row).map(([name, value]) => {
    return [name, typeof value === "string" ? value.replaceAll("\0", "\ufffd").toWellFormed() : value];
  });
  return Object.fromEntries(clean) as Row;
}
