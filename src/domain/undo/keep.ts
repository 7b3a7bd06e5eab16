import fs from "node:fs";
import path from "node:path";
import type { LossScope } from "../../core/verdict.ts";
import { captureGit } from "./capture-git.ts";
import { CannotKeep, Collection } from "./collect.ts";
import { calmGitIn, type Git, GitFailed, gitIn } from "./git.ts";
import { type Manifest, rawOf, type Snapshot, summaryOf } from "./manifest.ts";
import {
  inRepository,
  openFromFolder,
  openFromGit,
  register,
  type UndoFolder,
  writeToFolder,
  writeToGit,
} from "./stores.ts";

/** A call that comes a second time within this has its snapshot already; later its name is taken. */
const SAME_CALL_MS = 60_000;

export interface KeepInput {
  readonly id: string;
  /** Where snapshots are told of, and kept outside git. */
  readonly folder: string;
  readonly scope: LossScope;
  readonly what: string;
  readonly maxBytes: number;
  readonly maxMs: number;
  readonly env: Readonly<Record<string, string>>;
  readonly now: number;
  isMadeAgain(relative: string): boolean;
  /** For tests that end the process there. */
  reached?(point: "snapshot-half" | "snapshot-done"): void;
}

/** Puts aside what is about to be lost. Throws when it cannot promise that all of it is kept. */
export async function keep(input: KeepInput): Promise<Snapshot> {
  const signal = AbortSignal.timeout(Math.max(1, Math.floor(input.maxMs)));
  try {
    return await keepWithin(input, signal);
  } catch (error) {
    if (signal.aborted) throw new CannotKeep(`it takes longer than ${Math.round(input.maxMs)} ms`);
    throw error;
  }
}

async function keepWithin(input: KeepInput, signal: AbortSignal): Promise<Snapshot> {
  const { scope, env, id, now, what } = input;
  const paths = [...new Set(scope.paths.flatMap((one) => realPlaces(one)))];
  const within = scope.within.map(realFolder);
  for (const one of [...paths, ...(scope.git ? [realFolder(scope.git.folder)] : [])]) {
    if (!within.some((folder) => isInside(one, folder))) throw new CannotKeep(`${one} is outside the project`);
    if (one.split("/").includes(".git")) throw new CannotKeep("it is part of a repository's own storage");
  }
  const starts = [...new Set([...paths.map(standingFolder), ...(scope.git ? [realFolder(scope.git.folder)] : [])])];
  const roots = new Set(await Promise.all(starts.map((start) => workTreeOf(start, env, signal))));
  if (roots.size !== 1) throw new CannotKeep("more than one repository is touched");
  const [workTree] = roots;
  const root = workTree ?? within.find((folder) => paths.every((one) => one !== folder && isInside(one, folder)));
  if (root === undefined || (scope.git && workTree === undefined)) throw new CannotKeep("its folder has no repository");
  if (paths.includes(root)) throw new CannotKeep("it is the whole work tree");
  const named = paths.map((one) => rawOf(path.relative(root, one)));
  const collection = new Collection(root, input.maxBytes, signal);
  // What is not there yet shall not be there afterwards.
  for (const [index, one] of paths.entries()) {
    if (!fs.lstatSync(one, { throwIfNoEntry: false })) collection.add(named[index] ?? "", undefined);
  }
  const about = { version: 1, id, at: now, root, what, named } as const;
  const at = { folder: input.folder };
  const midway = (): void => input.reached?.("snapshot-half");
  let manifest: Manifest;
  if (workTree === undefined) {
    const known = openFromFolder(at, id);
    if (known) return sameCall(at, known.manifest, now);
    for (const one of named) await collection.walk(one, () => false);
    manifest = { ...about, bytes: collection.bytes, files: collection.files };
    await writeToFolder(at, manifest, collection, midway);
  } else {
    const folder = scope.git ? realFolder(scope.git.folder) : root;
    const git = await calmGitIn({ folder, env, signal });
    const known = await knownIn(git, id);
    if (known) return sameCall(at, known, now);
    const captured = await captureGit(git, collection, root, named, scope, input.isMadeAgain);
    manifest = { ...about, bytes: collection.bytes, files: collection.files, git: captured.git };
    try {
      await writeToGit(git, manifest, collection, captured, midway);
    } catch (error) {
      // Two processes that answer the same call: whoever came first has kept it.
      const other = await knownIn(git, id);
      if (!other) throw error;
      return sameCall(at, other, now);
    }
  }
  register(at, manifest);
  input.reached?.("snapshot-done");
  return summaryOf(manifest);
}

async function knownIn(git: Git, id: string): Promise<Manifest | undefined> {
  return (await inRepository(git)).includes(id) ? (await openFromGit(git, id)).manifest : undefined;
}

function sameCall(at: UndoFolder, manifest: Manifest, now: number): Snapshot {
  if (Math.abs(now - manifest.at) > SAME_CALL_MS) throw new CannotKeep("an older snapshot has its name");
  register(at, manifest);
  return summaryOf(manifest);
}

/** The work tree that a folder belongs to; undefined outside git. */
async function workTreeOf(folder: string, env: KeepInput["env"], signal?: AbortSignal): Promise<string | undefined> {
  const git = gitIn({ folder, env, ...(signal && { signal }) });
  try {
    return (await git(["rev-parse", "--show-toplevel"])).toString().trimEnd() || undefined;
  } catch (error) {
    if (error instanceof GitFailed && /not a git repository/.test(error.message)) return undefined;
    throw error;
  }
}

/** The path without links on the way to it; where it is a link itself, what that leads to as well. */
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
