import fs from "node:fs";
import path from "node:path";
import { errorCode, writeFailed } from "../../../agents/settings-file.ts";
import { type InstallStore, readInstalls } from "../../installation/installs.ts";
import { processesUsing } from "../../state/processes.ts";

export interface OldVersion {
  readonly folder: string;
  readonly removed: boolean;
  /** Why it stays, when no record asks for it. */
  readonly why: string;
}

/** A folder is made before it is recorded; what is this fresh may just be on its way into a record. */
const FRESH_MS = 3_600_000;
/** Left by an `init` or a clean-up that was cut short. */
const LEFT_OVER = /^\.(?:new|old)-/;

/** Folders of versions that no record names, and what would keep each of them from being removed. */
export function oldVersions(store: InstallStore, settings: readonly string[], now: number): OldVersion[] {
  const { records, damaged } = readInstalls(store);
  const named = new Set(records.map((record) => record.version));
  const files = [...new Set([...settings, ...records.map((record) => record.file)])];
  return namesIn(store.versions)
    .filter((name) => LEFT_OVER.test(name) || fs.existsSync(path.join(store.versions, name, "build.json")))
    .filter((name) => !named.has(name))
    .map((name) => {
      const folder = path.join(store.versions, name);
      const why = damaged ? `${store.installs} cannot be read` : reasonToKeep(folder, files, now);
      return { folder, removed: false, why };
    });
}

/** Removes what nothing speaks for. */
export function removeOldVersions(store: InstallStore, settings: readonly string[], now: number): OldVersion[] {
  return oldVersions(store, settings, now).map((old) => {
    if (old.why !== "") return old;
    // Out of the way first, so that nothing starts from a folder that is half gone.
    const aside = path.join(store.versions, `.old-${process.pid}-${path.basename(old.folder)}`);
    try {
      fs.renameSync(old.folder, aside);
      fs.rmSync(aside, { recursive: true, force: true });
    } catch (error) {
      throw writeFailed(old.folder, error);
    }
    return { ...old, removed: true };
  });
}

function reasonToKeep(folder: string, settings: readonly string[], now: number): string {
  const changed = fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now - changed < FRESH_MS) return "it is less than an hour old";
  const namedIn = settings.find((file) => textOf(file).includes(JSON.stringify(`${folder}/`).slice(1, -1)));
  if (namedIn !== undefined) return `${namedIn} still names it`;
  const users = processesUsing(folder);
  if (users === undefined) return "it could not be found out whether a process uses it";
  return users.length > 0 ? `process ${users.join(", ")} uses it` : "";
}

function namesIn(folder: string): string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}
