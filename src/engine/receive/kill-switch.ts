import fs from "node:fs";
import path from "node:path";
import { type Folders, LOOK_YOURSELF } from "../../system/folders.ts";
import type { Glance } from "../../system/glances.ts";

/** While this file exists everything passes. Only a person makes and removes it. */
export function offFileAt(homeRoot: string): string {
  return path.join(homeRoot, "off.json");
}

/** Whatever stands in the file: a person who switched off in a hurry shall not be overruled by a torn write. */
export function isSwitchedOff(homeRoot: string): boolean {
  return isOff(offFileAt(homeRoot), LOOK_YOURSELF);
}

/** Says what lets every event with this environment pass; empty while nothing does. */
export function killSwitch(
  homeRoot: string,
  glance: Glance,
  folders: Folders,
): (env: Readonly<Record<string, string>>) => string {
  const file = offFileAt(homeRoot);
  return (env) => {
    if (env.HOOKWRIGHT_DISABLE === "1") return "HOOKWRIGHT_DISABLE=1";
    return glance("off", () => isOff(file, folders)) ? "`hookwright off`" : "";
  };
}

function isOff(file: string, { missing }: Folders): boolean {
  return !missing(file) && fs.existsSync(file);
}
