import path from "node:path";
import type { Adapter } from "../../agents/adapter.ts";
import { commandWords } from "../../agents/own-handlers.ts";
import { projectRoot } from "../../core/actor.ts";
import type { Json, JsonObject } from "../../core/event.ts";
import type { Frame } from "../../core/frame.ts";
import type { Ports } from "../../core/ports.ts";
import { homeFolder } from "../../system/user-folders.ts";
import type { ConfigCache } from "../config/config-cache.ts";
import type { PreparedEvent } from "./receive.ts";

const LARGEST_SETTINGS = 4 * 1024 * 1024;
const SHARED_NAME = "hookwright";

/**
 * A plugin and an installation in the agent's settings may both report an event, and so may an agent that also runs the
 * hooks of another one's settings. The first of them keeps silent when the agent's own installation runs the same profiles:
 * then that one decides, once. Hooks of one event run side by side, so this is read from the settings and not decided by
 * which hook came first.
 */
export async function isCoveredBySettings(
  { event, args, adapter }: PreparedEvent,
  frame: Frame,
  ports: Ports,
  config: ConfigCache,
): Promise<boolean> {
  if (!args.isSupplement && adapter.id === args.agent) return false;
  const project = projectRoot(event.cwd, ports);
  const files = adapter.settingsFiles(frame.env, frame.env.HOME || homeFolder(), event.cwd, project);
  for (const words of ownEntries(namesOf(event.agentEvent, adapter), files, frame.env.PATH ?? "", ports)) {
    const at = words.indexOf("--profile");
    const given = at < 0 ? undefined : (words[at + 1] ?? "").split(",");
    const profiles: readonly string[] = given ?? (await config.load(event.cwd, project)).profiles;
    if ((args.profiles ?? []).every((profile) => profiles.includes(profile))) return true;
  }
  return false;
}

/** The event's name, in each spelling that the agent has for it. */
function namesOf(agentEvent: string, { declaration: { events } }: Adapter): string[] {
  const name = events[agentEvent]?.name;
  return Object.keys(events).filter((one) => events[one]?.name === name);
}

/** The arguments of every registration of ours for this event whose program is there. */
function ownEntries(names: readonly string[], files: readonly string[], searchPath: string, ports: Ports): string[][] {
  return [...new Set(files)].flatMap((file) => {
    const text = ports.info(file) === undefined ? undefined : ports.readText(file, LARGEST_SETTINGS);
    if (text === undefined || !text.includes("--via")) return [];
    const hooks = member(parsed(text), "hooks");
    const handlers = names.flatMap((name) => handlersIn(member(hooks, name)));
    return handlers.filter((words) => words.includes("--via") && isThere(words[0] ?? "", searchPath, ports));
  });
}

/** Settings that cannot be read install nothing. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Handlers stand in groups, or, for some agents, alone. */
function handlersIn(groups: Json | undefined): string[][] {
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: Json) => {
    const matcher = member(group, "matcher");
    const handlers = member(group, "hooks") ?? [group];
    // One below a matcher sees only some calls.
    if ((matcher !== undefined && matcher !== "" && matcher !== "*") || !Array.isArray(handlers)) return [];
    return handlers.flatMap((handler: Json) => {
      const words = commandWords(handler);
      return words ? [[words.command, ...words.args]] : [];
    });
  });
}

function member(value: Json | undefined, name: string): Json | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

/** A project's settings call `hookwright` by name, which not every colleague has. */
function isThere(command: string, searchPath: string, ports: Ports): boolean {
  if (path.isAbsolute(command)) return ports.info(command) !== undefined;
  if (command !== SHARED_NAME) return false;
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.some((folder) => ports.info(path.join(folder, command)) !== undefined);
}
