import type { CompiledConfig, ConfigSource } from "../config/compile.ts";

/** Reads YAML and validates it; needed only when a file has changed. */
export type ConfigCompiler = (sources: readonly ConfigSource[]) => Promise<CompiledConfig>;
/** For YAML of other programs, which is kept as JSON until it changes. */
export type YamlReader = typeof import("../config/read-yaml.ts").readYaml;
/** The engines behind patterns and globs; needed only when a rule of this event has one. */
export type PatternLoader = () => typeof import("../config/patterns.ts");

/** What most hooks never need, and what is therefore not part of the file that every hook loads. */
export interface Chunks {
  readonly compileConfig: ConfigCompiler;
  readonly readYaml: YamlReader;
  readonly loadPatterns: PatternLoader;
}

/** From the files that lie beside the bundle. */
export const BESIDE: Chunks = {
  compileConfig: (sources) => (require("./config.cjs") as typeof import("../config/compile.ts")).compileConfig(sources),
  readYaml: (text) => (require("./config.cjs") as typeof import("../config/compile.ts")).readYaml(text),
  loadPatterns: () => require("./patterns.cjs") as typeof import("../config/patterns.ts"),
};
