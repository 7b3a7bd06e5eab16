import { existsSync, readdirSync } from "node:fs";

/** The names of V8 code caches of the engine's bundle; there is one for each Node version that ran it. */
export function codeCachesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => /^engine-.*\.cache$/.test(name)) : [];
}
