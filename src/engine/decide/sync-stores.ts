import type { ActivePolicy } from "../../core/pipeline.ts";
import type { Ports } from "../../core/ports.ts";
import type { FileFate, Import, OutsideReads, StoreDefinition, Table } from "../../core/store.ts";
import type { Database } from "../../state/database.ts";
import { adoptMirror, holdMirror, mirrorOf, setMirror } from "../../state/exported-files.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { openTable, projectScope, type SessionRef, sessionScope } from "../../state/stores.ts";
import type { CachedRead } from "../../system/file-cache.ts";
import type { Surroundings } from "./world.ts";

/** Larger files are not exports of ours. */
const LARGEST_FILE = 4 * 1024 * 1024;

interface SyncInput {
  readonly db: Database;
  readonly ref: SessionRef;
  readonly policies: readonly ActivePolicy[];
  readonly world: Pick<Surroundings, "event" | "actor" | "env" | "ports" | "places" | "endBoard">;
  /** Keeps other events of this process from writing through the same connection. */
  readonly lock?: () => Promise<() => void>;
  readonly cached?: CachedRead | undefined;
}

/** Lets the stores of these policies import what others wrote into their files since the last event. */
export async function syncStores({ db, ref, policies, world, lock, cached }: SyncInput): Promise<void> {
  const stores = storesOf(policies);
  if (stores.size === 0) return;
  const { event, actor, places, env, ports } = world;
  const about = { session: ref.session, cwd: event.cwd, project: actor.project, userHome: places.userHome };
  const reads = outsideReads(db, { ...about, env: (variable) => env[variable] }, ports);
  for (const [store, isObserved] of stores) {
    const scope = store.scope === "session" ? sessionScope(ref) : projectScope(ref);
    const isInSync = (): boolean => !store.sync?.(openTable(db, scope, store.name), reads);
    const name = `sync ${store.name} ${scope} ${ref.session} ${event.cwd} ${places.userHome}`;
    if (cached ? cached(name, isInSync) : isInSync()) continue;
    const unlock = await lock?.();
    try {
      db.transaction(() => {
        const table = openTable(db, scope, store.name, () => undefined);
        // Asked again, because others may have written until the lock was taken.
        const work = store.sync?.(table, reads);
        if (!work) return;
        const endBoard = isObserved ? () => "" : () => world.endBoard(ref.project, ports.now(), ports.uid);
        work(importInto(db, table, ports, endBoard, isObserved));
        bumpRevision(db, scope);
      });
    } finally {
      unlock?.();
    }
  }
}

/** Each with whether all of its policies are in observe mode: then it reads its files and writes none. */
type SyncedStores = ReadonlyMap<StoreDefinition<unknown>, boolean>;
/** Events of one kind have the same list of policies. */
const known = new WeakMap<readonly ActivePolicy[], SyncedStores>();

function storesOf(policies: readonly ActivePolicy[]): SyncedStores {
  const before = known.get(policies);
  if (before) return before;
  const stores = new Map<StoreDefinition<unknown>, boolean>();
  for (const { policy, mode } of policies) {
    if (policy.uses?.sync) stores.set(policy.uses, (stores.get(policy.uses) ?? true) && mode === "observe");
  }
  known.set(policies, stores);
  return stores;
}

export function importInto(
  db: Database,
  table: Table,
  ports: Pick<Ports, "readText" | "stamp">,
  endBoard: Import["endBoard"],
  isObserved = false,
): Import {
  return {
    table,
    adopt: (file) => adoptMirror(db, file, ports.readText(file, LARGEST_FILE), ports.stamp(file) ?? ""),
    write: (file, text) => (isObserved ? holdMirror : setMirror)(db, file, text),
    remove: (file) => (isObserved ? holdMirror : setMirror)(db, file, undefined),
    endBoard,
  };
}

type About = Pick<OutsideReads, "session" | "cwd" | "project" | "userHome" | "env">;

export function outsideReads(db: Database, about: About, ports: Ports): OutsideReads {
  return {
    ...about,
    now: ports.now,
    list: ports.list,
    isAlive: ports.isAlive,
    info: ports.info,
    fate(file): FileFate {
      const known = mirrorOf(db, file);
      if (known && !known.isWritten) return { kind: "same" };
      const stamp = ports.stamp(file);
      if (stamp === (known?.stamp || undefined)) return { kind: "same" };
      // Between the two reads another process may have written the export of this file.
      const by = mirrorOf(db, file, true);
      if (by && (!by.isWritten || by.stamp === stamp)) return { kind: "same" };
      if (stamp === undefined) return { kind: "gone" };
      const text = ports.readText(file, LARGEST_FILE);
      // A file that cannot be read counts as unchanged.
      return text === undefined ? { kind: "same" } : { kind: "changed", text };
    },
  };
}
