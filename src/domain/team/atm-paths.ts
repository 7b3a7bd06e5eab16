import path from "node:path";

/** The environment variables that configure agent-team-mail. */
export const ATM_ENV = ["ATM_HOME", "ATM_TEAM", "ATM_IDENTITY", "CLAUDE_CONFIG_DIR"];

export interface AtmEnvironment {
  env(name: string): string | undefined;
  readonly userHome: string;
}

export function atmHome({ env, userHome }: AtmEnvironment): string {
  const set = env("ATM_HOME");
  return set && path.isAbsolute(set) ? set : userHome;
}

export interface AtmPaths {
  readonly daemon: string;
  readonly socket: string;
  readonly pidFile: string;
  readonly events: string;
}

/** Paths that other programs rely on. */
export function atmPathsIn(home: string): AtmPaths {
  const daemon = path.join(home, ".claude", "daemon");
  return {
    daemon,
    socket: path.join(daemon, "atm-daemon.sock"),
    pidFile: path.join(daemon, "atm-daemon.pid"),
    events: path.join(daemon, "hooks", "events.jsonl"),
  };
}

/** Folders in which teams may be stored, the most likely first. */
export function teamFolders(where: AtmEnvironment): string[] {
  const configDir = where.env("CLAUDE_CONFIG_DIR");
  const set = configDir && path.isAbsolute(configDir) ? [path.join(configDir, "teams")] : [];
  const homes = [atmHome(where), where.userHome].map((home) => path.join(home, ".claude", "teams"));
  return [...new Set([homes[0] ?? "", ...set, ...homes])];
}

/** A word that is safe as a path segment. A team's name becomes a folder name, so nothing else may reach the disk. */
export function isTeamName(name: unknown): name is string {
  return typeof name === "string" && /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(name);
}
