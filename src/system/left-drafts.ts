import fs from "node:fs";
import path from "node:path";
import { system } from "./system.ts";

const DRAFT = /\.(\d+)\.tmp$/;

/** The draft that this process writes before it renames it to `target`. */
export function draftOf(target: string): string {
  return path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.tmp`);
}

/** Removes the drafts of writers that were killed during their work. */
export function removeLeftDrafts(target: string): void {
  const folder = path.dirname(target);
  const prefix = `.${path.basename(target)}.`;
  for (const name of fs.readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? DRAFT.exec(name)?.[1] : undefined;
    if (pid !== undefined && !system.isAlive(Number(pid))) fs.rmSync(path.join(folder, name), { force: true });
  }
}
