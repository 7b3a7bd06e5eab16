import { QueryChoice, QueryField } from "../../parts/query-fields.tsx";
import type { Filter } from "./filter.ts";

const RULINGS = [
  ["", "any"],
  ...["pass", "deny", "ask", "hold", "approve"].map((word) => [word, word] as const),
] as const;
const SINCE = [
  ["", "ever"],
  ["15m", "15 minutes"],
  ["1h", "1 hour"],
  ["1d", "1 day"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

export function FilterBar({ filter }: { filter: Filter }) {
  return (
    <div class="bar">
      <h1>Decisions</h1>
      <QueryField name="search" placeholder="command or reason" />
      <QueryChoice name="ruling" options={RULINGS} />
      <QueryChoice name="since" options={SINCE} />
      <QueryField name="event" placeholder="PreToolUse" />
      <QueryField name="policy" placeholder="safety/…" />
      <QueryField name="session" />
      {Object.keys(filter).length > 0 && (
        <a class="button" href="/decisions">
          Clear
        </a>
      )}
    </div>
  );
}
