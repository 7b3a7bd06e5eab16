import type { AnyEvent, Json } from "../../core/event.ts";
import type { Table } from "../../core/store.ts";
import { sha256 } from "../../core/text/sha256.ts";
import { matchesGlob } from "../loss/allowances.ts";
import { lastAnswersTo } from "../loss/answer-effects.ts";
import { lastReadingOf } from "../loss/started-scripts.ts";

/** A person's permission for one project: for one call, or until a time. A type alias, because store rows need JSON. */
export type Grant = {
  readonly id: string;
  readonly isOnce: boolean;
  readonly until: number;
  /** The hash of one exact command line (which may hold secrets); covers every objection to it. Or "". */
  readonly command: string;
  /** Otherwise: this kind of loss, for targets that match the pattern. */
  readonly kind: string;
  readonly target: string;
  /** For people: the command with its secrets masked, or the kind and the pattern. */
  readonly shown: string;
  readonly reason: string;
};

export function commandHash(command: string): string {
  return sha256(command.trim());
}

export const GRANTS = "grants";

/** The policies whose answer a grant overrides. Those that protect the guard itself are not among them. */
export const GRANTABLE_POLICIES: ReadonlySet<string> = new Set([
  ...["safety/destructive-command", "safety/other-tools", "safety/secret-leak", "safety/private-address"],
]);

/** Grants that have not expired, those that expire first in front. */
export function grantsIn(table: Table, now: number): Grant[] {
  const all = table.keys().flatMap((key) => asGrant(table.get(key)) ?? []);
  return all.filter(({ until }) => now < until).sort((a, b) => a.until - b.until);
}

/** Does the grant cover everything that stops this call? */
export function grantCovers(grant: Grant, event: AnyEvent, policies: ReadonlySet<string>, userHome: string): boolean {
  const tool = event.tool;
  if (grant.command !== "") {
    const { command } = tool?.input ?? {};
    return typeof command === "string" && commandHash(command) === grant.command;
  }
  if (tool?.kind !== "shell" || policies.size !== 1 || !policies.has("safety/destructive-command")) return false;
  const answered = lastAnswersTo(lastReadingOf(event, userHome).effects);
  return (
    answered.length > 0 &&
    answered.every(
      ({ effect: { kind, target, path } }) =>
        kind === grant.kind &&
        (matchesGlob(grant.target, target) || (path !== undefined && matchesGlob(grant.target, path))),
    )
  );
}

function asGrant(value: Json | undefined): Grant | undefined {
  const isOne = typeof value === "object" && value !== null && "until" in value && typeof value.until === "number";
  return isOne ? (value as unknown as Grant) : undefined;
}
