import fs from "node:fs";
import path from "node:path";
import type { Toml } from "../../config/toml.ts";
import type { Json } from "../../core/event.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { makeFolder } from "../../system/make-folder.ts";
import type { TomlReader } from "../chunks.ts";

const MOST_KNOWN = 64;
const known = new Map<string, Toml>();

/** Cached by content, in memory and on disk, so that the parser is loaded only for a new text. */
export function cachedToml(text: string, load: TomlReader, folder: string | undefined): Toml {
  const key = fingerprint("toml", text);
  const before = known.get(key) ?? (folder === undefined ? undefined : fromDisk(folder, key));
  const toml = before ?? load(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, toml);
  if (before === undefined && folder !== undefined) keep(folder, key, toml);
  return toml;
}

function fileOf(folder: string, key: string): string {
  return path.join(folder, `toml-${key}.json`);
}

/** A cache file that cannot be parsed is ignored and made again. */
function fromDisk(folder: string, key: string): Toml | undefined {
  const file = fileOf(folder, key);
  if (!fs.existsSync(file)) return undefined;
  try {
    const found = JSON.parse(fs.readFileSync(file, "utf8")) as Json;
    const isKnown = typeof found === "object" && found !== null && ("value" in found || "problem" in found);
    return isKnown ? (found as unknown as Toml) : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** A failed write only costs time at the next event. */
function keep(folder: string, key: string, toml: Toml): void {
  const draft = `${fileOf(folder, key)}.${process.pid}`;
  try {
    makeFolder(folder, 0o700);
    fs.writeFileSync(draft, JSON.stringify(toml), { mode: 0o600 });
    fs.renameSync(draft, fileOf(folder, key));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
