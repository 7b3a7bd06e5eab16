import fs from "node:fs";
import path from "node:path";
import type { CompiledGlob } from "../../config/patterns.ts";
import type { Json } from "../../core/event.ts";
import type { YamlRead } from "../../core/policy.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { Home } from "../../system/home.ts";
import { makeFolder } from "../../system/make-folder.ts";
import type { Chunks } from "../chunks.ts";
import { fileVersion, readConfigFile } from "./config-files.ts";
import { cachedToml } from "./toml-cache.ts";

/** Formats that a policy may read besides JSON and plain text, with parsers that most hooks never load. */
export interface ForeignFormats {
  readYaml(file: string): YamlRead;
  /** Undefined for a text that is no TOML. */
  parseToml(text: string): Json | undefined;
  /** Undefined for an invalid glob. */
  matchesGlob(pattern: string, file: string): boolean | undefined;
}

const MOST_KNOWN = 64;
/** A file that changed less than this long ago may change again with the same timestamps. */
const SETTLED_MS = 100;

/** With `isReadOnly` nothing is written to the disk. */
export function openForeignFormats(
  home: Home,
  chunks: Pick<Chunks, "readYaml" | "readToml" | "loadPatterns">,
  isReadOnly: boolean = false,
): ForeignFormats {
  const known = new Map<string, YamlRead>();
  const globs = new Map<string, CompiledGlob | undefined>();
  const remember = (key: string, read: YamlRead): YamlRead => {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, read);
    return read;
  };
  return {
    readYaml(file) {
      const stamp = fileVersion(file);
      if (!stamp) return { kind: "absent" };
      const key = fingerprint(file, stamp.stamp);
      const kept = known.get(key) ?? readKept(home, key);
      if (kept) return remember(key, kept);
      const read = parse(file, chunks);
      if (Date.now() - stamp.changedAt < SETTLED_MS) return read;
      if (!isReadOnly) keep(home, key, read);
      return remember(key, read);
    },
    parseToml(text) {
      const toml = cachedToml(text, chunks.readToml, isReadOnly ? undefined : home.cache);
      return "value" in toml ? toml.value : undefined;
    },
    matchesGlob(pattern, file) {
      if (!globs.has(pattern)) {
        if (globs.size >= MOST_KNOWN) globs.clear();
        globs.set(pattern, compile(pattern, chunks));
      }
      return globs.get(pattern)?.matches(file);
    },
  };
}

function parse(file: string, { readYaml }: Pick<Chunks, "readYaml">): YamlRead {
  const content = readConfigFile(file);
  if ("unreadable" in content) return { kind: "unreadable", detail: content.unreadable };
  return yamlOf(content.text, file, readYaml);
}

export function yamlOf(text: string, file: string, readYaml: Chunks["readYaml"]): YamlRead {
  const yaml = readYaml(text);
  if (yaml.kind === "data") return { kind: "data", value: (yaml.value ?? null) as Json };
  const { line, column } = yaml.place;
  return { kind: "unreadable", detail: `${file}:${line}:${column}: ${yaml.detail.replace(/\.?$/, ".")}` };
}

function compile(pattern: string, { loadPatterns }: Pick<Chunks, "loadPatterns">): CompiledGlob | undefined {
  try {
    return loadPatterns().compileGlob(pattern);
  } catch (error) {
    // An invalid glob is reported by the caller, which knows the file it comes from.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function cacheFile(home: Home, key: string): string {
  return path.join(home.cache, `yaml-${key}.json`);
}

/** A cache file that cannot be parsed is ignored and made again. */
function readKept(home: Home, key: string): YamlRead | undefined {
  const file = cacheFile(home, key);
  if (!fs.existsSync(file)) return undefined;
  try {
    const value = JSON.parse(fs.readFileSync(file, "utf8")) as Partial<YamlRead> | null;
    return value?.kind === "data" || value?.kind === "unreadable" ? (value as YamlRead) : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Without the cache the file is parsed at every event that reads it: slower, with the same result. */
function keep(home: Home, key: string, read: YamlRead): void {
  const draft = `${cacheFile(home, key)}.${process.pid}`;
  try {
    makeFolder(home.cache, 0o700);
    fs.writeFileSync(draft, JSON.stringify(read), { mode: 0o600 });
    fs.renameSync(draft, cacheFile(home, key));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
