import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { HookwrightError } from "../core/errors.ts";
import { JsonSyntaxError } from "./json-parser.ts";

/** A settings file at the time of reading; before a write, the file on disk is compared with it. */
export interface SettingsFile {
  /** The path that the agent uses. */
  readonly path: string;
  /** The file that is really read and written: the target of a symbolic link, so that the link itself stays. */
  readonly target: string;
  /** Undefined when there was no file. */
  readonly bytes: Buffer | undefined;
  /** Undefined when there was no file; may be blank. */
  readonly text: string | undefined;
}

export function sha256OfBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function readSettingsFile(file: string): SettingsFile {
  const target = resolveTarget(file);
  const bytes = target === undefined ? undefined : readBytes(file, target);
  return { path: file, target: target ?? file, bytes, text: bytes === undefined ? undefined : decode(file, bytes) };
}

/**
 * Throws when writing would fail, so that a command can stop before it changes anything else. Also throws for a read-only
 * file, although a rename could replace it: the mode says that the owner does not want it changed.
 */
export function checkWritable(file: SettingsFile): void {
  try {
    // A file that was deleted meanwhile is a change, which the comparison before the rename reports.
    if (file.bytes !== undefined && existsSync(file.target)) accessSync(file.target, constants.W_OK);
    accessSync(nearestDirectory(path.dirname(file.target)), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw writeFailed(file.path, error);
  }
}

/** The topmost directory that has to be created for the file, if any. */
export function missingDirectory(file: SettingsFile): string | undefined {
  const directory = path.dirname(file.target);
  try {
    const existing = nearestDirectory(directory);
    const [first] = path.relative(existing, directory).split(path.sep);
    return first ? path.join(existing, first) : undefined;
  } catch (error) {
    throw readFailed(file.path, error);
  }
}

/** Replaces the content atomically: a reader sees the old file or the new one. */
export function writeSettingsFile(file: SettingsFile, content: string | Uint8Array): void {
  checkWritable(file);
  const directory = path.dirname(file.target);
  const temporary = path.join(directory, `.${path.basename(file.target)}.${randomBytes(6).toString("hex")}.tmp`);
  let created: string | undefined;
  try {
    created = missingDirectory(file);
    // The topmost directory is created on its own, because a recursive mkdir loops forever below /proc.
    if (created !== undefined && !existsSync(created)) mkdirSync(created);
    mkdirSync(directory, { recursive: true });
    writeTemporary(temporary, content, statSync(file.target, { throwIfNoEntry: false }));
    assertUnchanged(file);
    renameSync(temporary, file.target);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (created !== undefined) removeEmptyDirectories(directory, created);
    throw error instanceof HookwrightError ? error : writeFailed(file.path, error);
  }
  syncDirectory(directory);
}

/** Deletes the file, and the empty directories above it up to `created`. */
export function removeSettingsFile(file: SettingsFile, created?: string): void {
  try {
    assertUnchanged(file);
    unlinkSync(file.target);
  } catch (error) {
    throw error instanceof HookwrightError ? error : writeFailed(file.path, error);
  }
  syncDirectory(path.dirname(file.target));
  if (created !== undefined) removeEmptyDirectories(path.dirname(file.target), created);
}

/** Runs `read`, and turns a JSON syntax error into one with file, line and column. */
export function withErrorPosition<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, message: detail } = error;
    throw new HookwrightError("HW_SETTINGS_MALFORMED", { file, line, column, detail }, error);
  }
}

export function writeFailed(file: string, error: unknown): HookwrightError {
  return new HookwrightError("HW_WRITE_FAILED", { file, detail: systemDetail(error) }, error);
}

export function readFailed(file: string, error: unknown): HookwrightError {
  return new HookwrightError("HW_READ_FAILED", { file, detail: systemDetail(error) }, error);
}

const WRITING = new Set(["mkdir", "rename", "unlink", "rmdir", "rm", "chmod", "chown", "symlink", "copyfile", "write"]);
const NO_ROOM = new Set(["EROFS", "ENOSPC", "EDQUOT"]);

