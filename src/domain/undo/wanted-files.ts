import fs from "node:fs";
import { diskPathOf, type KeptFile, statOf } from "./manifest.ts";

const USUAL_FOLDER = 0o755;
/** The usual modes of files and folders; a snapshot records only other modes. */
export const USUAL_MODES = { file: [0o644, 0o755], folder: [USUAL_FOLDER] };

/** The state that one path has to have after the restore. */
export interface WantedFile {
  readonly path: string;
  readonly kind: KeptFile["kind"];
  readonly mode: number;
  /** Undefined for folders and for paths that must not exist. */
  readonly bytes?: Buffer;
}

/** Does the path on disk already have the wanted state? */
export function hasWantedState(root: string, wanted: WantedFile): boolean {
  const place = diskPathOf(root, wanted.path);
  const found = statOf(place);
  if (wanted.kind === "absent") return !found;
  if (!found) return false;
  if (wanted.kind === "link")
    return found.isSymbolicLink() && sameBytes(fs.readlinkSync(place, "buffer"), wanted.bytes);
  if ((found.mode & 0o7777) !== wanted.mode) return false;
  if (wanted.kind === "folder") return found.isDirectory();
  return found.isFile() && found.size === wanted.bytes?.length && sameBytes(fs.readFileSync(place), wanted.bytes);
}

/** Is there nothing to lose at the path: no file, an empty file or an empty folder? */
export function isAbsentOrEmpty(root: string, raw: string): boolean {
  const place = diskPathOf(root, raw);
  const found = statOf(place);
  if (!found) return blockingParent(root, raw) === undefined;
  if (found.isDirectory()) return fs.readdirSync(place).length === 0;
  return found.isFile() && found.size === 0;
}

/** Does the path have the wanted content, whatever its permissions? */
export function hasWantedContent(root: string, wanted: WantedFile): boolean {
  const found = statOf(diskPathOf(root, wanted.path));
  return found !== undefined && hasWantedState(root, { ...wanted, mode: found.mode & 0o7777 });
}

/** A parent of the path that exists and is not a folder, so that nothing can be written below it. */
export function blockingParent(root: string, raw: string): string | undefined {
  for (let end = raw.indexOf("/"); end > 0; end = raw.indexOf("/", end + 1)) {
    const found = statOf(diskPathOf(root, raw.slice(0, end)));
    if (!found) return undefined;
    if (!found.isDirectory()) return raw.slice(0, end);
  }
  return undefined;
}

/** Writes a temporary file and renames it: the change is atomic, and an existing link is replaced, not followed. */
export function writeWanted(
  root: string,
  wanted: WantedFile,
  folders: ReadonlySet<string>,
  modes: Readonly<Record<string, number>>,
): void {
  const place = diskPathOf(root, wanted.path);
  if (wanted.kind === "absent") {
    if (statOf(place)) fs.rmSync(place, { recursive: true });
    removeEmptyFolders(root, wanted.path, folders);
    return;
  }
  const blocker = blockingParent(root, wanted.path);
  if (blocker !== undefined) fs.unlinkSync(diskPathOf(root, blocker));
  const found = statOf(place);
  makeFoldersFor(root, wanted.path, modes);
  if (wanted.kind === "folder") {
    if (found && !found.isDirectory()) fs.unlinkSync(place);
    fs.mkdirSync(place, { recursive: true });
    fs.chmodSync(place, wanted.mode);
    return;
  }
  // Fails for a folder that is not empty: it stays, and the error says so.
  if (found?.isDirectory()) fs.rmdirSync(place);
  const beside = diskPathOf(root, `${wanted.path}.hookwright-${process.pid}`);
  const bytes = wanted.bytes ?? Buffer.alloc(0);
  if (wanted.kind === "link") fs.symlinkSync(bytes, beside);
  else {
    fs.writeFileSync(beside, bytes);
    fs.chmodSync(beside, wanted.mode);
  }
  fs.renameSync(beside, place);
}

function makeFoldersFor(root: string, raw: string, modes: Readonly<Record<string, number>>): void {
  for (let end = raw.indexOf("/"); end > 0; end = raw.indexOf("/", end + 1)) {
    const folder = diskPathOf(root, raw.slice(0, end));
    if (statOf(folder)) continue;
    fs.mkdirSync(folder);
    fs.chmodSync(folder, modes[raw.slice(0, end)] ?? USUAL_FOLDER);
  }
}

/** Like git, removes folders that have become empty, unless the restore wants the folder itself. */
function removeEmptyFolders(root: string, raw: string, wanted: ReadonlySet<string>): void {
  for (let end = raw.lastIndexOf("/"); end > 0; end = raw.lastIndexOf("/", end - 1)) {
    const folder = diskPathOf(root, raw.slice(0, end));
    if (wanted.has(raw.slice(0, end))) return;
    if (!statOf(folder)?.isDirectory() || fs.readdirSync(folder).length > 0) return;
    fs.rmdirSync(folder);
  }
}

function sameBytes(one: Buffer, other: Buffer | undefined): boolean {
  return other !== undefined && one.equals(other);
}
