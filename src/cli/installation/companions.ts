import { existsSync } from "node:fs";
import path from "node:path";
import type { Companion } from "../../agents/installer.ts";
import {
  readSettingsFile,
  removeEmptyDirectories,
  removeSettingsFile,
  type SettingsFile,
  sha256OfBytes,
  writeSettingsFile,
} from "../../agents/settings-file.ts";
import { HookwrightError } from "../../core/errors.ts";
import type { InstallRecord } from "./installs.ts";

/** A file of ours as a whole, as it is on disk. */
export interface FoundCompanion extends Companion {
  readonly found: SettingsFile;
  readonly isCurrent: boolean;
}

/** Throws for a file that somebody else has written: it would not be ours to replace. */
export function findCompanions(wanted: readonly Companion[], record: InstallRecord | undefined): FoundCompanion[] {
  return wanted.map((companion) => {
    const found = readSettingsFile(companion.file);
    const isCurrent = found.text === companion.text;
    if (found.bytes !== undefined && !isCurrent && !isAsWritten(found, record)) {
      throw new HookwrightError("HW_NOT_OURS", { file: companion.file });
    }
    return { ...companion, found, isCurrent };
  });
}

/** Before the hooks: without them the other files do nothing. */
export function writeCompanions(companions: readonly FoundCompanion[]): void {
  for (const { found, text, isCurrent } of companions) if (!isCurrent) writeSettingsFile(found, text);
}

export function hashesOf(companions: readonly Companion[]): Record<string, string> {
  return Object.fromEntries(companions.map(({ file, text }) => [file, sha256OfBytes(Buffer.from(text))]));
}

/** After the hooks: these files may name none of the others any more. Returns the files that a person has changed, which stay. */
export function removeCompanions(
  wanted: readonly Companion[],
  record: InstallRecord | undefined,
  created: string | undefined,
): string[] {
  const changed: string[] = [];
  for (const { file, text } of wanted) {
    const found = readSettingsFile(file);
    if (found.bytes === undefined) continue;
    if (found.text === text || isAsWritten(found, record)) removeSettingsFile(found);
    else changed.push(file);
  }
  // The folders of the file with the hooks could not be removed while these were in them.
  const folders = new Set(wanted.map(({ file }) => path.dirname(file)));
  for (const folder of folders)
    if (created !== undefined && existsSync(folder)) removeEmptyDirectories(folder, created);
  return changed;
}

function isAsWritten({ path: file, bytes }: SettingsFile, record: InstallRecord | undefined): boolean {
  return bytes !== undefined && record?.companions?.[file] === sha256OfBytes(bytes);
}
