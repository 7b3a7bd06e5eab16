import fs from "node:fs";
import { describe, HookwrightError } from "../../core/errors.ts";
import type { Database } from "../database.ts";
import { type Connection, isCorrupt, openConnection, type Row } from "../driver.ts";
import { searchableText } from "./searchable-text.ts";

/** Each batch is a short transaction, so that two searches at the same time take turns. */
const BATCH = 500;
const PAGE = 200;
const PATIENCE_MS = 10_000;

/** The index holds words and no texts. It is a file of its own, so that no hook ever waits for it. */
const SCHEMA = `
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(text, content = '', contentless_delete = 1, tokenize = 'unicode61');
CREATE TABLE IF NOT EXISTS filled (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL, mark TEXT NOT NULL);
INSERT OR IGNORE INTO filled VALUES (1, 0, '');
`;

/** Full-text search over the journal. It is filled when somebody searches, never while an event is decided. */
export class SearchIndex {
  readonly #file: string;
  #connection: Connection;

  constructor(file: string) {
    this.#file = file;
    try {
      this.#connection = opened(file);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      removeSearchIndex(file);
      this.#connection = opened(file);
    }
  }

  /** Adds the entries that came since the last search. `onProgress` is told how many are still to be added. */
  fill(db: Database, onProgress: (left: number) => void = () => undefined): void {
    while (this.fillSome(db, onProgress));
  }

  /** Adds a few of them, so that a program with other work can take turns. True when there are more. */
  fillSome(db: Database, onProgress: (left: number) => void = () => undefined): boolean {
    if (!this.#isOf(db)) this.#beginAnew();
    this.#run(
      "DELETE FROM words WHERE rowid < ?",
      Number(db.get("SELECT COALESCE(MIN(id), 0) AS id FROM journal")?.id),
    );
    const highest = Number(db.get("SELECT COALESCE(MAX(id), 0) AS id FROM journal")?.id);
    const last = this.#last();
    if (last >= highest) return false;
    onProgress(highest - last);
    this.#locked(() => {
      // Asked again: another search may have added the same entries meanwhile.
      const rows = db.all("SELECT * FROM journal WHERE id > ? ORDER BY id LIMIT ?", this.#last(), BATCH);
      const insert = this.#connection.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
      for (const row of rows) insert.run(Number(row.id), searchableText(row));
      const newest = rows.at(-1);
      if (newest) this.#run("UPDATE filled SET last = ?, mark = ?", Number(newest.id), markOf(newest));
    });
    return this.#last() < highest;
  }

  /** The ids of the entries that have all these words, in pages, the newest first; those before one entry only. */
  *find(words: string, from = Number.MAX_SAFE_INTEGER): Generator<number[]> {
    const query = this.#connection.prepare(
      `SELECT rowid AS id FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ${PAGE}`,
    );
    const match = matchOf(words);
    if (match === "") return;
    for (let before = from; ; ) {
      const page = query.all(match, before).map((row) => Number(row.id));
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      before = page.at(-1) ?? 0;
    }
  }

  close(): void {
    this.#connection.close();
  }

  /** Ids are given again after the newest entries were deleted, and a journal may have been replaced. */
  #isOf(db: Database): boolean {
    const { last, mark } = this.#connection.prepare("SELECT last, mark FROM filled").get() ?? {};
    if (last === 0) return true;
    const row = db.get("SELECT at, key FROM journal WHERE id = ?", Number(last));
    return row !== undefined && markOf(row) === mark;
  }

  #beginAnew(): void {
    this.#connection.close();
    removeSearchIndex(this.#file);
    this.#connection = opened(this.#file);
  }

  #last(): number {
    return Number(this.#connection.prepare("SELECT last FROM filled").get()?.last);
  }

  #locked(work: () => void): void {
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#connection.exec("COMMIT");
    } catch (error) {
      this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#connection.prepare(sql).run(...values);
  }
}

/** Every word in quotes, in which nothing but a quote means anything to FTS5. Words without a letter or digit match nothing. */
export function matchOf(words: string): string {
  const found = [...words.replaceAll("\0", " ").matchAll(/"([^"]*)"(\*?)|([^\s"]+)/g)];
  return found
    .map(([, phrase, star, word = ""]) => {
      const isPrefix = phrase === undefined ? word.endsWith("*") : star === "*";
      return { text: phrase ?? word, isPrefix };
    })
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ text, isPrefix }) => `"${text.replaceAll('"', '""')}"${isPrefix ? "*" : ""}`)
    .join(" ");
}

/** What was searched for can be found again from the journal, so the index is not worth repairing. */
export function removeSearchIndex(file: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) fs.rmSync(`${file}${end}`, { force: true });
}

function opened(file: string): Connection {
  const connection = openConnection(file);
  try {
    fs.chmodSync(file, 0o600);
    connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`);
    connection.exec(SCHEMA);
    return connection;
  } catch (error) {
    connection.close();
    if (/no such module: fts5/.test(describe(error))) throw new HookwrightError("HW_NO_SEARCH", {}, error);
    throw error;
  }
}

function markOf({ at, key }: Row): string {
  return `${at} ${key}`;
}