/** Turns an error of the operating system into one with a hint; undefined for any other error. */
export function systemFailure(error: unknown): HookwrightError | undefined {
  const code = errorCode(error);
  if (code === undefined || !(error instanceof Error) || !("syscall" in error) || !("path" in error)) return undefined;
  if (String(error.syscall).startsWith("spawn")) {
    const detail = code === "ENOENT" ? "there is no such program" : systemDetail(error);
    return new HookwrightError("HW_RUN_FAILED", { program: String(error.path), detail }, error);
  }
  const isWrite = WRITING.has(String(error.syscall)) || NO_ROOM.has(code);
  return isWrite ? writeFailed(String(error.path), error) : readFailed(String(error.path), error);
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Node's message is "EACCES: permission denied, open '/a/b'"; the path is left out, because our sentence has it. */
function systemDetail(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, code, text] = /^(E[A-Z0-9]+): ([^,]+)/.exec(message) ?? [];
  return code === undefined ? message : `${text} (${code})`;
}

function resolveTarget(file: string): string | undefined {
  let link: Stats;
  try {
    link = lstatSync(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw readFailed(file, error);
  }
  if (!link.isSymbolicLink()) return file;
  try {
    return realpathSync(file);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ELOOP") throw readFailed(file, error);
    const what =
      code === "ELOOP" ? "a symbolic link in a circle" : `a symbolic link to nothing (${readlinkSync(file)})`;
    throw new HookwrightError("HW_SETTINGS_NOT_A_FILE", { file, what }, error);
  }
}

function readBytes(file: string, target: string): Buffer {
  assertRegular(file, statOrFail(file, target));
  let fd: number | undefined;
  try {
    // Non-blocking, because the file could be replaced by a named pipe just now, and opening that would wait.
    fd = openSync(target, constants.O_RDONLY | constants.O_NONBLOCK);
    assertRegular(file, fstatSync(fd));
    return readFileSync(fd);
  } catch (error) {
    throw error instanceof HookwrightError ? error : readFailed(file, error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function statOrFail(file: string, target: string): Stats {
  try {
    return statSync(target);
  } catch (error) {
    throw readFailed(file, error);
  }
}

function assertRegular(file: string, stats: Stats): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory()
    ? "a directory"
    : stats.isFIFO()
      ? "a named pipe"
      : stats.isSocket()
        ? "a socket"
        : "a device";
  throw new HookwrightError("HW_SETTINGS_NOT_A_FILE", { file, what });
}

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    // The position of the error is where the bytes differ from a lenient decoding.
    const text = bytes.toString("utf8");
    const again = Buffer.from(text, "utf8");
    let at = 0;
    while (at < bytes.length && bytes[at] === again[at]) at++;
    const lines = bytes.subarray(0, at).toString("utf8").split("\n");
    const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    throw new HookwrightError("HW_SETTINGS_MALFORMED", { file, ...place, detail: "this is not UTF-8 text" }, error);
  }
}

function nearestDirectory(directory: string): string {
  let at = directory;
  while (path.dirname(at) !== at) {
    try {
      lstatSync(at);
      return at;
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      at = path.dirname(at);
    }
  }
  return at;
}

function writeTemporary(temporary: string, content: string | Uint8Array, old: Stats | undefined): void {
  const fd = openSync(temporary, "wx", old === undefined ? 0o666 : 0o600);
  try {
    writeFileSync(fd, content);
    if (old !== undefined) {
      keepOwner(fd, old);
      fchmodSync(fd, old.mode & 0o7777);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Keeps the owner when run as root. Other users may not change it, and then the file becomes theirs. */
function keepOwner(fd: number, old: Stats): void {
  const now = fstatSync(fd);
  if (now.uid === old.uid && now.gid === old.gid) return;
  try {
    fchownSync(fd, old.uid, old.gid);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  }
}

function assertUnchanged(file: SettingsFile): void {
  const now = resolveTarget(file.path);
  const bytes = now === undefined ? undefined : readBytes(file.path, now);
  const same = bytes === undefined ? file.bytes === undefined : file.bytes?.equals(bytes) && now === file.target;
  if (!same) throw new HookwrightError("HW_SETTINGS_CHANGED", { file: file.path });
}

/** Errors are ignored: the rename has happened, and some file systems cannot sync a directory. */
function syncDirectory(directory: string): boolean {
  let fd: number | undefined;
  try {
    fd = openSync(directory, constants.O_RDONLY);
    fsyncSync(fd);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Removes the folder and those above it up to `to`, as far as nothing is in them. */
export function removeEmptyDirectories(from: string, to: string): void {
  for (let at = from; at === to || at.startsWith(to + path.sep); at = path.dirname(at)) {
    try {
      rmdirSync(at);
    } catch (error) {
      // Not empty, not removable, or already gone: the directories above it stay as well.
      if (errorCode(error) === undefined) throw error;
      return;
    }
  }
}
