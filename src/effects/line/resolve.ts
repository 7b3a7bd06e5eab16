import { posix } from "node:path";

/** No system accepts longer paths, and processing them costs time. */
export const LONGEST_PATH = 4096;

/** A path without steps back or to itself, which is just put after the folder. */
const PLAIN = /^(?:[\w@%+,:=-][\w.@%+,:=-]*\/)*[\w@%+,:=-][\w.@%+,:=-]*$/;

let last = { start: "/", cwd: "", base: "/" };

/** A path in a folder that a line is in, as a whole path. Thousands of files of one command lie in the same folder. */
export function resolveIn(start: string, cwd: string, path: string): string {
  if (!PLAIN.test(path)) return posix.resolve(start, cwd, path);
  if (last.start !== start || last.cwd !== cwd) last = { start, cwd, base: posix.resolve(start, cwd) };
  return posix.join(last.base, path);
}
