import type { DecisionRow, DecisionsPage } from "../../../src/daemon/dashboard/api.ts";

interface Page {
  /** The id before which its rows lie; null for the newest. */
  before: number | null;
  size: number;
  /** Undefined: not kept, because it is far from what is seen; it is fetched again. */
  rows: readonly DecisionRow[] | undefined;
}

type Fetch = (before: number | null, limit: number) => Promise<DecisionsPage>;

export const PAGE_SIZE = 200;
/** Pages that are kept around what is seen; so the memory does not grow with what was scrolled past. */
const KEPT_PAGES = 8;

/** The rows of a journal of any length, the newest first, of which only those near the view are kept. */
export class PagedRows {
  #pages: Page[] = [];
  #next: number | null | undefined;
  readonly #fetch: Fetch;
  readonly #changed: () => void;
  readonly #pending = new Set<Page | "next">();
  problem = "";
  /** How many match in all. */
  matching = 0;

  constructor(fetch: Fetch, changed: () => void) {
    this.#fetch = fetch;
    this.#changed = changed;
    this.#load("next");
  }

  /** How many rows can be scrolled to by now. */
  get count(): number {
    return this.#pages.reduce((sum, page) => sum + page.size, 0);
  }

  get isLoaded(): boolean {
    return this.#next !== undefined;
  }

  get newestId(): number {
    return this.#pages[0]?.rows?.[0]?.id ?? this.#pages[1]?.before ?? 0;
  }

  /** Undefined for a row that is being fetched. */
  at(index: number): DecisionRow | undefined {
    let start = 0;
    for (const page of this.#pages) {
      if (index < start + page.size) return page.rows?.[index - start];
      start += page.size;
    }
    return undefined;
  }

  indexOf(id: number): number {
    let start = 0;
    for (const page of this.#pages) {
      const found = page.rows?.findIndex((row) => row.id === id) ?? -1;
      if (found >= 0) return start + found;
      start += page.size;
    }
    return -1;
  }

  /** Fetches what lies in view, and drops what is far from it. */
  show(from: number, to: number): void {
    let start = 0;
    const spans = this.#pages.map((page, index) => {
      const span = { page, index, start, end: start + page.size };
      start = span.end;
      return span;
    });
    const seen = spans.filter((span) => span.start < to && span.end > from);
    for (const { page } of seen) if (page.rows === undefined) this.#load(page);
    const middle = seen[Math.floor(seen.length / 2)]?.index ?? 0;
    this.#dropFarFrom(middle);
    if (this.#next !== null && to > this.count - PAGE_SIZE / 2) this.#load("next");
  }

  /** Rows that are newer than all others, the newest first. */
  prepend(rows: readonly DecisionRow[]): void {
    if (rows.length === 0 || !this.isLoaded) return;
    this.matching += rows.length;
    const head = this.#pages[0];
    if (head?.rows !== undefined && head.size + rows.length <= PAGE_SIZE * 2) {
      head.rows = [...rows, ...head.rows];
      head.size = head.rows.length;
    } else {
      if (head !== undefined) head.before = this.newestId + 1;
      this.#pages.unshift({ before: null, size: rows.length, rows });
      // Whoever sees new rows come in looks at the newest ones.
      this.#dropFarFrom(0);
    }
    this.#changed();
  }

  #dropFarFrom(middle: number): void {
    for (const [index, page] of this.#pages.entries()) {
      if (Math.abs(index - middle) > KEPT_PAGES / 2 && !this.#pending.has(page)) page.rows = undefined;
    }
  }

  #load(what: Page | "next"): void {
    if (this.#pending.has(what) || (what === "next" && this.#next === null)) return;
    this.#pending.add(what);
    const before = what === "next" ? (this.#next ?? null) : what.before;
    this.#fetch(before, what === "next" ? PAGE_SIZE : what.size).then(
      (answer) => {
        this.problem = "";
        this.#pending.delete(what);
        if (what === "next") {
          if (answer.rows.length > 0) {
            this.#pages.push({ before, size: answer.rows.length, rows: answer.rows });
          }
          if (this.#next === undefined) this.matching = answer.count;
          this.#next = answer.next;
        } else {
          // Rows that the journal has forgotten meanwhile are missing at the end.
          what.rows = answer.rows;
          what.size = answer.rows.length;
        }
        this.#changed();
      },
      (error: Error) => {
        this.#pending.delete(what);
        if (error.name === "AbortError") return;
        this.problem = error.message;
        this.#changed();
      },
    );
  }
}
