import fs from "node:fs";
import path from "node:path";

const CHUNK = 256 * 1024;
/** A longer line is passed over, so that a file of one line does not fill the memory. */
const LONGEST_LINE = 8 * 1024 * 1024;

/** Reads whole lines of a file that grows, and remembers how far it has come. */
export class GrowingFile {
  readonly #file: string;
  #offset: number;
  #rest = Buffer.alloc(0);
  #isSkipping = false;

  /** Goes on at the `place` where another reader of the file has come to. */
  constructor(file: string, place: number = 0) {
    this.#file = file;
    this.#offset = place;
  }

  /** Behind the last whole line that was read. */
  get place(): number {
    return this.#offset - this.#rest.length;
  }

  /** Returns how many bytes were read. */
  read(most: number, each: (line: string) => void): number {
    const fd = opened(this.#file);
    if (fd === undefined) return 0;
    try {
      const { size } = fs.fstatSync(fd);
      // Another file under the same name: its lines are counted as well.
      if (size < this.#offset) this.#startAgain();
      const chunk = Buffer.alloc(CHUNK);
      let done = 0;
      while (done < most) {
        const length = fs.readSync(fd, chunk, 0, Math.min(CHUNK, most - done), this.#offset);
        if (length === 0) break;
        this.#offset += length;
        done += length;
        this.#split(chunk.subarray(0, length), each);
      }
      return done;
    } finally {
      fs.closeSync(fd);
    }
  }

  #startAgain(): void {
    this.#offset = 0;
    this.#rest = Buffer.alloc(0);
    this.#isSkipping = false;
  }

  #split(chunk: Buffer, each: (line: string) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([this.#rest, chunk.subarray(start, end)]);
      this.#rest = Buffer.alloc(0);
      if (!this.#isSkipping) each(line.toString("utf8"));
      this.#isSkipping = false;
      start = end + 1;
    }
    if (this.#isSkipping) return;
    this.#rest = Buffer.concat([this.#rest, chunk.subarray(start)]);
    if (this.#rest.length <= LONGEST_LINE) return;
    this.#rest = Buffer.alloc(0);
    this.#isSkipping = true;
  }
}

/** The agent names the file, so it could be anything: a pipe would be waited for, a device never ends. */
function opened(file: string): number | undefined {
  if (!path.isAbsolute(file) || file.includes("\0")) return undefined;
  try {
    const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    if (fs.fstatSync(fd).isFile()) return fd;
    fs.closeSync(fd);
  } catch (error) {
    // Missing or unreadable: nothing is known of it.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return undefined;
}
