import path from "node:path";

/** The paths of all private state. No other file spells these names. */
export interface Home {
  readonly root: string;
  readonly database: string;
  /** The words of the journal, for searches. */
  readonly search: string;
  readonly installs: string;
  readonly backups: string;
  readonly versions: string;
  readonly cache: string;
  /** Snapshots made before commands that delete or overwrite. */
  readonly undo: string;
  /** The person's own configuration. */
  readonly config: string;
  /** The connection to a fleet and what came from it; see `fleetFiles`. */
  readonly fleet: string;
}

/** Follows links; see `Ports`. */
type RealPath = (file: string) => string;

/** `userHome` is the person's home directory, asked from the system by the caller. */
export function homeAt(root: string, userHome: string, realPath: RealPath = (file) => file): Home {
  const usual = usualRoot(userHome);
  const isUsual = root === usual || root === realPath(usual);
  return {
    root,
    config: isUsual ? path.join(userHome, ".config", "hookwright", "config.yml") : path.join(root, "config.yml"),
    database: path.join(root, "state.db"),
    search: path.join(root, "search.db"),
    installs: path.join(root, "installs.json"),
    backups: path.join(root, "backups"),
    versions: path.join(root, "versions"),
    cache: path.join(root, "cache"),
    undo: path.join(root, "undo"),
    fleet: path.join(root, "fleet"),
  };
}

/** The home without links or a slash at its end: the name of the socket is made from it, so it must have one spelling. */
export function resolveHome(
  env: Readonly<Record<string, string | undefined>>,
  userHome: string,
  realPath: RealPath,
): Home {
  const set = env.HOOKWRIGHT_HOME;
  return homeAt(realPath(set && path.isAbsolute(set) ? set : usualRoot(userHome)), userHome, realPath);
}

function usualRoot(userHome: string): string {
  return path.join(userHome, ".local", "share", "hookwright");
}
