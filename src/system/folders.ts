import fs from "node:fs";
import path from "node:path";
import type { FileInfo } from "../core/ports.ts";
import { FRESH_MS } from "./glances.ts";
import { ticks } from "./ticks.ts";

/** A folder as it was seen; as long as nothing in it came, went or was renamed, it is the same object. */
export interface Seen {
  readonly dev: number;
  readonly ino: number;
  /** The system alone sets it, so nothing hides behind an old date. */
  readonly ctimeMs: number;
  /** For file systems that know no other time. */
  readonly mtimeMs: number;
}

/** A file is missing as long as this folder is seen as it was. */
export interface Missing {
  readonly folder: Folder;
  readonly seen: Seen;
}

/** Most files an event asks for are not there. One look at a folder tells that for all of them at once. */
export interface Folders {
  at(folder: string): Folder;
  /** Why this file is surely not there; undefined when whoever wants to know has to look. */
  missing(file: string): Missing | undefined;
  /** What lies there; undefined when whoever wants to know has to look. To become something else it has to go first. */
  kind(file: string): Kind | undefined;
}

type Kind = FileInfo["kind"] | "missing";

/** File systems count time in steps, the coarsest of two seconds; two changes within one step look like one. */
const SETTLED_MS = 3_000;
const MOST_KNOWN = 2_000;

export interface Folder {
  /** Undefined when there is no such folder, or when it changed so lately that a second change might not show. */
  see(): Seen | undefined;
}

class LookedAt implements Folder {
  readonly #path: string;
  readonly #now: () => number;
  readonly #clock: () => number;
  #seen: Seen | undefined;
  #since = Number.NEGATIVE_INFINITY;

  constructor(folder: string, now: () => number, clock: () => number) {
    this.#path = folder;
    this.#now = now;
    this.#clock = clock;
  }

  see(): Seen | undefined {
    const at = this.#clock();
    if (at - this.#since >= FRESH_MS) {
      this.#since = at;
      this.#seen = this.#look();
    }
    return this.#seen;
  }

  #look(): Seen | undefined {
    const stat = statOf(this.#path);
    if (!stat?.isDirectory()) return undefined;
    const { dev, ino, ctimeMs, mtimeMs } = stat;
    if (this.#now() - Math.max(ctimeMs, mtimeMs) < SETTLED_MS) return undefined;
    const before = this.#seen;
    const isSame = before?.ctimeMs === ctimeMs && before.mtimeMs === mtimeMs;
    return isSame && before.ino === ino && before.dev === dev ? before : { dev, ino, ctimeMs, mtimeMs };
  }
}

/** For a process that decides one event. */
export const LOOK_YOURSELF: Folders = {
  at: () => ({ see: () => undefined }),
  missing: () => undefined,
  kind: () => undefined,
};

interface Known {
  readonly folder: Folder;
  /** Undefined while the folder is not to be relied on. */
  readonly seen: Seen | undefined;
  readonly kind: Kind | undefined;
}

export function folderLooks(now: () => number = Date.now, clock: () => number = ticks): Folders {
  let folders = new Map<string, Folder>();
  /** Undefined for one that was asked for once: most never are again, and finding out more takes several looks. */
  let files = new Map<string, Known | undefined>();

  function at(place: string): Folder {
    let folder = folders.get(place);
    if (!folder) {
      folder = new LookedAt(place, now, clock);
      if (folders.size >= MOST_KNOWN) folders = new Map();
      folders.set(place, folder);
    }
    return folder;
  }

  function look(file: string): Known | undefined {
    let known = files.get(file);
    if (known === undefined || known.folder.see() !== known.seen) {
      known = files.has(file) ? find(file) : undefined;
      if (files.size >= MOST_KNOWN) files = new Map();
      files.set(file, known);
    }
    return known?.seen && known;
  }

  function missing(file: string): Missing | undefined {
    const known = look(file);
    return known?.kind === "missing" ? (known as Missing) : undefined;
  }

  /** The folder is looked at before the file: what comes in between shows at the next look. */
  function find(file: string): Known | undefined {
    const place = nearest(path.dirname(file));
    const folder = place === undefined ? undefined : at(place);
    const seen = folder?.see();
    return folder && { folder, seen, kind: seen && kindOf(file) };
  }

  return { at, missing, kind: (file) => look(file)?.kind };
}

/** The folder itself, or the one in which the first missing part of its path would have to appear. */
function nearest(folder: string): string | undefined {
  for (let dir = folder; ; dir = path.dirname(dir)) {
    if (kindOf(dir) !== "missing") return dir;
    if (dir === path.dirname(dir)) return undefined;
  }
}

function kindOf(file: string): Kind | undefined {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat) return "missing";
    return stat.isDirectory() ? "directory" : stat.isFile() ? "file" : stat.isSymbolicLink() ? "link" : "other";
  } catch (error) {
    // Where one may not look there might be something.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
