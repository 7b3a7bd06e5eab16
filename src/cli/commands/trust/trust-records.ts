import fs from "node:fs";
import { writeFailed } from "../../../agents/settings-file.ts";
import { readConfigFile } from "../../../engine/config/config-files.ts";
import { readTrust, standingOf, type TrustRecord, trustFileAt } from "../../../engine/config/trust.ts";
import { asideName } from "../../../system/set-aside.ts";
import { writePrivateFile } from "../../installation/private-file.ts";
import { folderHash } from "./policy-folder.ts";

export interface ListedTrust extends TrustRecord {
  readonly state: "in force" | "changed since" | "gone";
}

export function listTrust(homeRoot: string): ListedTrust[] {
  const { records } = readTrust(homeRoot);
  return records.map((record) => {
    const found = fs.statSync(record.file, { throwIfNoEntry: false });
    if (!found) return { ...record, state: "gone" };
    const isSame = found.isDirectory() ? folderHash(record.file) === record.sha256 : isSameFile(record);
    return { ...record, state: isSame ? "in force" : "changed since" };
  });
}

function isSameFile(record: TrustRecord): boolean {
  const content = readConfigFile(record.file);
  return "bytes" in content && standingOf({ records: [record], problem: "" }, record.file, content.bytes) === "trusted";
}

/**
 * Adds a record. Records of other versions of the same file stay, so that trust returns when a branch is switched back.
 * Returns the new path of a damaged list, if it was moved aside.
 */
export function addTrust(homeRoot: string, record: TrustRecord): string | undefined {
  const { records, problem } = readTrust(homeRoot);
  const aside = problem === "" ? undefined : moveAside(trustFileAt(homeRoot));
  const others = records.filter(({ file, sha256 }) => file !== record.file || sha256 !== record.sha256);
  save(homeRoot, [...others, record]);
  return aside;
}

/** Returns the removed records. */
export function removeTrust(homeRoot: string, isMeant: (file: string) => boolean): TrustRecord[] {
  const { records } = readTrust(homeRoot);
  const removed = records.filter(({ file }) => isMeant(file));
  if (removed.length > 0)
    save(
      homeRoot,
      records.filter(({ file }) => !isMeant(file)),
    );
  return removed;
}

function save(homeRoot: string, records: readonly TrustRecord[]): void {
  writePrivateFile(trustFileAt(homeRoot), `${JSON.stringify(records, null, 2)}\n`);
}

function moveAside(file: string): string {
  const aside = asideName(file, Date.now());
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    throw writeFailed(file, error);
  }
  return aside;
}
