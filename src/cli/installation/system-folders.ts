import path from "node:path";
import type { InstallStore } from "./installs.ts";

/** What belongs to the machine and not to one person: settings for everybody, and the client they name. */
export interface SystemPlaces {
  /** Who runs this command. */
  readonly uid: number;
  readonly settings: string;
  readonly store: InstallStore;
}

/** `prefix` is for tests; nothing a hook or a project can set moves these. */
export function systemPlaces(prefix = "/", uid = process.getuid?.() ?? 0): SystemPlaces {
  // Not called `versions`: a client below a folder of that name takes the folder above for its home, and everybody
  // has a home of their own.
  const root = path.join(prefix, "usr/local/share/hookwright");
  return {
    uid,
    settings: path.join(prefix, "etc/claude-code/managed-settings.json"),
    store: { root, installs: path.join(root, "installs.json"), backups: path.join(root, "backups"), versions: root },
  };
}
