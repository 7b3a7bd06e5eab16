import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "./make-folder.ts";

/**
 * Writes a file that only this user can read, atomically: a reader sees the old content or the new one. Throws the error of
 * the system. Without `syncs` a power cut may leave it empty, which does for what is written again soon.
 */
export function replacePrivateFile(file: string, text: string, syncs = true): void {
  const directory = path.dirname(file);
  const temporary = path.join(directory, `.${path.basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  let isThere = false;
  try {
    makeFolder(directory, 0o700);
    const fd = fs.openSync(temporary, "wx", 0o600);
    isThere = true;
    try {
      fs.writeFileSync(fd, text);
      if (syncs) fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temporary, file);
  } catch (error) {
    if (isThere) fs.rmSync(temporary, { force: true });
    throw error;
  }
}
