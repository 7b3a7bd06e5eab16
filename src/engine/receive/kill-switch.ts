import fs from "node:fs";
import path from "node:path";

/** While this file exists everything passes. Only a person makes and removes it. */
export function offFileAt(homeRoot: string): string {
  return path.join(homeRoot, "off.json");
}

/** Whatever the file contains: a person who switched off in a hurry must not be overruled by a torn write. */
export function isSwitchedOff(homeRoot: string): boolean {
  return fs.existsSync(offFileAt(homeRoot));
}
