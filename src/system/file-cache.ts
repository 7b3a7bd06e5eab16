import type { Ports } from "../core/ports.ts";

/**
 * How long an answer about a file counts in a process that stays. A hook takes longer than this to start and to ask, so
 * nobody who changes a file and then runs a hook is answered by the old one; a burst of events reads each file once.
 */
const FRESH_MS = 2;

/** Returns the value that was read under this name, and reads it again when it is no longer fresh. */
export type CachedRead = <T>(name: string, read: () => T) => T;

/** For the daemon; a process that decides one event has no cache. `clock` counts milliseconds and is never set back. */
export function openFileCache(clock: () => number = () => performance.now()): CachedRead {
  let values = new Map<string, unknown>();
  let since = Number.NEGATIVE_INFINITY;
  return <T>(name: string, read: () => T): T => {
    const now = clock();
    if (now - since >= FRESH_MS) {
      values = new Map();
      since = now;
    }
    const known = values.get(name);
    if (known !== undefined || values.has(name)) return known as T;
    const value = read();
    values.set(name, value);
    return value;
  };
}

/**
 * Ports that read through the cache. Contents and stamps of files are always read anew: an export of this process may
 * have changed them a moment ago.
 */
export function cachedPorts(ports: Ports, cached: CachedRead): Ports {
  const info: Ports["info"] = (file) => cached(`info ${file}`, () => ports.info(file));
  return {
    ...ports,
    info,
    kind: (file) => info(file)?.kind,
    list: (folder) => cached(`list ${folder}`, () => ports.list(folder)),
    realPath: (file) =>
      ports.realPath(
        file,
        cached("no links", () => new Set<string>()),
      ),
  };
}
