import fs from "node:fs";
import path from "node:path";

/**
 * Makes a folder and its missing parents; returns the topmost one that was made. Node's recursive `mkdir` never ends
 * where the system reports the parent of a folder as missing although it exists, as it does below /proc.
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const above = path.dirname(folder);
  // If the parent is a file, the error of `mkdir` below says so.
  const made = fs.existsSync(above) ? undefined : makeFolder(above, mode);
  try {
    fs.mkdirSync(folder, { mode });
    return made ?? folder;
  } catch (error) {
    // Another process may have made it meanwhile.
    if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return made;
    throw error;
  }
}
