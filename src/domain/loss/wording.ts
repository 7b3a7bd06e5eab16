import { posix } from "node:path";
import type { Weighed } from "./weigh.ts";

const MOST_NAMED = 3;

/** What would happen and what to do instead. Never contains the command itself. */
export function wording(weighed: readonly Weighed[]): { what: string; instead: string } {
  const phrases = [...new Set(weighed.map(phrase))];
  const more = phrases.length - MOST_NAMED;
  const what = phrases.slice(0, MOST_NAMED).join("; ") + (more > 0 ? `; and ${more} more` : "");
  const instead = weighed.find(({ effect }) => effect.instead !== undefined)?.effect.instead;
  return { what, instead: instead === undefined ? "" : `Safer: ${instead}.` };
}

function phrase({ effect: { by, why, startedBy } }: Weighed): string {
  const where = startedBy === undefined ? "" : ` in ${posix.basename(startedBy)}`;
  const program = by.translated ? by.via?.program : by.program;
  return `\`${program || "the shell"}\`${where} ${why}`;
}

export function kindsOf(weighed: readonly Weighed[]): string {
  return [...new Set(weighed.map(({ effect }) => effect.kind))].join(" ");
}
