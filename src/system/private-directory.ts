import fs from "node:fs";
import { describe, HookwrightError } from "../core/errors.ts";
import { makeFolder } from "./make-folder.ts";

/** Another user who could enter the directory could answer hooks in our place. */
export function preparePrivateDirectory(directory: string, uid: number): void {
  try {
    makeFolder(directory, 0o700);
  } catch (error) {
    throw new HookwrightError("HW_RUNTIME_DIR", { dir: directory, detail: describe(error) }, error);
  }
  const detail = privacyProblem(directory, uid);
  if (detail !== "") throw new HookwrightError("HW_RUNTIME_DIR", { dir: directory, detail });
}

/** Why an existing directory is not private; empty when it is. */
export function privacyProblem(directory: string, uid: number): string {
  const stat = fs.lstatSync(directory);
  if (!stat.isDirectory()) return "it is not a directory";
  if (stat.uid !== uid) return `it belongs to user ${stat.uid}`;
  return (stat.mode & 0o077) === 0 ? "" : `its mode is ${(stat.mode & 0o777).toString(8)}`;
}
