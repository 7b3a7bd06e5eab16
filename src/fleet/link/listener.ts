import type { FleetAddress } from "../connection/address.ts";
import { openSql } from "../connection/client.ts";

const CHANNEL = "hookwright";
const AGAIN_MS = 10_000;

/**
 * Hears when somebody has changed something on the server. It only saves time: whoever uses it also looks by itself, so a
 * notification that gets lost, or a connection that stays down, loses nothing.
 */
export class Listener {
  readonly #address: FleetAddress;
  readonly #onNews: () => void;
  readonly #news = new Set<string>();
  #sql: ReturnType<typeof openSql> | undefined;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(address: FleetAddress, onNews: () => void) {
    this.#address = address;
    this.#onNews = onNews;
    this.#listen();
  }

  /** What was changed since the last call. */
  takeNews(): ReadonlySet<string> {
    const taken = new Set(this.#news);
    this.#news.clear();
    return taken;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    await this.#sql?.end({ timeout: 0 });
  }

  /** The library listens again by itself after a lost connection; only the first one has to be tried again here. */
  #listen(): void {
    const sql = openSql(this.#address);
    this.#sql = sql;
    const hear = (what: string): void => {
      this.#news.add(what.slice(0, 20));
      this.#onNews();
    };
    sql.listen(CHANNEL, hear).catch(() => {
      if (this.#isClosed) return;
      this.#again = setTimeout(() => this.#listen(), AGAIN_MS);
      sql.end({ timeout: 0 }).catch(() => undefined);
    });
  }
}
