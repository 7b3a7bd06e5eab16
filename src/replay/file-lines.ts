import fs from "node:fs";

const CHUNK = 256 * 1024;
/** Longer lines are skipped: no event is that large. */
const LONGEST_LINE = 64 * 1024 * 1024;

export interface FileLine {
  /** Counted from 1. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly offset: number;
  readonly bytes: Buffer;
}

/** The lines of a file, read as they are needed. */
export function* fileLines(file: string): Generator<FileLine> {
  const fd = fs.openSync(file, "r");
  try {
    let pieces: Buffer[] = [];
    let held = 0;
    let number = 1;
    let offset = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const size = fs.readSync(fd, chunk, 0, CHUNK, null);
      if (size === 0) break;
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0 && end < size; end = chunk.indexOf(10, start)) {
        const bytes = Buffer.concat([...pieces, chunk.subarray(start, end)]);
        const length = held + end - start + 1;
        if (length <= LONGEST_LINE) yield { number, offset, bytes };
        offset += length;
        number += 1;
        pieces = [];
        held = 0;
        start = end + 1;
      }
      held += size - start;
      if (held > LONGEST_LINE) pieces = [];
      else pieces.push(chunk.subarray(start, size));
    }
    if (held > 0 && held <= LONGEST_LINE) yield { number, offset, bytes: Buffer.concat(pieces) };
  } finally {
    fs.closeSync(fd);
  }
}

/** A part of a file, as JSON; undefined for what is no JSON. */
export function parseLine(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    // The agent may be writing the last line just now.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
