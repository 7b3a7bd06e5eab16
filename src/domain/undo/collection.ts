import fs from "node:fs";
import { diskPathOf, type KeptFile, statOf } from "./manifest.ts";

/** No complete snapshot is possible, with the reason; the person is asked instead. */
export class SnapshotImpossible extends Error {}

const WALKED_AT_A_TIME = 500;

/** The files of a snapshot. Contents are numbered, and read only when the snapshot is written. */
export class Collection {
  readonly files: KeptFile[] = [];
  readonly contents: (() => Buffer)[] = [];
  bytes = 0;
  readonly #root: string;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal;
  readonly #seen = new Set<string>();
  #steps = 0;

  constructor(root: string, maxBytes: number, signal: AbortSignal) {
    this.#root = root;
    this.#maxBytes = maxBytes;
    this.#signal = signal;
  }

  /** Yields to the event loop every few hundred steps, and throws when the time limit is reached. */
  async step(): Promise<void> {
    if (++this.#steps % WALKED_AT_A_TIME === 0) await new Promise((resolve) => setImmediate(resolve));
    this.#signal.throwIfAborted();
  }

  content(size: number, read: () => Buffer): number {
    this.bytes += size;
    if (this.bytes > this.#maxBytes)
      throw new SnapshotImpossible(`it is more than ${Math.round(this.#maxBytes / 1e6)} MB`);
    return this.contents.push(read) - 1;
  }

  /** Adds a path, and for a folder everything in it. `skips` selects what is left out. */
  async walk(raw: string, skips: (raw: string, isFolder: boolean) => boolean): Promise<void> {
    await this.step();
    const place = diskPathOf(this.#root, raw);
    const found = statOf(place);
    if (!found || skips(raw, found.isDirectory())) return;
    this.add(raw, found);
    if (!found.isDirectory()) return;
    for (const name of fs.readdirSync(place, { encoding: "latin1" })) {
      await this.walk(raw === "" ? name : `${raw}/${name}`, skips);
    }
  }

  add(raw: string, found: fs.Stats | undefined): void {
    if (this.#seen.has(raw)) return;
    this.#seen.add(raw);
    const file = this.describe(diskPathOf(this.#root, raw), raw, found);
    if (raw !== "") this.files.push(file);
  }

  describe(place: string | Buffer, path: string, found: fs.Stats | undefined): KeptFile {
    if (!found) return { path, kind: "absent", mode: 0 };
    const mode = found.mode & 0o7777;
    if (found.isDirectory()) return { path, kind: "folder", mode };
    if (found.isSymbolicLink()) {
      const content = this.content(found.size, () => fs.readlinkSync(place, { encoding: "buffer" }));
      return { path, kind: "link", mode, content };
    }
    if (!found.isFile()) throw new SnapshotImpossible(`${place} is neither a file nor a folder`);
    return { path, kind: "file", mode, content: this.content(found.size, () => fs.readFileSync(place)) };
  }
}

/** All folders above these paths. */
export function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
