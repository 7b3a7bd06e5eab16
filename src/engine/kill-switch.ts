import fs from "node:fs";
import { fileIn } from "../core/file-in.ts";
import { type Folders, LOOK_YOURSELF } from "./folders.ts";

/** While this file exists everything passes. Only a person makes and removes it. */
export function offFileAt(homeRoot: string): string {
  return fileIn(homeRoot, "off.json");
}

/** Whatever stands in the file: a person who switched off in a hurry shall not be overruled by a torn write. */
export function isSwitchedOff(homeRoot: string): boolean {
  return isOff(offFileAt(homeRoot), LOOK_YOURSELF);
}

export function isOff(file: string, { missing }: Folders): boolean {
  return !missing(file) && fs.existsSync(file);
}
