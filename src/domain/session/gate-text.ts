import path from "node:path";
import { isObject } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";

/** How an agent comes to a session: the command that begins one, the tool to ask with, the skills to choose from. */
type Look = Pick<PolicyContext, "actor" | "env" | "info" | "list" | "places" | "read">;

export const ENGINE_ENV = ["PATH"];
export const WAY_IN_ENV = [...ENGINE_ENV, "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CONFIG_DIR"];

const MOST_SKILLS = 8;
/** A name that can be shown as a command. */
const SKILL = /^[\w.-]{1,64}$/;
/** Its skills steer sessions; they are not what a session is for. */
const OWN_PLUGIN = /^hookwright(?:-verify)?@/;

/**
 * What `engine` is called by here. The one of the running build is named by its path, because an agent's shell may have
 * another PATH than its hooks. Undefined: there is none, so whoever waits for a session would wait forever.
 */
export function engineCommand({ env, info, places }: Pick<Look, "env" | "info" | "places">): string | undefined {
  const isThere = (file: string): boolean => ["file", "link"].includes(info(file)?.kind ?? "");
  if (isThere(places.engine)) return quoted(places.engine);
  const folders = (env("PATH") ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.some((folder) => isThere(path.join(folder, "engine"))) ? "engine" : undefined;
}

export function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * How to ask. Only the terminal's client surely has AskUserQuestion: without a person in front of it the tool is there
 * or not, depending on who runs the client, and nothing tells a hook.
 */
export function asking({ env }: Pick<Look, "env">): { readonly ask: string; readonly alone: string } {
  if (env("CLAUDE_CODE_ENTRYPOINT") === "cli") return { ask: "Ask the user with AskUserQuestion", alone: "" };
  return {
    ask: "Ask the user (with AskUserQuestion if you have that tool)",
    alone: " If nobody can answer, decide it yourself from the task.",
  };
}

/** With a blank before it; empty when no skill is installed. */
export function skillsText(look: Look): string {
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

function skillsIn(folder: string, { list, info }: Pick<Look, "list" | "info">): readonly string[] {
  const skills = path.join(folder, "skills");
  const isSkill = (name: string): boolean =>
    SKILL.test(name) && info(path.join(skills, name, "SKILL.md")) !== undefined;
  return (list(skills) ?? []).filter(isSkill);
}

/** The plugins that the agent's settings switch on, by name, and where each was installed. */
function pluginFolders(home: string, { places, info, read }: Look): [name: string, folder: string][] {
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
