import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { HookwrightError } from "../../core/errors.ts";
import type { Home } from "../../system/home.ts";
import { systemPlaces } from "./system-folders.ts";

/** The folder that contains the built command line. */
export const distFolder = path.dirname(fileURLToPath(import.meta.url));

export interface BuildInfo {
  readonly version: string;
  readonly build: string;
}

export function builtVersion(folder = distFolder): BuildInfo {
  const file = path.join(folder, "build.json");
  if (!fs.existsSync(file)) throw new HookwrightError("HW_NOT_BUILT", { file });
  return JSON.parse(fs.readFileSync(file, "utf8")) as BuildInfo;
}

export { homeOf } from "./home-of.ts";

export interface ClientCommand {
  readonly kind: "c" | "node";
  /** The complete argument list; the event is passed on standard input. */
  readonly command: readonly string[];
}

/** The client of this build: an installed copy in one of `folders`, else the one in the package. */
export function clientOf(
  home: Home,
  dist: string = distFolder,
  folders: readonly string[] = [home.versions, systemPlaces().store.versions],
): ClientCommand {
  const { version, build } = builtVersion(dist);
  const installed = folders.map((folder) => path.join(folder, `${version}-${build}`));
  const folder = installed.find((one) => fs.existsSync(path.join(one, "hook.cjs"))) ?? dist;
  const compiled = path.join(folder, "hook");
  if (fs.existsSync(compiled)) return { kind: "c", command: [compiled] };
  return { kind: "node", command: [process.execPath, path.join(folder, "hook.cjs")] };
}
