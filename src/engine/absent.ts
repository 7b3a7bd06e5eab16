import fs from "node:fs";
import path from "node:path";

/** Two changes within one tick of the file system's clock leave the same time behind. */
const SETTLED_MS = 100;
/** On a file system that does not keep the times of folders, a new file is noticed this late. */
const LONGEST_MS = 1_000;
const MOST = 1_000;

/** Files that were not there, with when that was and how their folder was then. */
const absent = new Map<string, { readonly at: number; readonly changed: number }>();
/** When folders were last changed, as seen at this moment. */
const folders = new Map<string, number | undefined>();
let moment = 0;

/**
 * Whether a file is surely not there. Most of what is looked for at every event never is, and a folder that has not
 * changed since has not got it meanwhile: one look at a folder stands for many at its files.
 */
export function isAbsent(file: string): boolean {
  const changed = changeOf(path.dirname(file));
  if (changed === undefined) return true;
  const known = absent.get(file);
  const isSettled = moment - changed > SETTLED_MS;
  if (known && known.changed === changed && moment - known.at < LONGEST_MS && moment >= known.at && isSettled)
    return true;
  if (fs.lstatSync(file, { throwIfNoEntry: false })) return false;
  if (absent.size >= MOST) absent.clear();
  absent.set(file, { at: moment, changed });
  return true;
}

/** Called where something new begins: what happened until then must be seen, were it within the same millisecond. */
export function lookAnew(): void {
  moment = 0;
}

function changeOf(folder: string): number | undefined {
  const now = Date.now();
  if (now !== moment) folders.clear();
  moment = now;
  if (!folders.has(folder)) folders.set(folder, fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs);
  return folders.get(folder);
}
