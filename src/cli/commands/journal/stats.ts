import { printable } from "../../../config/printable.ts";
import type { Database } from "../../../state/database.ts";
import { type Count, countBy, type JournalFilter } from "../../../state/journal-query.ts";
import { type Style, table } from "../../terminal/style.ts";

/** What `journal stats --json` prints. Scripts rely on these names. */
export interface JournalStats {
  readonly events: number;
  readonly days: readonly (Count & { readonly day: string })[];
  readonly agents: readonly (Count & { readonly agent: string })[];
  /** By the policy that decided, for events that did not simply pass. */
  readonly policies: readonly (Count & { readonly policy: string })[];
}

export function journalStats(db: Database, filter: JournalFilter): JournalStats {
  const days = countBy(db, filter, "day").map(({ name, ...count }) => ({ day: name, ...count }));
  const agents = countBy(db, filter, "agent").map(({ name, ...count }) => ({ agent: name, ...count }));
  const policies = countBy(db, filter, "policy").map(({ name, ...count }) => ({ policy: name, ...count }));
  return { events: days.reduce((sum, { events }) => sum + events, 0), days, agents, policies };
}

const COUNTS = ["events", "sessions", "denied", "asked", "held", "approved"] as const;

export function statsText({ events, days, agents, policies }: JournalStats, style: Style): string {
  if (events === 0) return "Nothing matches.";
  const part = (name: string, rows: readonly (Count & { readonly name: string })[]): string => {
    const header = [name, ...COUNTS].map((word) => style.bold(word));
    return table([
      header,
      ...rows.map((row) => [printable(row.name), ...COUNTS.map((count) => String(row[count] || ""))]),
    ]);
  };
  return [
    part(
      "day",
      days.map(({ day, ...count }) => ({ name: day, ...count })),
    ),
    part(
      "agent",
      agents.map(({ agent, ...count }) => ({ name: agent, ...count })),
    ),
    ...(policies.length === 0
      ? []
      : [
          part(
            "policy",
            policies.map(({ policy, ...count }) => ({ name: policy, ...count })),
          ),
        ]),
  ].join("\n\n");
}
