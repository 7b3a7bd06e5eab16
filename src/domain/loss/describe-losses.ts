import { posix } from "node:path";
import type { AnsweredEffect } from "./answer-effects.ts";

const MOST_NAMED = 3;

/** What would happen and what to do instead. Never contains the command itself. */
export function describeLosses(answered: readonly AnsweredEffect[]): { what: string; instead: string } {
  const phrases = [...new Set(answered.map(phrase))];
  const more = phrases.length - MOST_NAMED;
  const what = phrases.slice(0, MOST_NAMED).join("; ") + (more > 0 ? `; and ${more} more` : "");
  const instead = answered.find(({ effect }) => effect.instead !== undefined)?.effect.instead;
  return { what, instead: instead === undefined ? "" : `Safer: ${instead}.` };
}

function phrase({ effect: { by, why, startedBy } }: AnsweredEffect): string {
  const where = startedBy === undefined ? "" : ` in ${posix.basename(startedBy)}`;
  const program = by.translated ? by.via?.program : by.program;
  return `\`${program || "the shell"}\`${where} ${why}`;
}

export function lossKinds(answered: readonly AnsweredEffect[]): string {
  return [...new Set(answered.map(({ effect }) => effect.kind))].join(" ");
}
