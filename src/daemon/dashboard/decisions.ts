import type { Database } from "../../state/database.ts";
import { entryWithId } from "../../state/journal-query.ts";
import { countMatching, type PageFilter, pageBefore } from "../../state/search/journal-pages.ts";
import { matchOf, SearchIndex } from "../../state/search/search-index.ts";
import type { DecisionRow, DecisionsPage } from "./api.ts";
import { RequestError } from "./http/replies.ts";
import { decisionRow } from "./rows.ts";

const USUAL_LIMIT = 100;
const MOST = 500;
const LONGEST = 200;
/** A count is good for this long; a page shows it beside entries that come in meanwhile. */
const COUNT_MS = 10_000;
const MOST_COUNTS = 50;
const RULINGS = ["pass", "deny", "ask", "hold", "approve"];
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The journal as a list, and the index of its words. */
export class Decisions {
  readonly #search: string;
  readonly #counts = new Map<string, { readonly at: number; readonly count: Promise<number> }>();

  /** `search`: the file of the index. */
  constructor(search: string) {
    this.#search = search;
  }

  async page(db: Database | undefined, query: URLSearchParams, now: number): Promise<DecisionsPage> {
    const filter = filterOf(query, now);
    const before = wholeNumber(query, "before");
    const limit = Math.min(wholeNumber(query, "limit") ?? USUAL_LIMIT, MOST);
    const words = query.get("search")?.trim() ?? "";
    if (words !== "" && (words.length > LONGEST || matchOf(words) === "")) {
      throw new RequestError(400, "`search` takes a few words with letters or digits.");
    }
    if (!db) return { rows: [], next: null, count: 0 };
    const index = words === "" ? undefined : await this.#filledIndex(db);
    try {
      const found = (from: number): readonly number[] => index?.find(words, from).next().value ?? [];
      const whole = index ? { ...filter, found } : filter;
      const page = pageBefore(db, whole, before, limit);
      const count = await this.#count(db, whole, query, now);
      return { rows: page.rows.map(decisionRow), next: page.next ?? null, count };
    } finally {
      index?.close();
    }
  }

  /** The first search adds the whole journal, in steps between which others get their turn. */
  async #filledIndex(db: Database): Promise<SearchIndex> {
    const index = new SearchIndex(this.#search);
    try {
      while (index.fillSome(db)) await new Promise((resolve) => setImmediate(resolve));
    } catch (error) {
      index.close();
      throw error;
    }
    return index;
  }

  /** The pages of one list ask for the same count again and again. */
  #count(db: Database, filter: PageFilter, query: URLSearchParams, now: number): Promise<number> {
    const key = JSON.stringify([...query].filter(([name]) => name !== "before" && name !== "limit"));
    const last = this.#counts.get(key);
    if (last && now - last.at < COUNT_MS) return last.count;
    if (this.#counts.size >= MOST_COUNTS) this.#counts.clear();
    const count = countMatching(db, filter);
    this.#counts.set(key, { at: now, count });
    return count;
  }
}

function filterOf(query: URLSearchParams, now: number): PageFilter {
  const text = (name: string): string | undefined => {
    const value = query.get(name)?.trim() || undefined;
    if (value !== undefined && value.length > LONGEST) throw new RequestError(400, `\`${name}\` is too long.`);
    return value;
  };
  const [session, event, policy, ruling, since] = ["session", "event", "policy", "ruling", "since"].map(text);
  if (ruling !== undefined && !RULINGS.includes(ruling)) {
    throw new RequestError(400, `\`${ruling}\` is not a ruling; the rulings are ${RULINGS.join(", ")}.`);
  }
  return {
    ...(session === undefined ? {} : { session }),
    ...(event === undefined ? {} : { event }),
    ...(policy === undefined ? {} : { policy }),
    ...(ruling === undefined ? {} : { ruling }),
    ...(since === undefined ? {} : { since: timeOf(since, now) }),
  };
}

/** The words of `journal --since`: 15m, 2d or a date; and epoch milliseconds. */
export function timeOf(text: string, now: number): number {
  const [, number = "", unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const step = UNITS[unit];
  if (step !== undefined) return now - Number(number) * step;
  const at = /^\d{10,}$/.test(text) ? Number(text) : /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new RequestError(400, `\`since\` takes a time such as 15m, 1h, 2d or 2026-01-02, not \`${text}\`.`);
}

export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new RequestError(400, `\`${name}\` takes a whole number above 0, not \`${text.slice(0, LONGEST)}\`.`);
}

/** The rows with these ids, in this order; those that were deleted are left out. */
export function rowsWithIds(db: Database, ids: readonly number[]): DecisionRow[] {
  return ids.flatMap((id) => {
    const row = entryWithId(db, id);
    return row ? [decisionRow(row)] : [];
  });
}
