import path from "node:path";
import type { InstallStore } from "./installs.ts";

/** Folders that all users of the machine share: the managed settings, and the client that these start. */
export interface SystemPlaces {
  /** The user id of this process. */
  readonly uid: number;
  readonly settings: string;
  readonly store: InstallStore;
}

/** `prefix` is for tests; no environment variable or setting can change these paths. */
export function systemPlaces(prefix = "/", uid = process.getuid?.() ?? 0): SystemPlaces {
  // The folder must not be named `versions`: a client takes the parent of such a folder as its home, and each user has
  // an own home.
  const root = path.join(prefix, "usr/local/share/hookwright");
  return {
    uid,
    settings: path.join(prefix, "etc/claude-code/managed-settings.json"),
    store: { root, installs: path.join(root, "installs.json"), backups: path.join(root, "backups"), versions: root },
  };
}
