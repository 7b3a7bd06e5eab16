import { system } from "../../../system/system.ts";
import { boardCounts } from "../../board/counts.ts";
import type { ModeReader } from "../machine.ts";

/** Larger files are no files of a mode. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** The outside as a command reads it: the files as they are now. */
export function fileReader(project: string, now: number): ModeReader {
  return {
    project,
    now,
    text(file, _about, digest) {
      const text = system.readText(file, LARGEST_FILE);
      return text === undefined ? undefined : digest(text);
    },
    board: () => boardCounts(project, now),
  };
}
