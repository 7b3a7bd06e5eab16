import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../system/make-folder.ts";
import type { GitCapture } from "./capture-git.ts";
import type { Collection } from "./collection.ts";
import type { Git } from "./git.ts";
import { SNAPSHOT_ID, SNAPSHOT_REFS, summaryOf, type UndoManifest, type UndoSnapshot } from "./manifest.ts";

const MANIFEST = "manifest.json";

/** The folder where snapshots are registered: one summary file each, and outside git a folder with the contents. */
export interface UndoFolder {
  readonly folder: string;
}

/** Every git program reads commits with more parents slowly. */
const MOST_PARENTS = 500;
/** Small buffers are joined up to this size before they are sent to git. */
const PIECE = 1 << 18;

/** Stores the snapshot as one commit under our own ref, atomically, without touching the index or the work tree. */
export async function writeToGit(
  git: Git,
  manifest: UndoManifest,
  { contents }: Collection,
  { commits, staged }: GitCapture,
  midway: () => void,
): Promise<void> {
  const data = (bytes: Buffer): Buffer[] => [Buffer.from(`data ${bytes.length}\n`), bytes, NEW_LINE];
  function* pieces(): Generator<Buffer> {
    yield Buffer.from("feature done\n");
    yield* commitsOn(`${SNAPSHOT_REFS}/${manifest.id}`, manifest, commits);
    for (const [index, object] of staged.entries()) yield Buffer.from(`M 100644 ${object} staged/${index}\n`);
    for (const [index, read] of contents.entries()) {
      yield Buffer.from(`M 100644 inline content/${index}\n`);
      yield* data(read());
      if (index === 0) midway();
    }
    yield Buffer.from(`M 100644 inline ${MANIFEST}\n`);
    yield* data(Buffer.from(JSON.stringify(manifest)));
    // Without "done" git treats the stream as cut off and creates nothing.
    yield Buffer.from("done\n");
  }
  const { Readable } = process.getBuiltinModule("node:stream");
  await git(["-c", "core.compression=1", "-c", "gc.auto=0", "fast-import", "--quiet", "--done"], {
    stream: Readable.from(together(pieces()), { objectMode: false }),
  });
}

/** The commit without its files. With many parents, a chain of commits is written and each takes a part of them. */
function* commitsOn(ref: string, { at, what }: UndoManifest, parents: readonly string[]): Generator<Buffer> {
  for (let from = 0; from === 0 || from < parents.length; from += MOST_PARENTS) {
    const text = Buffer.from(`Kept before: ${what}\n`);
    yield Buffer.from(`commit ${ref}\ncommitter Hookwright <hookwright@localhost> ${Math.floor(at / 1000)} +0000\n`);
    yield Buffer.concat([Buffer.from(`data ${text.length}\n`), text, NEW_LINE]);
    for (const parent of parents.slice(from, from + MOST_PARENTS)) yield Buffer.from(`merge ${parent}\n`);
  }
}

function* together(pieces: Iterable<Buffer>): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < PIECE) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  yield Buffer.concat(waiting);
}

const NEW_LINE = Buffer.from("\n");

/** Writes a temporary folder and renames it once it is complete. */
export async function writeToFolder(
  at: UndoFolder,
  manifest: UndoManifest,
  collection: Collection,
  midway: () => void,
): Promise<void> {
  const unfinished = path.join(at.folder, `${manifest.id}.unfinished-${process.pid}`);
  fs.rmSync(unfinished, { recursive: true, force: true });
  makeFolder(unfinished, 0o700);
  for (const [index, read] of collection.contents.entries()) {
    await collection.step();
    fs.writeFileSync(path.join(unfinished, String(index)), read(), { mode: 0o600 });
    if (index === 0) midway();
  }
  fs.writeFileSync(path.join(unfinished, MANIFEST), JSON.stringify(manifest), { mode: 0o600 });
  fs.renameSync(unfinished, path.join(at.folder, manifest.id));
}

/** Writes the summary file. Lists and the clean-up only know registered snapshots. */
export function registerSnapshot(at: UndoFolder, manifest: UndoManifest): void {
  makeFolder(at.folder, 0o700);
  const file = path.join(at.folder, `${manifest.id}.json`);
  const unfinished = `${file}.unfinished-${process.pid}`;
  fs.writeFileSync(unfinished, JSON.stringify(summaryOf(manifest)), { mode: 0o600 });
  fs.renameSync(unfinished, file);
}

/** The registered snapshots, newest first. */
export function registeredSnapshots(at: UndoFolder): UndoSnapshot[] {
  if (!fs.existsSync(at.folder)) return [];
  const names = fs
    .readdirSync(at.folder)
    .filter((name) => name.endsWith(".json") && SNAPSHOT_ID.test(name.slice(0, -5)));
  const found = names.flatMap((name) => readJson<UndoSnapshot>(path.join(at.folder, name)) ?? []);
  return found.sort((a, b) => b.at - a.at);
}

/** The ids of all snapshots in a repository, registered or not. */
export async function snapshotIdsIn(git: Git): Promise<string[]> {
  const refs = await git(["for-each-ref", "--format=%(refname)", SNAPSHOT_REFS]);
  return refs
    .toString()
    .split("\n")
    .map((ref) => ref.slice(SNAPSHOT_REFS.length + 1))
    .filter((id) => SNAPSHOT_ID.test(id));
}

/** An open snapshot: its manifest, and its contents by number. */
export interface OpenSnapshot {
  readonly manifest: UndoManifest;
  contents(indexes: readonly number[]): Promise<ReadonlyMap<number, Buffer>>;
}

export async function openFromGit(git: Git, id: string): Promise<OpenSnapshot> {
  const text = (await git(["cat-file", "blob", `${SNAPSHOT_REFS}/${id}:${MANIFEST}`])).toString();
  const contents = async (indexes: readonly number[]): Promise<ReadonlyMap<number, Buffer>> => {
    const input = Buffer.from(indexes.map((index) => `${SNAPSHOT_REFS}/${id}:content/${index}\n`).join(""));
    const output = await git(["cat-file", "--batch"], { input });
    const found = new Map<number, Buffer>();
    let at = 0;
    for (const index of indexes) {
      const end = output.indexOf("\n", at);
      const size = Number(/ blob (\d+)$/.exec(output.toString("latin1", at, end))?.[1] ?? Number.NaN);
      if (Number.isNaN(size)) throw new Error(`the snapshot ${id} lacks its content ${index}`);
      found.set(index, output.subarray(end + 1, end + 1 + size));
      at = end + size + 2;
    }
    return found;
  };
  return { manifest: JSON.parse(text) as UndoManifest, contents };
}

export function openFromFolder(at: UndoFolder, id: string): OpenSnapshot | undefined {
  const folder = path.join(at.folder, id);
  const manifest = readJson<UndoManifest>(path.join(folder, MANIFEST));
  const read = (index: number): [number, Buffer] => [index, fs.readFileSync(path.join(folder, String(index)))];
  return manifest && { manifest, contents: async (indexes) => new Map(indexes.map(read)) };
}

export async function removeSnapshot(at: UndoFolder, { id, store }: UndoSnapshot, git: () => Git): Promise<void> {
  if (store === "git") await git()(["update-ref", "-d", `${SNAPSHOT_REFS}/${id}`]);
  fs.rmSync(path.join(at.folder, id), { recursive: true, force: true });
  fs.rmSync(path.join(at.folder, `${id}.json`), { force: true });
}

/** A file that is missing or is not valid JSON counts as absent. */
function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as T;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
