import type { ServerResponse } from "node:http";
import type { Database } from "../../state/database.ts";
import { ROW_COLUMNS } from "../../state/search/journal-pages.ts";
import type { NowPage } from "./api.ts";
import { beginStream, RequestError } from "./http/replies.ts";
import { decisionRow } from "./rows.ts";
import type { StateFile } from "./state-file.ts";

const POLL_MS = 500;
const HEARTBEAT_MS = 15_000;
const MOST_CLIENTS = 20;
/** Entries for one client at a time. Who has missed more is told to load the page again. */
const BATCH = 50;
const MOST_MISSED = 2_000;

interface Client {
  readonly response: ServerResponse;
  /** The newest entry that it got. */
  last: number;
  /** The newest page Now that it got. */
  now: NowPage | undefined;
  /** Its connection takes no more for the moment. Nothing is kept for it: it is sent what is new when it has room. */
  isFull: boolean;
}

export interface StreamParts {
  readonly state: StateFile;
  /** Makes the page Now; undefined when nothing can have changed since the last call. */
  now(db: Database): NowPage | undefined;
}

/** Tells all open pages what is new. The database is looked at once for all of them, and only while there are any. */
export class EventStream {
  readonly #parts: StreamParts;
  readonly #clients = new Set<Client>();
  #timer: NodeJS.Timeout | undefined;
  #beat = Date.now();
  #now: NowPage | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get clients(): number {
    return this.#clients.size;
  }

  add(response: ServerResponse, lastEventId: string | undefined): void {
    if (this.#clients.size >= MOST_CLIENTS) throw new RequestError(503, "Too many pages are open. Close some of them.");
    const db = this.#parts.state.current;
    const client: Client = { response, last: startOf(db, lastEventId), now: undefined, isFull: false };
    beginStream(response, "text/event-stream; charset=utf-8");
    this.#clients.add(client);
    response.on("close", () => this.#remove(client));
    response.on("drain", () => {
      client.isFull = false;
    });
    if (db && highestId(db) - client.last > MOST_MISSED) {
      client.last = highestId(db);
      write(client, `event: reset\nid: ${client.last}\ndata: {}\n\n`);
    }
    this.#timer ??= setInterval(() => this.poll(), POLL_MS);
    this.poll();
  }

  /** Called by the timer, and by whoever has just changed something. */
  poll(): void {
    const db = this.#parts.state.current;
    if (db) {
      const page = this.#parts.now(db);
      if (page && !(this.#now && isSame(this.#now, page))) this.#now = page;
      const highest = highestId(db);
      for (const client of this.#clients) this.#catchUp(client, db, highest);
    }
    if (Date.now() - this.#beat < HEARTBEAT_MS) return;
    this.#beat = Date.now();
    for (const client of this.#clients) write(client, ": still here\n\n");
  }

  close(): void {
    for (const { response } of this.#clients) response.destroy();
    this.#stop();
  }

  #catchUp(client: Client, db: Database, highest: number): void {
    // The newest entries were deleted: what comes now has their ids again.
    if (highest < client.last) client.last = highest;
    while (client.last < highest && !client.isFull) {
      const query = `SELECT ${ROW_COLUMNS} FROM journal WHERE id > ? ORDER BY id LIMIT ${BATCH}`;
      const rows = db.all(query, client.last).map(decisionRow);
      if (rows.length === 0) break;
      write(client, rows.map((row) => message("decision", row, row.id)).join(""));
      client.last = rows.at(-1)?.id ?? highest;
    }
    if (client.isFull || client.now === this.#now || !this.#now) return;
    client.now = this.#now;
    write(client, message("now", this.#now));
  }

  #remove(client: Client): void {
    this.#clients.delete(client);
    if (this.#clients.size === 0) this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function startOf(db: Database | undefined, lastEventId: string | undefined): number {
  const highest = db ? highestId(db) : 0;
  const asked = Number(lastEventId);
  return lastEventId !== undefined && Number.isSafeInteger(asked) && asked >= 0 ? Math.min(asked, highest) : highest;
}

/** Only the time of the page may differ. */
function isSame(one: NowPage, other: NowPage): boolean {
  return JSON.stringify({ ...one, at: 0 }) === JSON.stringify({ ...other, at: 0 });
}

function highestId(db: Database): number {
  return Number(db.get("SELECT COALESCE(MAX(id), 0) AS id FROM journal")?.id);
}

/** JSON has no line breaks of its own, so it is one line of the stream. */
function message(event: string, value: unknown, id?: number): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;
}

function write(client: Client, text: string): void {
  if (!client.response.write(text)) client.isFull = true;
}
