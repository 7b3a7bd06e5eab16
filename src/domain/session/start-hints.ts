import path from "node:path";
import { isObject } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";

// The parts of the gate's message that tell an agent how to start a session: the engine's command, how to ask the user,
// and the installed skills.
type HintContext = Pick<PolicyContext, "actor" | "env" | "info" | "list" | "places" | "read">;

export const ENGINE_ENV = ["PATH"];
export const START_HINTS_ENV = [...ENGINE_ENV, "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CONFIG_DIR"];

const MOST_SKILLS = 8;
/** A name that can be shown as a command. */
const SKILL = /^[\w.-]{1,64}$/;
/** The skills of our own plugin manage sessions; a session is never started for one of them. */
const OWN_PLUGIN = /^hookwright(?:-verify)?@/;

/**
 * The command to call `engine` with. Our own engine is named by its full path, because the agent's shell may have another
 * PATH than its hooks. Undefined without an engine: then the agent could never start a session.
 */
export function engineCommand({ env, info, places }: Pick<HintContext, "env" | "info" | "places">): string | undefined {
  const isThere = (file: string): boolean => ["file", "link"].includes(info(file)?.kind ?? "");
  if (isThere(places.engine)) return shellQuoted(places.engine);
  const folders = (env("PATH") ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.some((folder) => isThere(path.join(folder, "engine"))) ? "engine" : undefined;
}

export function shellQuoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * The words for asking the user. Only the client in a terminal always has AskUserQuestion; for other entry points a hook
 * cannot know whether the tool exists.
 */
export function askInstruction({ env }: Pick<HintContext, "env">): { readonly ask: string; readonly alone: string } {
  if (env("CLAUDE_CODE_ENTRYPOINT") === "cli") return { ask: "Ask the user with AskUserQuestion", alone: "" };
  return {
    ask: "Ask the user (with AskUserQuestion if you have that tool)",
    alone: " If nobody can answer, decide it yourself from the task.",
  };
}

/** Starts with a blank, because it is appended to a sentence; empty when no skill is installed. */
export function installedSkillsText(look: HintContext): string {
  const home = look.env("CLAUDE_CONFIG_DIR") || path.join(look.places.userHome, ".claude");
  const own = [path.join(look.actor.project, ".claude"), home].flatMap((folder) => skillsIn(folder, look));
  const plugins = pluginFolders(home, look).flatMap(([plugin, folder]) =>
    skillsIn(folder, look).map((skill) => `${plugin}:${skill}`),
  );
  const names = [...new Set([...own, ...plugins])].map((name) => `/${name}`);
  if (names.length === 0) return "";
  const more = names.length > MOST_SKILLS ? ` and ${names.length - MOST_SKILLS} more` : "";
  return ` (installed: ${names.slice(0, MOST_SKILLS).join(", ")}${more})`;
}

function skillsIn(folder: string, { list, info }: Pick<HintContext, "list" | "info">): readonly string[] {
  const skills = path.join(folder, "skills");
  const isSkill = (name: string): boolean =>
    SKILL.test(name) && info(path.join(skills, name, "SKILL.md")) !== undefined;
  return (list(skills) ?? []).filter(isSkill);
}

/** The enabled plugins of the agent, with the folders in which they are installed. */
function pluginFolders(home: string, { places, info, read }: HintContext): [name: string, folder: string][] {
  const enabled = places.agentSettings.flatMap((file) => {
    if (info(file) === undefined) return [];
    const plugins = read.json([file], (value) => (isObject(value) ? value.enabledPlugins : undefined));
    return isObject(plugins) ? Object.keys(plugins).filter((name) => plugins[name] === true) : [];
  });
  const wanted = [...new Set(enabled)].filter((name) => !OWN_PLUGIN.test(name));
  if (wanted.length === 0) return [];
  const file = path.join(home, "plugins", "installed_plugins.json");
  const installed = read.json([file], (value) => (isObject(value) ? value.plugins : undefined));
  return wanted.flatMap((name): [string, string][] => {
    const places = isObject(installed) ? installed[name] : undefined;
    const first = Array.isArray(places) ? places.find(isObject) : undefined;
    const folder = first?.installPath;
    return typeof folder === "string" && path.isAbsolute(folder) ? [[name.split("@")[0] ?? name, folder]] : [];
  });
}
