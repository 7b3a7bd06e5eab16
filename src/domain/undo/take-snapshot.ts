import fs from "node:fs";
import path from "node:path";
import type { LossScope } from "../../core/verdict.ts";
import { globMatches } from "../../shell/expand/glob.ts";
import { captureGit } from "./capture-git.ts";
import { Collection, SnapshotImpossible } from "./collection.ts";
import { statOf, summaryOf, textToRaw, type UndoManifest, type UndoSnapshot } from "./manifest.ts";
import { readRepository } from "./read-repository.ts";
import {
  openFromFolder,
  openFromGit,
  registerSnapshot,
  snapshotIdsIn,
  type UndoFolder,
  writeToFolder,
  writeToGit,
} from "./snapshot-store.ts";

/** Within this time a second snapshot with the same id belongs to the same call, sent again; later the id is taken. */
const SAME_CALL_MS = 60_000;

export interface SnapshotInput {
  readonly id: string;
  /** The folder where snapshots are registered, and where those outside git are stored. */
  readonly folder: string;
  readonly scope: LossScope;
  readonly what: string;
  readonly maxBytes: number;
  readonly maxMs: number;
  readonly env: Readonly<Record<string, string>>;
  readonly now: number;
  /** Does everything except writing. */
  readonly isTrial?: boolean;
  isMadeAgain(relative: string): boolean;
  /** Crash points for tests, which kill the process there. */
  reached?(point: "snapshot-read" | "snapshot-half" | "snapshot-kept" | "snapshot-done"): void;
}

/** Takes a snapshot of what is about to be lost. Throws when the snapshot cannot be complete. */
export async function takeUndoSnapshot(input: SnapshotInput): Promise<UndoSnapshot> {
  const signal = AbortSignal.timeout(Math.max(1, Math.floor(input.maxMs)));
  try {
    return await takeWithin(input, signal);
  } catch (error) {
    if (signal.aborted) throw new SnapshotImpossible(`it takes longer than ${Math.round(input.maxMs)} ms`);
    throw error;
  }
}

async function takeWithin(input: SnapshotInput, signal: AbortSignal): Promise<UndoSnapshot> {
  const { scope, env, id, now, what } = input;
  const given = [...scope.paths, ...scope.patterns.flatMap(matching)];
  if (given.some((one) => one.includes(NOT_TEXT))) throw new SnapshotImpossible("the name of a file is not text");
  const paths = [...new Set(given.flatMap((one) => realPlaces(one)))];
  const within = scope.within.map(realFolder);
  const folder = scope.git && realFolder(scope.git.folder);
  for (const one of [...paths, ...(folder === undefined ? [] : [folder])]) {
    if (!within.some((outer) => isInside(one, outer))) throw new SnapshotImpossible(`${one} is outside the project`);
    if (one.split("/").includes(".git")) throw new SnapshotImpossible("it is part of a repository's own storage");
  }
  const places = [...paths, ...scope.patterns].map(standingFolder);
  const starts = [...new Set([...(folder === undefined ? [] : [folder]), ...places])];
  const [start] = starts;
  if (start === undefined) throw new SnapshotImpossible("there is nothing");
  const only = folder === undefined ? paths : [];
  const reading = await readRepository({ folder: start, env, signal }, scope, only);
  const workTree = reading?.places.root;
  if (starts.some((one) => one !== start && !isSameTree(one, workTree)))
    throw new SnapshotImpossible("more than one repository is touched");
  const root = workTree ?? within.find((outer) => paths.every((one) => one !== outer && isInside(one, outer)));
  if (root === undefined || (scope.git && workTree === undefined))
    throw new SnapshotImpossible("its folder has no repository");
  if (paths.includes(root)) throw new SnapshotImpossible("it is the whole work tree");
  const named = paths.map((one) => textToRaw(path.relative(root, one)));
  const collection = new Collection(root, input.maxBytes, signal);
  // A path that does not exist yet has to be removed by `undo`.
  for (const [index, one] of paths.entries()) if (!statOf(one)) collection.add(named[index] ?? "", undefined);
  const about = { version: 1, id, at: now, root, what, named } as const;
  const at = { folder: input.folder };
  const midway = (): void => input.reached?.("snapshot-half");
  let manifest: UndoManifest;
  if (!reading) {
    const known = openFromFolder(at, id);
    if (known) return sameCall(at, known.manifest, now);
    for (const one of named) await collection.walk(one, () => false);
    manifest = { ...about, bytes: collection.bytes, files: collection.files };
    if (input.isTrial) return summaryOf(manifest);
    await writeToFolder(at, manifest, collection, midway);
  } else {
    const { git, refs } = reading;
    if ((await refs).snapshots.has(id)) return sameCall(at, (await openFromGit(git, id)).manifest, now);
    const captured = await captureGit(reading, collection, named, scope, input.isMadeAgain);
    manifest = { ...about, bytes: collection.bytes, files: collection.files, git: captured.git };
    if (input.isTrial) return summaryOf(manifest);
    input.reached?.("snapshot-read");
    try {
      await writeToGit(git, manifest, collection, captured, midway);
    } catch (error) {
      // Two processes may answer the same call: the first one has written the snapshot.
      if (!(await snapshotIdsIn(git)).includes(id)) throw error;
      return sameCall(at, (await openFromGit(git, id)).manifest, now);
    }
  }
  input.reached?.("snapshot-kept");
  registerSnapshot(at, manifest);
  input.reached?.("snapshot-done");
  return summaryOf(manifest);
}

function sameCall(at: UndoFolder, manifest: UndoManifest, now: number): UndoSnapshot {
  if (Math.abs(now - manifest.at) > SAME_CALL_MS) throw new SnapshotImpossible("an older snapshot has its name");
  registerSnapshot(at, manifest);
  return summaryOf(manifest);
}

/** Do the folder and the root belong to the same repository, with no other one in between? */
function isSameTree(folder: string, root: string | undefined): boolean {
  let place = folder;
  while (place !== root) {
    if (fs.existsSync(path.join(place, ".git"))) return false;
    if (path.dirname(place) === place) return root === undefined;
    place = path.dirname(place);
  }
  return true;
}

/** At least the paths that the shell matches: a bracket and a question mark are read as `*`. */
function matching(pattern: string): string[] {
  const folder = path.dirname(pattern);
  const name = path
    .basename(pattern)
    .replace(/\[.*\]/s, "*")
    .replaceAll("?", "*");
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.filter((one) => globMatches(name, one)).map((one) => path.join(folder, one));
}

/** Replaces a byte that is not valid UTF-8. */
const NOT_TEXT = "\ufffd";

/** The path with its parent folders resolved; for a link also the path it points to. */
function realPlaces(given: string): string[] {
  const place = path.join(realFolder(path.dirname(given)), path.basename(given));
  const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink && fs.existsSync(place) ? [place, fs.realpathSync(place)] : [place];
}

function realFolder(folder: string): string {
  return fs.existsSync(folder) ? fs.realpathSync(folder) : folder;
}

function standingFolder(file: string): string {
  let folder = path.dirname(file);
  while (!fs.existsSync(folder)) folder = path.dirname(folder);
  return folder;
}

function isInside(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
