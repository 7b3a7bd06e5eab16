import { existsSync, readdirSync } from "node:fs";

/** Names of what V8 runs in place of the engine's bundle, one for each Node that was used. */
export function codeCachesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => /^engine-.*\.cache$/.test(name)) : [];
}
