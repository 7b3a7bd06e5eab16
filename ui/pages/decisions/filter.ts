import { address, hrefTo } from "../../frame/address.ts";

/** The words of `hookwright journal`, in the order in which the page shows them. */
export const FILTER_WORDS = ["search", "ruling", "event", "policy", "session", "since"] as const;
export type FilterWord = (typeof FILTER_WORDS)[number];
export type Filter = Readonly<Partial<Record<FilterWord, string>>>;

export function filterOfAddress(): Filter {
  const { query } = address.value;
  return Object.fromEntries(FILTER_WORDS.flatMap((word) => (query.get(word) ? [[word, query.get(word)]] : [])));
}

export function decisionsQuery(filter: Filter, before: number | null, limit: number): string {
  const values: Record<string, string> = { ...filter, limit: String(limit) };
  if (before !== null) values.before = String(before);
  return hrefTo("/api/decisions", values);
}
