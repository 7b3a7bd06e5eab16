import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { writeFailed } from "../../agents/settings-file.ts";
import { makeFolder } from "../../system/make-folder.ts";

/** Writes a file that only this user can read, atomically: a reader sees the old content or the new one. */
export function writePrivateFile(file: string, text: string): void {
  const directory = path.dirname(file);
  const temporary = path.join(directory, `.${path.basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  let isThere = false;
  try {
    makeFolder(directory, 0o700);
    const fd = fs.openSync(temporary, "wx", 0o600);
    isThere = true;
    try {
      fs.writeFileSync(fd, text);
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temporary, file);
  } catch (error) {
    if (isThere) fs.rmSync(temporary, { force: true });
    throw writeFailed(file, error);
  }
}
