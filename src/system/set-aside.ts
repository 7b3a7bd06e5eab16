import fs from "node:fs";
import { HookwrightError } from "../core/errors.ts";

/** What a file is called that could not be understood and makes room for a new one. */
export function asideName(file: string, at: number): string {
  return `${file}.corrupt-${new Date(at).toISOString().replace(/[:.]/g, "-")}`;
}

/** Who took a damaged file over needs a moment for the rest; if it takes longer, it has died in between. */
const PATIENCE_MS = 500;

/**
 * Moves the damaged database with the number `inode` out of the way, and keeps it: it may hold the only record of what
 * happened. Of several processes that meet the damage at once one does it, and the others get undefined. A plain rename
 * would not do: the second one would take away what the first has made anew.
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
  // Last: as soon as the name is free somebody may make a new database, whose log must not be taken for the old one's.
  if (claimed === "by a second name") fs.rmSync(file);
  return new HookwrightError("HW_STATE_CORRUPT", { moved }, cause);
}

type Claim = "by another" | "by a second name" | "by its move";

/** The second name is the same for everybody, so only one can be the first to give it to the file. */
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
