import type { Ports } from "../core/ports.ts";
import { type Folders, folderLooks, LOOK_YOURSELF } from "../system/folders.ts";
import { type Glance, glances, glancing, lookAlways } from "../system/glances.ts";
import { NEVER_QUIET, QuietStores } from "./record/quiet-stores.ts";

interface Looks {
  readonly glance: Glance;
  readonly folders: Folders;
  readonly quiet: QuietStores;
  readonly ports: Ports;
}

/** How a process looks at files: one that stays remembers for a moment what it saw. */
export function looksOf(ports: Ports, isResident: boolean): Looks {
  if (!isResident) return { glance: lookAlways, folders: LOOK_YOURSELF, quiet: NEVER_QUIET, ports };
  const glance = glances();
  const folders = folderLooks();
  return { glance, folders, quiet: new QuietStores(folders), ports: glancing(ports, glance, folders) };
}
