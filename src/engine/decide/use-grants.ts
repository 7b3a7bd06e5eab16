import { failureVerdict, type PolicyResult } from "../../core/pipeline.ts";
import type { NoteVerdict } from "../../core/verdict.ts";
import { GRANTABLE_POLICIES, GRANTS, type Grant, grantCovers, grantsIn } from "../../domain/grants/grants.ts";
import type { Database } from "../../state/database.ts";
import { openTable, projectScope, type SessionRef } from "../../state/stores.ts";
import type { World } from "./world.ts";

export interface Granted {
  readonly results: readonly PolicyResult[];
  readonly grant?: Grant;
}

/** Lets a stopped call pass when a grant of the person covers it. */
export function withGranted(world: World, results: readonly PolicyResult[], db: Database, ref: SessionRef): Granted {
  const stopping = results.filter((result) => result.mode === "enforce" && isStopping(result));
  if (
    stopping.length === 0 ||
    stopping.some((result) => !GRANTABLE_POLICIES.has(result.id) || failureVerdict(result, world.event))
  )
    return { results };
  const now = world.facts.read("now", world.ports.now);
  const policies = new Set(stopping.map(({ id }) => id));
  const grant = grantsIn(openTable(db, projectScope(ref), GRANTS), now).find((one) =>
    grantCovers(one, world.event, policies, world.places.userHome),
  );
  if (!grant) return { results };
  const passed = results.map((result) =>
    stopping.includes(result)
      ? { ...result, verdicts: [...result.verdicts.filter((one) => !stops(one)), noteOf(grant)] }
      : result,
  );
  return { results: passed, grant };
}

/** Called inside the event's transaction when the call passes: a grant for one call is used up by it. */
export function useGrant(db: Database, ref: SessionRef, grant: Grant, written: string[]): void {
  if (!grant.isOnce) return;
  openTable(db, projectScope(ref), GRANTS, () => written.push(projectScope(ref))).delete(grant.id);
}

function isStopping({ verdicts }: PolicyResult): boolean {
  return verdicts.some(stops);
}

function stops({ kind }: { readonly kind: string }): boolean {
  return kind === "deny" || kind === "ask";
}

function noteOf({ id, isOnce, reason }: Grant): NoteVerdict {
  const why = reason === "" ? "" : ` (${reason})`;
  const text = `The person has allowed this${isOnce ? " once" : ""}${why}. [grant ${id}]`;
  return { kind: "note", message: "granted", data: { id }, text };
}
