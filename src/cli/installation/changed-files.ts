import fs from "node:fs";
import path from "node:path";
import { errorCode, readFailed, sha256OfBytes } from "../../agents/settings-file.ts";
import type { InstallRecord, InstallStore } from "./installs.ts";

export interface ChangedFile {
  readonly file: string;
  readonly what: "changed" | "missing";
}

/** The installed files that were changed or removed since `init`. */
export function changedFilesOf(store: InstallStore, { version, files }: InstallRecord): ChangedFile[] {
  return Object.entries(files).flatMap(([name, hash]): ChangedFile[] => {
    const file = path.join(store.versions, path.basename(version), path.basename(name));
    const found = hashOf(file);
    // A missing code cache is no problem: it is created again from the bundle.
    if (found === undefined && name.endsWith(".cache")) return [];
    return found === hash ? [] : [{ file, what: found === undefined ? "missing" : "changed" }];
  });
}

function hashOf(file: string): string | undefined {
  try {
    return sha256OfBytes(fs.readFileSync(file));
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw readFailed(file, error);
  }
}
