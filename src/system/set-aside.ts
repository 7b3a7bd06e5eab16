import fs from "node:fs";
import { HookwrightError } from "../core/errors.ts";

/** The new name of a damaged file, beside the file that replaces it. */
export function asideName(file: string, at: number): string {
  return `${file}.corrupt-${new Date(at).toISOString().replace(/[:.]/g, "-")}`;
}

/** The process that claimed a damaged file needs less than this for the rest; after that it has died in between. */
const PATIENCE_MS = 500;

/**
 * Moves the damaged database with this inode out of the way and keeps it, because it may be the only record of what
 * happened. Of several processes that find the damage at once, one moves the file and the others get undefined. With a
 * plain rename the second process would move away the new database of the first.
 */
export function setAside(file: string, inode: number | undefined, cause: unknown): HookwrightError | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.ino !== inode) return undefined;
  const moved = `${asideName(file, stat.mtime.getTime())}-${inode}`;
  const claimed = claim(file, moved, inode);
  if (claimed === "by another") {
    waitUntilReplaced(file, inode);
    return undefined;
  }
  for (const suffix of ["-wal", "-shm"]) {
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, moved + suffix);
  }
  // Last, because a new database may appear as soon as the name is free, and the log of the old one must be gone by then.
  if (claimed === "by a second name") fs.rmSync(file);
  return new HookwrightError("HW_STATE_CORRUPT", { moved }, cause);
}

type Claim = "by another" | "by a second name" | "by its move";

/** All processes use the same second name, so only one of them can create the link. */
function claim(file: string, moved: string, inode: number): Claim {
  try {
    fs.linkSync(file, moved);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EEXIST" || code === "ENOENT") return "by another";
    // Not every file system gives a file two names.
    fs.renameSync(file, moved);
    return "by its move";
  }
  if (fs.statSync(moved).ino === inode) return "by a second name";
  fs.rmSync(moved);
  return "by another";
}

function waitUntilReplaced(file: string, inode: number): void {
  const isThere = (): boolean => fs.statSync(file, { throwIfNoEntry: false })?.ino === inode;
  for (
    const end = Date.now() + PATIENCE_MS;
    isThere();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
  ) {
    if (Date.now() < end) continue;
    fs.rmSync(file, { force: true });
    return;
  }
}
