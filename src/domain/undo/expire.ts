import fs from "node:fs";
import path from "node:path";
import { gitIn } from "./git.ts";
import type { UndoSnapshot } from "./manifest.ts";
import {
  openFromGit,
  registeredSnapshots,
  registerSnapshot,
  removeSnapshot,
  snapshotIdsIn,
  type UndoFolder,
} from "./snapshot-store.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export const DEFAULT_LIMITS = { days: 14, megabytes: 2_000 } as const;

/** Removes snapshots that are too old, and the oldest ones above the size limit. Returns how many were removed. */
export async function expireSnapshots(
  at: UndoFolder,
  env: Readonly<Record<string, string>>,
  now: number,
  limits: { readonly days: number; readonly megabytes: number } = DEFAULT_LIMITS,
): Promise<number> {
  removeUnfinished(at, now);
  await adoptOrphans(at, env);
  let bytes = 0;
  let removed = 0;
  for (const snapshot of registeredSnapshots(at)) {
    bytes += snapshot.bytes;
    if (now - snapshot.at <= limits.days * DAY_MS && bytes <= limits.megabytes * 1e6) continue;
    const isGone = snapshot.store === "git" && !fs.existsSync(snapshot.root);
    await removeSnapshot(at, isGone ? { ...snapshot, store: "copy" } : snapshot, () =>
      gitIn({ folder: snapshot.root, env }),
    );
    removed++;
  }
  return removed;
}

/** Registers snapshots that exist in a repository but were never registered, because the process ended in between. */
async function adoptOrphans(at: UndoFolder, env: Readonly<Record<string, string>>): Promise<void> {
  const known = registeredSnapshots(at);
  const ids = new Set(known.map(({ id }) => id));
  for (const root of new Set(known.filter(isInGit).map((one) => one.root))) {
    await registerUnlisted(at, root, ids, env);
  }
}

/** Registers the snapshots of one repository that are not registered yet. */
export async function registerUnlisted(
  at: UndoFolder,
  root: string,
  known: ReadonlySet<string>,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const git = gitIn({ folder: root, env });
  for (const id of await snapshotIdsIn(git)) {
    if (!known.has(id)) registerSnapshot(at, (await openFromGit(git, id)).manifest);
  }
}

function isInGit({ store, root }: UndoSnapshot): boolean {
  return store === "git" && fs.existsSync(root);
}

function removeUnfinished(at: UndoFolder, now: number): void {
  if (!fs.existsSync(at.folder)) return;
  for (const name of fs.readdirSync(at.folder)) {
    const place = path.join(at.folder, name);
    if (!/\.(?:unfinished|index)-\d+/.test(name) || now - fs.lstatSync(place).mtimeMs < HOUR_MS) continue;
    fs.rmSync(place, { recursive: true, force: true });
  }
}
