import type { CompiledConfig, ConfigSource } from "../config/compile.ts";
import type { Toml } from "../config/toml.ts";

/** Reads YAML and validates it; needed only when a file has changed. */
export type ConfigCompiler = (sources: readonly ConfigSource[]) => Promise<CompiledConfig>;
/** Reads YAML of other programs; its result is cached as JSON until the file changes. */
export type YamlReader = typeof import("../config/read-yaml.ts").readYaml;
/** Reads TOML; needed only when the text of such a file is new. */
export type TomlReader = (text: string) => Toml;
/** The engines behind patterns and globs; needed only when a rule of this event has one. */
export type PatternLoader = () => typeof import("../config/patterns.ts");

/** Code that most hooks never need. It is bundled into files of its own, so that a hook does not load it. */
export interface Chunks {
  readonly compileConfig: ConfigCompiler;
  readonly readYaml: YamlReader;
  readonly loadPatterns: PatternLoader;
  readonly readToml: TomlReader;
}

/** Loads them from the files beside the bundle. */
export const BESIDE: Chunks = {
  compileConfig: (sources) => (require("./config.cjs") as typeof import("../config/compile.ts")).compileConfig(sources),
  readYaml: (text) => (require("./config.cjs") as typeof import("../config/compile.ts")).readYaml(text),
  loadPatterns: () => require("./patterns.cjs") as typeof import("../config/patterns.ts"),
  readToml: (text) => (require("./toml.cjs") as typeof import("../config/toml.ts")).readToml(text),
};
