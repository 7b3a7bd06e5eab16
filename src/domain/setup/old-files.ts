import fs from "node:fs";
import path from "node:path";
import { isObject, type Json } from "../../core/event.ts";
import { system } from "../../system/system.ts";
import { mayWriteIn, OMC } from "../omc-folder/omc-folder.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LARGEST = 4 * 1024 * 1024;

/** One kind of old file: the folder, which names in it are meant, and how old such a file may become. */
interface Rule {
  readonly folder: string;
  readonly names: RegExp;
  readonly ms: number;
}

const RULES: readonly Rule[] = [
  { folder: "state/checkpoints", names: /^(?:checkpoint|wisdom)-.*\.(?:json|md)$/, ms: DAY },
  { folder: "state", names: /-session-[A-Za-z0-9][A-Za-z0-9_-]*\.json$/, ms: DAY },
  { folder: "state", names: /^(?!.*\.db(?:-(?:wal|shm|journal))?$)[^.]/, ms: 7 * DAY },
];
const SESSIONS = "state/sessions";
const OF_SESSION: Omit<Rule, "folder"> = { names: /-state\.json$/, ms: 7 * DAY };

/** Files below `.omc/state` that are too old to be of use, as absolute paths. Links are neither followed nor listed. */
export function oldFiles(project: string, now: number, isLive: (file: string) => boolean): string[] {
  const rules = [
    ...RULES,
    ...namesIn(project, SESSIONS).map((session) => ({ ...OF_SESSION, folder: `${SESSIONS}/${session}` })),
  ];
  const found = rules.flatMap(({ folder, names, ms }) =>
    namesIn(project, folder)
      .filter((name) => names.test(name))
      .map((name) => path.join(project, OMC, folder, name))
      .filter((file) => isOlder(file, now - ms) && !isLive(file) && !saysActive(file)),
  );
  return [...new Set(found)].sort();
}

/** Folders of sessions in which nothing has been for a day. */
export function emptySessionFolders(project: string, now: number): string[] {
  return namesIn(project, SESSIONS)
    .map((session) => path.join(project, OMC, SESSIONS, session))
    .filter((folder) => system.list(folder)?.length === 0 && changedAt(folder) < now - DAY);
}

function namesIn(project: string, folder: string): readonly string[] {
  if (!mayWriteIn(folder, { project, info: system.info })) return [];
  return system.list(path.join(project, OMC, folder)) ?? [];
}

function isOlder(file: string, time: number): boolean {
  return system.info(file)?.kind === "file" && changedAt(file) < time;
}

function changedAt(file: string): number {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

/** The state of a mode that goes on, maybe of another program than ours. */
function saysActive(file: string): boolean {
  if (!file.endsWith("-state.json")) return false;
  const text = system.readText(file, LARGEST);
  try {
    const value = JSON.parse(text ?? "null") as Json;
    return isObject(value) && value.active === true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
