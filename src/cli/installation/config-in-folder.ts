import { type CompiledConfig, compileConfig } from "../../config/compile.ts";
import { projectRoot } from "../../core/actor.ts";
import { type ConfigFile, findConfigFiles, readConfigSources } from "../../engine/config/config-files.ts";
import type { Home } from "../../system/home.ts";
import { system } from "../../system/system.ts";

export interface ConfigInFolder {
  readonly config: CompiledConfig;
  readonly files: readonly ConfigFile[];
  /** Problems of the files and of the trust records. */
  readonly problems: readonly string[];
}

/** The configuration for events in `cwd`, as a hook reads it. `personText` replaces the content of the person's file. */
export async function configIn(home: Home, cwd: string, personText?: string): Promise<ConfigInFolder> {
  const files = findConfigFiles(home, cwd, projectRoot(cwd, system));
  const { sources, problems } = readConfigSources(home, files);
  const person = { file: home.config, owner: "person" as const, text: personText ?? "" };
  const all = personText === undefined ? sources : [person, ...sources.filter((source) => source.owner !== "person")];
  const config = await compileConfig(all);
  return { config, files, problems: [...problems, ...config.problems] };
}
