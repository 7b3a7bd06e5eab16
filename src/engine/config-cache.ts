import fs from "node:fs";
import path from "node:path";
import type { ConfigSource } from "../config/compile.ts";
import { type Config, DEFAULT_CONFIG } from "../core/config.ts";
import { describe } from "../core/errors.ts";
import { fingerprint } from "../core/fingerprint.ts";
import type { Home } from "../core/home.ts";

export const PROJECT_CONFIG = "hookwright.yml";

/** Reads YAML and validates it; a chunk of its own because it is needed only when a file has changed. */
export type ConfigCompiler = (sources: readonly ConfigSource[]) => Promise<Config>;

export interface ConfigCache {
  /** The configuration for events in `cwd`, whose project root is `project`. */
  load(cwd: string, project: string): Promise<Config>;
}

interface Found {
  readonly file: string;
  readonly owner: "person" | "project";
  readonly stamp: string;
}

export function openConfigCache(home: Home, build: string, compile: ConfigCompiler): ConfigCache {
  const known = new Map<string, Config>();
  return {
    async load(cwd, project) {
      const found = [stat(home.config, "person"), nearest(cwd, project)].filter((one) => one !== undefined);
      if (found.length === 0) return DEFAULT_CONFIG;
      const key = fingerprint(build, ...found.flatMap((one) => [one.file, one.stamp]));
      const cached = known.get(key) ?? readCached(home, key);
      const config = cached ?? (await compileAndKeep(home, key, found, compile));
      if (known.size > 64) known.clear();
      known.set(key, config);
      return config;
    },
  };
}

function stat(file: string, owner: Found["owner"]): Found | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? { file, owner, stamp: `${stat.mtimeMs}:${stat.size}:${stat.ino}` } : undefined;
}

/** From the working directory up to the project root, the first one found. */
function nearest(cwd: string, project: string): Found | undefined {
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    const found = stat(path.join(dir, PROJECT_CONFIG), "project");
    if (found || dir === project || dir === path.dirname(dir)) return found;
  }
}

function readCached(home: Home, key: string): Config | undefined {
  const file = path.join(home.cache, `config-${key}.json`);
  if (!fs.existsSync(file)) return undefined;
  return JSON.parse(fs.readFileSync(file, "utf8")) as Config;
}

async function compileAndKeep(
  home: Home,
  key: string,
  found: readonly Found[],
  compile: ConfigCompiler,
): Promise<Config> {
  const sources = found.map(({ file, owner }) => ({ file, owner, text: fs.readFileSync(file, "utf8") }));
  const compiled = await compile(sources);
  const goodFile = path.join(home.cache, `config-good-${fingerprint(...found.map((one) => one.file))}.json`);
  const isGood = compiled.problems.length === 0;
  const config = isGood || !fs.existsSync(goodFile) ? compiled : lastGood(goodFile, compiled.problems);
  const text = JSON.stringify(config);
  try {
    fs.mkdirSync(home.cache, { recursive: true, mode: 0o700 });
    for (const file of isGood ? [goodFile, path.join(home.cache, `config-${key}.json`)] : []) {
      fs.writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
      fs.renameSync(`${file}.${process.pid}`, file);
    }
  } catch (error) {
    // Without a cache every event compiles again: slower, but right.
    return {
      ...config,
      problems: [...config.problems, `The configuration cache cannot be written: ${describe(error)}`],
    };
  }
  return config;
}

function lastGood(file: string, problems: readonly string[]): Config {
  return { ...(JSON.parse(fs.readFileSync(file, "utf8")) as Config), problems };
}
