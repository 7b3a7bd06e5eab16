import path from "node:path";

/** Where everything private lives. One file, so that no other spells these names. */
export interface Home {
  readonly root: string;
  readonly database: string;
  readonly installs: string;
  readonly backups: string;
  readonly versions: string;
  readonly cache: string;
  /** The person's own configuration. */
  readonly config: string;
}

/** `userHome` is the person's home directory, asked from the system by the caller. */
export function homeAt(root: string, userHome: string): Home {
  const isUsual = root === usualRoot(userHome);
  return {
    root,
    config: isUsual ? path.join(userHome, ".config", "hookwright", "config.yml") : path.join(root, "config.yml"),
    database: path.join(root, "state.db"),
    installs: path.join(root, "installs.json"),
    backups: path.join(root, "backups"),
    versions: path.join(root, "versions"),
    cache: path.join(root, "cache"),
  };
}

export function resolveHome(env: Readonly<Record<string, string | undefined>>, userHome: string): Home {
  const set = env.HOOKWRIGHT_HOME;
  return homeAt(set && path.isAbsolute(set) ? set : usualRoot(userHome), userHome);
}

function usualRoot(userHome: string): string {
  return path.join(userHome, ".local", "share", "hookwright");
}
