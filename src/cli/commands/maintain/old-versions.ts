import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { INSTALLABLE } from "../../../agents/installers.ts";
import { shellLine } from "../../../agents/own-handlers.ts";
import { errorCode, writeFailed } from "../../../agents/settings-file.ts";
import { type InstallStore, readInstalls } from "../../installation/installs.ts";
import { processesUsing } from "../../state/processes.ts";

export interface OldVersion {
  readonly folder: string;
  readonly removed: boolean;
  /** Why the folder is kept although no record names it; empty when it can be removed. */
  readonly why: string;
}

/** Settings files that may name a version even if its installation record was lost. */
export function settingsNaming(env: NodeJS.ProcessEnv, cwd: string): string[] {
  const place = { env, cwd, userHome: env.HOME || os.homedir(), project: cwd };
  const files = INSTALLABLE.flatMap(({ installer }) =>
    installer.scopes
      .filter((scope) => scope === "user" || scope === "local")
      .map((scope) => installer.settingsFile(scope, place)),
  );
  return [...new Set(files)];
}

/** A folder is created before it is recorded, so a folder younger than this may belong to a running `init`. */
const FRESH_MS = 3_600_000;
/** Folders of an interrupted `init` or clean-up. */
const LEFT_OVER = /^\.(?:new|old)-/;

/** Version folders that no record names, with the reason to keep each of them, if any. */
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

/** Removes the old versions that have no reason to be kept. */
export function removeOldVersions(store: InstallStore, settings: readonly string[], now: number): OldVersion[] {
  return oldVersions(store, settings, now).map((old) => {
    if (old.why !== "") return old;
    // Renamed first, so that nothing starts from a partly deleted folder.
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
  // As it stands in JSON: as one word, or in a line for a shell.
  const names = [`${folder}/`, shellLine({ command: `${folder}/`, args: [] }).replace(/'$/, "")];
  const written = names.map((name) => JSON.stringify(name).slice(1, -1));
  const namedIn = settings.find((file) => {
    const text = textOf(file);
    return written.some((name) => text.includes(name));
  });
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
