import type { Config, PolicyMode } from "../core/settings/config.ts";
import type { Chunks } from "../engine/chunks.ts";
import { type ConfigCache, openConfigCache } from "../engine/config/config-cache.ts";
import { openForeignFormats } from "../engine/config/foreign-formats.ts";
import { openProjectPolicies } from "../engine/project-policies/project-policies.ts";
import { openLock } from "../engine/receive/queue.ts";
import type { Home } from "../system/home.ts";
import type { ReplaySources } from "./decide-again.ts";

/** What to try. Left out: everything as it is configured now. */
export interface Trial {
  /** Takes the place of the person's configuration. */
  readonly configFile?: string | undefined;
  readonly modes: Readonly<Record<string, PolicyMode>>;
  /** Take the place of those of configuration and registration. */
  readonly profiles: readonly string[];
}

export interface SourceOptions extends Chunks {
  readonly home: Home;
  readonly build: string;
  readonly policyWorker: string;
  readonly trial: Trial;
}

export interface OpenSources {
  readonly sources: ReplaySources;
  /** What is wrong with the configuration that is tried, in sentences. */
  problems(): Promise<readonly string[]>;
  close(): void;
}

/** Reads configuration and policies as hooks do, and writes nothing. */
export function openSources({ home, build, policyWorker, trial, ...chunks }: SourceOptions): OpenSources {
  const { configFile, modes } = trial;
  const tried = configFile === undefined ? home : { ...home, config: configFile };
  const projectPolicies = openProjectPolicies(home, policyWorker);
  const withModes = changedBy(modes);
  const live = openConfigCache(tried, build, chunks.compileConfig, true);
  const changed: ConfigCache = { load: async (cwd, project) => withModes(await live.load(cwd, project)) };
  return {
    sources: {
      formats: openForeignFormats(home, chunks, true),
      projectPolicies,
      loadPatterns: chunks.loadPatterns,
      lock: openLock(),
      cached: undefined,
      boardOf: () => undefined,
      // Boards of projects are outside: none is ended.
      endBoard: () => "",
      profiles: trial.profiles,
      configFor: ({ config }) =>
        config === undefined || configFile !== undefined ? changed : { load: async () => withModes(config) },
    },
    problems: async () => (await live.load("/", "/")).problems,
    close: () => projectPolicies.close(),
  };
}

/** One configuration stays one object, because policies are loaded for each. */
function changedBy(modes: Trial["modes"]): (config: Config) => Config {
  if (Object.keys(modes).length === 0) return (config) => config;
  const known = new WeakMap<Config, Config>();
  return (config) => {
    const before = known.get(config);
    if (before) return before;
    const policies = { ...config.policies };
    for (const [id, mode] of Object.entries(modes)) policies[id] = { ...policies[id], mode };
    const made = { ...config, policies };
    known.set(config, made);
    return made;
  };
}
