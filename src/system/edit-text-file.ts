import fs from "node:fs";
import path from "node:path";
import { describe, HookwrightError } from "../core/errors.ts";
import type { CrashPoint } from "./crash-point.ts";
import { draftOf, removeLeftDrafts } from "./left-drafts.ts";

/** A larger text is nothing that people edit by hand. */
const LARGEST = 1024 * 1024;
const TRIES = 10;

/** Called at the crash points of a write, for tests that kill the process there. */
export type EditCrashPoint = (point: CrashPoint & `edit-${string}`) => void;

interface TextFile {
  readonly bytes: Buffer;
  readonly text: string;
  readonly stat: fs.Stats;
}

/**
 * Changes a text file that people and other programs edit too. The file is replaced at once, so a reader sees the old
 * text or the new one; if somebody else has changed it meanwhile, their text is read and edited. Processes of ours that
 * edit the same file have to exclude each other. Returns false when there was nothing to change.
 */
export function editTextFile(
  file: string,
  edit: (text: string | undefined) => string | undefined,
  reached: EditCrashPoint,
): boolean {
  for (let tries = 1; tries <= TRIES; tries++) {
    const before = readTextFile(file);
    const after = edit(before?.text);
    if (after === undefined || after === before?.text) return false;
    if (replace(file, before, after, reached)) return true;
  }
  throw notEditable(file, "other programs changed it again and again meanwhile");
}

/** Undefined when there is no file. Throws for what is no plain file of UTF-8 text. */
export function readTextFile(file: string): TextFile | undefined {
  const link = fs.lstatSync(file, { throwIfNoEntry: false });
  if (link === undefined) return undefined;
  if (!link.isFile()) throw notEditable(file, link.isSymbolicLink() ? "it is a link" : "it is not a plain file");
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
  let fd: number | undefined;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = fs.fstatSync(fd);
    if (stat.size > LARGEST) throw notEditable(file, `it has ${stat.size} bytes, more than ${LARGEST}`);
    const bytes = fs.readFileSync(fd);
    return { bytes, text: decoded(file, bytes), stat };
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error instanceof HookwrightError ? error : notEditable(file, describe(error), error);
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

function decoded(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw notEditable(file, "it is not UTF-8 text", error);
  }
}

/** False when the file is no longer what it was. */
function replace(file: string, before: TextFile | undefined, after: string, reached: EditCrashPoint): boolean {
  const draft = draftOf(file);
  try {
    removeLeftDrafts(file);
    writeDraft(draft, after, before?.stat, reached);
    reached("edit-before-rename");
    if (before === undefined) return linked(draft, file);
    if (readTextFile(file)?.bytes.equals(before.bytes) !== true) return false;
    fs.renameSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof HookwrightError) throw error;
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function writeDraft(draft: string, text: string, old: fs.Stats | undefined, reached: EditCrashPoint): void {
  // Left behind by a process of the same number.
  fs.rmSync(draft, { force: true });
  const fd = fs.openSync(draft, "wx", old === undefined ? 0o600 : old.mode & 0o777);
  try {
    const bytes = Buffer.from(text);
    const half = Math.floor(bytes.length / 2);
    writeWhole(fd, bytes.subarray(0, half));
    reached("edit-half-written");
    writeWhole(fd, bytes.subarray(half));
    // The mode that a file is made with is reduced by the umask.
    if (old !== undefined) fs.fchmodSync(fd, old.mode & 0o777);
    if (old !== undefined && process.getuid?.() === 0) fs.fchownSync(fd, old.uid, old.gid);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** On a full disk a single call may write a part only. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
}

/** A rename would replace a file that appeared meanwhile; a second name does not. */
function linked(draft: string, file: string): boolean {
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    // Not every file system gives a file two names.
    if (fs.existsSync(file)) return false;
    fs.renameSync(draft, file);
    return true;
  }
}

function notEditable(file: string, detail: string, cause?: unknown): HookwrightError {
  return new HookwrightError("HW_FILE_EDIT", { file: path.normalize(file), detail }, cause);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
