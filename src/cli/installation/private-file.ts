import { writeFailed } from "../../agents/settings-file.ts";
import { replacePrivateFile } from "../../system/private-file.ts";

/** Writes a file that only this user can read, atomically: a reader sees the old content or the new one. */
export function writePrivateFile(file: string, text: string): void {
  try {
    replacePrivateFile(file, text);
  } catch (error) {
    throw writeFailed(file, error);
  }
}
