import { claudeCode } from "../../agents/claude-code/adapter.ts";
import { projectRoot } from "../../core/actor.ts";
import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { system } from "../../system/system.ts";
import { homeFolder } from "../../system/user-folders.ts";

const LARGEST_SETTINGS = 4 * 1024 * 1024;

export interface AgentSettings {
  readonly file: string;
  /** Null for a file that cannot be read; the agent cannot use it either. */
  readonly settings: Json;
}

/** The agent's settings files that apply in a folder; a later one overrides those before it. */
export function agentSettingsIn(env: NodeJS.ProcessEnv, cwd: string): AgentSettings[] {
  const known = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const files = claudeCode.settingsFiles(known, env.HOME || homeFolder(), cwd, projectRoot(cwd, system));
  return [...new Set(files)].flatMap((file) => {
    const text = system.info(file) === undefined ? undefined : system.readText(file, LARGEST_SETTINGS);
    return text === undefined ? [] : [{ file, settings: parsed(text) }];
  });
}

/** The names of the plugins that are enabled by these files, such as `omc@hookwright`. */
export function enabledPlugins(files: readonly AgentSettings[]): readonly string[] {
  const all = new Map<string, boolean>();
  for (const { settings } of files) {
    const plugins = isObject(settings) ? settings.enabledPlugins : undefined;
    if (!isObject(plugins)) continue;
    for (const [name, isOn] of Object.entries(plugins)) all.set(name, isOn === true);
  }
  return [...all].flatMap(([name, isOn]) => (isOn ? [name] : []));
}

/** The plugin that brings the profile `omc` by itself. */
export const OMC_PLUGIN = "omc@hookwright";

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
