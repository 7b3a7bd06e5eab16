import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import * as z from "zod";
import { errorCode, sha256OfBytes } from "../../../agents/settings-file.ts";

const Hashes = z.record(z.string(), z.object({ sha256: z.string() }));

/**
 * The client for this machine from its own package, which npm installs beside ours. Our package has the hashes of the
 * clients that it was published with: another client would speak to daemons of another build, or be somebody else's.
 */
export function prebuiltClient(packageRoot: string, notes: string[]): Buffer | undefined {
  const list = path.join(packageRoot, "dist", "clients.json");
  // Only the published package has the list; a checkout compiles its client.
  if (!existsSync(list)) return undefined;
  const machine = `${process.platform}-${process.arch}`;
  const name = `@hookwright/client-${machine}`;
  const known = Hashes.parse(JSON.parse(readFileSync(list, "utf8")))[machine];
  const file = known && fileOf(packageRoot, `${name}/hook`);
  if (known === undefined || file === undefined) return undefined;
  const bytes = readFileSync(file);
  if (sha256OfBytes(bytes) === known.sha256) return bytes;
  notes.push(`The client in ${file} is not used: it is not the one that this version was published with.`);
  return undefined;
}

function fileOf(packageRoot: string, name: string): string | undefined {
  try {
    return createRequire(path.join(packageRoot, "package.json")).resolve(name);
  } catch (error) {
    if (errorCode(error) === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
