import fs from "node:fs";
import path from "node:path";

/**
 * A folder and those above it that are missing; returns the topmost one that was made. Node's own way never ends where
 * the system says of a folder that cannot be made that the one above it is missing, as it does below /proc.
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const above = path.dirname(folder);
  // Below a file the system says best what is wrong.
  const made = fs.existsSync(above) ? undefined : makeFolder(above, mode);
  try {
    fs.mkdirSync(folder, { mode });
    return made ?? folder;
  } catch (error) {
    // Somebody else may have made it in the meantime.
    if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return made;
    throw error;
  }
}
