import type { DecisionRow, DecisionsPage } from "../../../src/daemon/dashboard/api.ts";
import type { PagedRows } from "./paged-rows.ts";

const SEARCH_AGAIN_MS = 1_000;

interface Options {
  readonly rows: PagedRows;
  readonly newest: () => Promise<DecisionsPage>;
  /** Whether only the server can tell which rows match. */
  readonly isFiltered: boolean;
  /** Somebody reads further down: a row that is put in above would move what they read. */
  readonly isReading: () => boolean;
  readonly changed: () => void;
}

/** Puts new rows above the others; while somebody reads further down they are only counted. */
export class LiveRows {
  readonly #options: Options;
  #newestId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  heldCount = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** No rows: the stream has just begun, and what came before it may be missing. */
  arrived(arrived: readonly DecisionRow[]): void {
    const { newest, rows, isFiltered } = this.#options;
    if (!isFiltered && rows.isLoaded && arrived.length > 0) {
      this.#take([...arrived].reverse());
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // A request that fails is made again with the next row; the list itself says that the server does not answer.
      newest().then(
        (page) => this.#take(page.rows),
        () => undefined,
      );
    }, SEARCH_AGAIN_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #take(newestFirst: readonly DecisionRow[]): void {
    const { rows, isReading, changed } = this.#options;
    const known = Math.max(this.#newestId, rows.newestId);
    const fresh = newestFirst.filter(({ id }) => id > known);
    if (fresh.length === 0 || !rows.isLoaded) return;
    this.#newestId = fresh[0]?.id ?? 0;
    if (this.heldCount === 0 && !isReading()) rows.prepend(fresh);
    else this.heldCount += fresh.length;
    changed();
  }
}
