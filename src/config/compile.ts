import * as z from "zod";
import { type Config, DEFAULT_CONFIG } from "../core/settings/config.ts";
import { registry } from "../policies/index.gen.ts";
import { FileReport } from "./file-report.ts";
import { type MergeOptions, mergeSettings, type RefusedSetting } from "./merge-settings.ts";
import { printable, printableValue } from "./printable.ts";
import { type FileSettings, NO_SETTINGS, type OptionSchemas, readFileSettings } from "./read-settings.ts";
import { readYaml } from "./read-yaml.ts";

export { readYaml };

export type ConfigOwner = MergeOptions["owner"];

export interface ConfigSource {
  readonly file: string;
  /** A person's file may set anything; that of a project or of a fleet may only make settings stricter. */
  readonly owner: ConfigOwner;
  readonly text: string;
  /** The person has trusted this project's file with exactly these bytes. */
  readonly trusted?: boolean;
  /** The last text of the file without mistakes. */
  readonly lastGood?: string;
  /** Why the file could not be read, in a sentence; `text` is then empty. */
  readonly unreadable?: string;
}

export interface CompiledConfig extends Config {
  /** The files without mistakes. */
  readonly goodFiles: readonly string[];
}

const offByDefault = new Set(registry.filter(({ defaultMode }) => defaultMode === "off").map(({ id }) => id));
const needTrust = new Set(registry.filter(({ needsTrust }) => needsTrust).map(({ id }) => id));

/** Merges all files, weakest first, into one configuration. Never throws because of a file's content. */
export async function compileConfig(sources: readonly ConfigSource[]): Promise<CompiledConfig> {
  return compileWith(await optionSchemas(), sources);
}

export async function optionSchemas(): Promise<OptionSchemas> {
  const schemas = new Map<string, z.ZodObject>();
  for (const entry of registry) {
    const { options } = (await entry.load()).default;
    schemas.set(entry.id, options?.(z) ?? z.object({}));
  }
  return schemas;
}

export function compileWith(schemas: OptionSchemas, sources: readonly ConfigSource[]): CompiledConfig {
  let config = DEFAULT_CONFIG;
  const problems: string[] = [];
  const goodFiles: string[] = [];
  for (const source of sources) {
    const { settings, report } = read(source.file, source.text, schemas);
    if (source.unreadable === undefined && report.mistakes === 0) {
      const { owner } = source;
      const mayLoosen = owner === "person" || source.trusted === true;
      const refused = (refusal: RefusedSetting): void => report.remark(refusal.path, () => refusalText(refusal, owner));
      config = mergeSettings(config, settings, { schemas, offByDefault, needTrust, mayLoosen, owner, refused });
      goodFiles.push(source.file);
    } else {
      if (source.unreadable !== undefined) report.sentences.push(source.unreadable);
      const fallback = fallbackOf(source, settings, schemas);
      config = mergeSettings(config, fallback.settings, {
        schemas,
        offByDefault,
        needTrust,
        ...fallback,
        owner: source.owner,
        refused: () => undefined,
      });
      report.conclude(fallback.text);
    }
    problems.push(...report.sentences);
  }
  return { ...config, problems, goodFiles };
}

function read(file: string, text: string, schemas: OptionSchemas): { settings: FileSettings; report: FileReport } {
  const yaml = readYaml(text);
  const report = new FileReport(file, yaml);
  return { report, settings: yaml.kind === "data" ? readFileSettings(yaml.value, schemas, report) : NO_SETTINGS };
}

interface Fallback {
  readonly settings: FileSettings;
  readonly mayLoosen: boolean;
  readonly text: string;
}

/**
 * The settings to use for a broken file, because a typing mistake must not disarm the guard: its last good version, or
 * without one only what makes settings stricter. A project's file never loosens here, as other bytes were trusted.
 */
function fallbackOf(source: ConfigSource, settings: FileSettings, schemas: OptionSchemas): Fallback {
  const before = source.lastGood === undefined ? undefined : read(source.file, source.lastGood, schemas);
  if (before && before.report.mistakes === 0) {
    const text = "until that is corrected, what the file said before stays in force.";
    return { settings: before.settings, mayLoosen: source.owner === "person", text };
  }
  const text =
    source.unreadable === undefined
      ? "until that is corrected, only what makes things stricter is taken from it."
      : "until that is corrected, it counts as if it were not there.";
  return { settings, mayLoosen: false, text };
}

function refusalText({ path, inForce, why }: RefusedSetting, owner: ConfigOwner): string {
  const isRule = why === "note" || why === "taken";
  const name = isRule ? `rules/${inForce}` : printable(path.slice(path[0] === "policies" ? 1 : 0).join("."), 120);
  const who = owner === "fleet" ? "a fleet" : "a project";
  const reason = {
    looser: `${who} may only make it stricter, and \`${printableValue(inForce)}\` is in force`,
    never: `${who} may not set it by itself`,
    person: "only your own file may set it",
    note: `${who} may not talk to the model through a rule by itself`,
    taken: `a rule of yours has this id, and ${who} may not change it`,
  }[why];
  const way = why === "person" || owner === "fleet" ? "" : " To allow it, run `hookwright trust` in the project.";
  return `\`${name}\` is ignored: ${reason}.${way}`;
}
