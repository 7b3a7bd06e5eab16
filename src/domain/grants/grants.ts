import type { AnyEvent, Json } from "../../core/event.ts";
import { toolOf } from "../../core/event.ts";
import type { Table } from "../../core/store.ts";
import { sha256 } from "../../core/text/sha256.ts";
import { fits } from "../loss/allowed.ts";
import { readingOf } from "../loss/started-scripts.ts";
import { weighedOf } from "../loss/weigh.ts";

/** Something that a person lets happen in one project: once, or until a moment. A type alias, because rows hold JSON. */
export type Grant = {
  readonly id: string;
  readonly isOnce: boolean;
  readonly until: number;
  /** The hash of exactly one command line, which may hold secrets; whatever the guard has against it. */
  readonly command: string;
  /** Or this kind of loss, for what the pattern means. */
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

/** Whose word a grant outweighs. What protects the guard itself is not among them. */
export const GRANTABLE: ReadonlySet<string> = new Set([
  ...["safety/destructive-command", "safety/other-tools", "safety/secret-leak", "safety/private-address"],
]);

/** Those in force, the oldest first. */
export function grantsIn(table: Table, now: number): Grant[] {
  const all = table.keys().flatMap((key) => asGrant(table.get(key)) ?? []);
  return all.filter(({ until }) => now < until).sort((a, b) => a.until - b.until);
}

/** Is everything that stops this call meant by the grant? */
export function covers(grant: Grant, event: AnyEvent, policies: ReadonlySet<string>, userHome: string): boolean {
  const tool = toolOf(event);
  if (grant.command !== "") {
    const { command } = tool?.input ?? {};
    return typeof command === "string" && commandHash(command) === grant.command;
  }
  if (tool?.kind !== "shell" || policies.size !== 1 || !policies.has("safety/destructive-command")) return false;
  const weighed = weighedOf(readingOf(event, userHome).effects);
  return (
    weighed.length > 0 &&
    weighed.every(
      ({ effect: { kind, target, path } }) =>
        kind === grant.kind && (fits(grant.target, target) || (path !== undefined && fits(grant.target, path))),
    )
  );
}

function asGrant(value: Json | undefined): Grant | undefined {
  const isOne = typeof value === "object" && value !== null && "until" in value && typeof value.until === "number";
  return isOne ? (value as unknown as Grant) : undefined;
}
