import type { Ports } from "../core/ports.ts";
import type { Folders } from "./folders.ts";
import { ticks } from "./ticks.ts";

/**
 * How long a look counts. A hook needs longer than this to start and ask, so nobody who changes a file and then asks
 * sees the old one; a crowd of events looks at the same few files once.
 */
export const FRESH_MS = 2;

/** What was seen under this name, looked at again only when that is no longer fresh. */
export type Glance = <T>(name: string, look: () => T) => T;

/** For a process that decides one event. */
export const lookAlways: Glance = (_name, look) => look();

export function glances(clock: () => number = ticks): Glance {
  let seen = new Map<string, unknown>();
  let since = Number.NEGATIVE_INFINITY;
  return <T>(name: string, look: () => T): T => {
    const now = clock();
    if (now - since >= FRESH_MS) {
      seen = new Map();
      since = now;
    }
    const known = seen.get(name);
    if (known !== undefined || seen.has(name)) return known as T;
    const found = look();
    seen.set(name, found);
    return found;
  };
}

/** What is there, what a folder lists and where no links are is asked by one event after the other; contents are not. */
export function glancing(ports: Ports, glance: Glance, { missing, kind }: Folders): Ports {
  return {
    ...ports,
    kind(file) {
      const known = kind(file);
      return known === "missing" ? undefined : (known ?? glance(`info ${file}`, () => ports.info(file))?.kind);
    },
    info: (file) => (missing(file) ? undefined : glance(`info ${file}`, () => ports.info(file))),
    stamp: (file) => (missing(file) ? undefined : ports.stamp(file)),
    realPath: (file) =>
      ports.realPath(
        file,
        glance("plain", () => new Set<string>()),
      ),
    list: (folder) => (missing(folder) ? undefined : glance(`list ${folder}`, () => ports.list(folder))),
  };
}
