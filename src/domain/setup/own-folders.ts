import fs from "node:fs";
import path from "node:path";
import { describe, HookwrightError } from "../../core/errors.ts";
import { system } from "../../system/system.ts";
import { ignoreTexts } from "../omc-folder/ignore-file.ts";
import { mayWriteIn, OMC } from "../omc-folder/omc-folder.ts";
import { FOLDERS } from "./folders.ts";

const IGNORE = ".gitignore";
const SESSIONS = "state/sessions";
/** The folders that hooks make, those inside others first. */
const OURS = ["state/checkpoints", SESSIONS, ...FOLDERS.filter((name) => !name.includes("/")), "sessions", "autopilot"];

/** Removes the ignore files that we wrote in a project's `.omc`, and each folder of ours that is empty then. */
export function removeOwnFolders(project: string): void {
  const may = (folder: string): boolean => mayWriteIn(folder, { project, info: system.info });
  const sessions = may(SESSIONS) ? (system.list(path.join(project, OMC, SESSIONS)) ?? []) : [];
  for (const folder of [...sessions.map((name) => `${SESSIONS}/${name}`), ...OURS, ""]) {
    if (!may(folder)) continue;
    const place = path.join(project, OMC, folder);
    const ignore = path.join(place, IGNORE);
    const isOurs = ignoreTexts(folder).includes(system.readText(ignore, 4_096) ?? "");
    if (isOurs && system.info(ignore)?.kind === "file") removing(ignore, fs.unlinkSync);
    if (system.list(place)?.length === 0) removing(place, fs.rmdirSync);
  }
}

/** Removes a file or a folder; an error names it. */
export function removing(file: string, remove: (file: string) => void): void {
  try {
    remove(file);
  } catch (error) {
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  }
}
