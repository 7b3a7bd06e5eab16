import fs from "node:fs";
import path from "node:path";
import { describe } from "../../core/errors.ts";
import { type Config, DEFAULT_CONFIG } from "../../core/settings/config.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { CachedRead } from "../../system/file-cache.ts";
import type { Home } from "../../system/home.ts";
import { makeFolder } from "../../system/make-folder.ts";
import type { ConfigCompiler } from "../chunks.ts";
import { type ConfigFile, fileVersion, findConfigFiles, lastGoodFile, readConfigSources } from "./config-files.ts";
import { trustFileAt } from "./trust.ts";

export interface ConfigCache {
  /** The configuration for events in `cwd`, whose project root is `project`. */
  load(cwd: string, project: string): Promise<Config>;
}

/**
 * Two writes within one tick of the file system's clock leave the same timestamps. A file that changed less than
 * this long ago is read again every time, so the second write is not missed.
 */
const SETTLED_MS = 100;
const MOST_KNOWN = 64;

/** With `isReadOnly` nothing is written to the disk; the configuration is the same. */
export function openConfigCache(
  home: Home,
  build: string,
  compile: ConfigCompiler,
  isReadOnly: boolean = false,
  cached?: CachedRead,
): ConfigCache {
  const known = new Map<string, Config>();
  const remember = (key: string, config: Config): Config => {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, config);
    return config;
  };
  async function load(cwd: string, project: string): Promise<Config> {
    const found = findConfigFiles(home, cwd, project);
    if (found.length === 0) return DEFAULT_CONFIG;
    const hasProject = found.some((one) => one.owner === "project");
    const trust = hasProject ? fileVersion(trustFileAt(home.root)) : undefined;
    const key = fingerprint(build, trust?.stamp ?? "", ...found.flatMap((one) => [one.file, one.stamp]));
    const inMemory = known.get(key);
    if (inMemory) return inMemory;
    const onDisk = readCached(home, key);
    if (onDisk) return remember(key, onDisk);
    const isSettled = [...found, ...(trust ? [trust] : [])].every((one) => Date.now() - one.changedAt >= SETTLED_MS);
    const config = await compileAndKeep(home, isSettled ? key : undefined, found, compile, isReadOnly);
    return isSettled ? remember(key, config) : config;
  }

  return {
    load: (cwd, project) =>
      cached ? cached(`config ${cwd}\0${project}`, () => load(cwd, project)) : load(cwd, project),
  };
}

function cacheFile(home: Home, key: string): string {
  return path.join(home.cache, `config-${key}.json`);
}

/** A cache file that cannot be parsed is ignored and made again. */
function readCached(home: Home, key: string): Config | undefined {
  const file = cacheFile(home, key);
  if (!fs.existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    return isConfig(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function isConfig(value: unknown): value is Config {
  if (typeof value !== "object" || value === null) return false;
  const { profiles, policies, contextBudget, contextPolicy, rules, problems } = value as Partial<
    Record<keyof Config, unknown>
  >;
  return (
    [profiles, rules, problems].every(Array.isArray) &&
    typeof contextPolicy === "string" &&
    [policies, contextBudget].every((one) => one instanceof Object)
  );
}

async function compileAndKeep(
  home: Home,
  key: string | undefined,
  found: readonly ConfigFile[],
  compile: ConfigCompiler,
  isReadOnly: boolean,
): Promise<Config> {
  const { sources, problems } = readConfigSources(home, found);
  const { goodFiles, ...compiled } = await compile(sources);
  const config: Config = { ...compiled, problems: [...problems, ...compiled.problems] };
  if (isReadOnly) return config;
  try {
    makeFolder(home.cache, 0o700);
    for (const { file, text } of sources) {
      if (goodFiles.includes(file)) replace(lastGoodFile(home, file), text);
    }
    if (key !== undefined) replace(cacheFile(home, key), JSON.stringify(config));
  } catch (error) {
    // Without a cache every event compiles again: slower, but right.
    return {
      ...config,
      problems: [...config.problems, `The configuration cache cannot be written: ${describe(error)}`],
    };
  }
  return config;
}

function replace(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, text, { mode: 0o600 });
  fs.renameSync(temporary, file);
}
