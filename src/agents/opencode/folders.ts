import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where opencode keeps a person's settings. */
export function configFolder(env: Environment, userHome: string): string {
  const base = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : path.join(userHome, ".config");
  return path.join(base, "opencode");
}

export function projectFolder(project: string): string {
  return path.join(project, ".opencode");
}

/** Our plugin in one of these folders. opencode loads every file in `plugins`. */
export function pluginIn(folder: string): string {
  return path.join(folder, "plugins", "hookwright.js");
}
