import fs from "node:fs";
import { errorCode, writeFailed } from "../../../agents/settings-file.ts";
import { HookwrightError } from "../../../core/errors.ts";
import type { Line } from "../../../domain/transcript/transcript-line.ts";

const CHUNK = 256 * 1024;
const LINE_BREAK = 10;

/** A transcript as long as it was when it was opened: the agent may go on writing to it. */
export interface TranscriptFile {
  /** Every call reads the file from its beginning, line by line. */
  lines(): Generator<Line>;
  /** Is this path another name of the same file? */
  isSame(file: string): boolean;
  close(): void;
}

export function openTranscript(file: string): TranscriptFile {
  let fd: number;
  try {
    // A named pipe without a writer would otherwise be waited for.
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    throw unread(file, error);
  }
  const stat = fs.fstatSync(fd);
  if (!stat.isFile()) {
    fs.closeSync(fd);
    throw new HookwrightError("HW_READ_FAILED", { file, detail: "it is no regular file" });
  }
  return {
    lines: () => linesOf(fd, stat.size, file),
    isSame(other) {
      const known = fs.statSync(other, { throwIfNoEntry: false });
      return known?.ino === stat.ino && known.dev === stat.dev;
    },
    close: () => fs.closeSync(fd),
  };
}

function* linesOf(fd: number, size: number, file: string): Generator<Line> {
  /** The beginning of a line that is longer than what was read so far. */
  let begun: Buffer[] = [];
  let number = 0;
  const whole = (end: Buffer, isComplete: boolean): Line => {
    const bytes = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    begun = [];
    return { number: ++number, bytes, isComplete };
  };
  for (let at = 0; at < size; ) {
    const chunk = chunkAt(fd, at, Math.min(CHUNK, size - at), file);
    // Another program has cut the file.
    if (chunk.length === 0) break;
    at += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      yield whole(chunk.subarray(start, end + 1), true);
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  if (begun.length > 0) yield whole(Buffer.alloc(0), false);
}

function chunkAt(fd: number, at: number, length: number, file: string): Buffer {
  const chunk = Buffer.allocUnsafe(length);
  try {
    return chunk.subarray(0, fs.readSync(fd, chunk, 0, length, at));
  } catch (error) {
    throw unread(file, error);
  }
}

function unread(file: string, error: unknown): HookwrightError {
  const code = errorCode(error);
  if (code === undefined) throw error;
  return new HookwrightError("HW_READ_FAILED", { file, detail: code === "ENOENT" ? "there is no such file" : code });
}

/** A new file that only its owner can read. An existing file is kept, and an incomplete one is removed. */
export function writeCopy(file: string, write: (add: (bytes: Buffer | string) => void) => void): void {
  let fd: number;
  try {
    fd = fs.openSync(file, "wx", 0o600);
  } catch (error) {
    throw errorCode(error) === "EEXIST" ? new HookwrightError("HW_FILE_EXISTS", { file }) : writeFailed(file, error);
  }
  try {
    write((bytes) => fs.writeFileSync(fd, bytes));
    fs.fsyncSync(fd);
  } catch (error) {
    fs.rmSync(file, { force: true });
    // That the transcript cannot be read is no failure of the copy.
    if (error instanceof HookwrightError || errorCode(error) === undefined) throw error;
    throw writeFailed(file, error);
  } finally {
    fs.closeSync(fd);
  }
}
