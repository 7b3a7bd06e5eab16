import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  INSTALL_SCOPES,
  type InstallScope,
  type IsOwnHandler,
  ownHandlersUnder,
} from "../../agents/claude-code/install.ts";
import { HookwrightError } from "../../core/errors.ts";
import { isProfile, PROFILES, type ProfileName } from "../../core/settings/profiles.ts";
import { nearestName } from "../../core/text/nearest-name.ts";
import { PROJECT_CONFIG } from "../../engine/config/config-files.ts";
import type { Home } from "../../system/home.ts";
import type { CliCommand, CommandContext } from "../command.ts";
import { homeOf } from "./current-build.ts";
import type { InstallStore } from "./installs.ts";
import { type SystemPlaces, systemPlaces } from "./system-folders.ts";

/** The settings that `init` and `uninstall` share, computed from their options. */
export interface Setup {
  readonly agent: string;
  readonly scope: InstallScope;
  /** The profiles of `--profile`; empty without it. */
  readonly profiles: readonly ProfileName[];
  readonly yes: boolean;
  readonly home: Home;
  /** The folders for the record and the version: in the person's home, or the machine's shared ones. */
  readonly store: InstallStore;
  /** The settings file, by the path that the agent uses. */
  readonly file: string;
  readonly isOurs: IsOwnHandler;
  /** The configuration file for the profiles; undefined for the scope `managed`. */
  readonly config: string | undefined;
}

const AGENTS = ["claude-code"];

export const setupOptions = {
  agent: { type: "string", value: "A", description: `The coding agent: ${AGENTS.join(", ")} (default ${AGENTS[0]}).` },
  scope: {
    type: "string",
    value: "S",
    description: "Whose settings: user (default), project, local or managed.",
  },
  profile: {
    type: "string",
    value: "P,…",
    description: `Write these profiles into the configuration: ${PROFILES.join(", ")}.`,
  },
  yes: { type: "boolean", description: "Do not ask." },
} as const satisfies CliCommand["options"];

export function readSetup(command: string, context: CommandContext, system: SystemPlaces = systemPlaces()): Setup {
  const { options, env } = context;
  const agent = text(options.agent) ?? AGENTS[0] ?? "";
  if (!AGENTS.includes(agent)) throw new HookwrightError("HW_UNKNOWN_AGENT", { agent, known: AGENTS.join(", ") });
  const named = text(options.scope) ?? "user";
  const scope = INSTALL_SCOPES.find((known) => known === named);
  if (scope === undefined) {
    const detail = `\`--scope ${named}\` does not exist; there is ${INSTALL_SCOPES.join(", ")}.`;
    throw new HookwrightError("HW_USAGE", { detail, command });
  }
  const userHome = env.HOME || os.homedir();
  const home = homeOf(env);
  const setup = { agent, scope, profiles: readProfiles(command, text(options.profile)), yes: options.yes === true };
  const file = settingsFile(command, scope, context, userHome, system);
  const store = scope === "managed" ? system.store : home;
  return {
    ...setup,
    home,
    store,
    file,
    isOurs: ownHandlersUnder(store.versions),
    config: configFile(scope, file, home),
  };
}

function settingsFile(
  command: string,
  scope: InstallScope,
  { env, cwd }: CommandContext,
  userHome: string,
  system: SystemPlaces,
): string {
  const userFile = path.resolve(cwd, env.CLAUDE_CONFIG_DIR || path.join(userHome, ".claude"), "settings.json");
  if (scope === "user") return userFile;
  if (scope === "managed") {
    if (system.uid !== 0) throw new HookwrightError("HW_NOT_ROOT", { file: system.settings });
    return system.settings;
  }
  const folder = path.join(projectRoot(cwd), ".claude");
  if (scope === "local") return path.join(folder, "settings.local.json");
  const projectFile = path.join(folder, "settings.json");
  if (projectFile !== userFile) return projectFile;
  const detail = `The project settings here are your user settings (${userFile}). Use --scope user.`;
  throw new HookwrightError("HW_USAGE", { detail, command });
}

function configFile(scope: InstallScope, settings: string, home: Home): string | undefined {
  if (scope === "managed") return undefined;
  return scope === "project" ? path.join(path.dirname(path.dirname(settings)), PROJECT_CONFIG) : home.config;
}

function text(option: CommandContext["options"][string]): string | undefined {
  return typeof option === "string" ? option : undefined;
}

/** The names in the value of `--profile`; empty without one. */
export function readProfiles(command: string, given: string | undefined): ProfileName[] {
  if (given === undefined) return [];
  const names = given.split(",").map((name) => name.trim());
  if (names.every((name) => name === "")) {
    throw new HookwrightError("HW_USAGE", { detail: "`--profile` needs a name.", command });
  }
  return [...new Set(names)]
    .filter((name) => name !== "")
    .map((profile) => {
      if (isProfile(profile)) return profile;
      const nearest = nearestName(profile, PROFILES);
      throw new HookwrightError("HW_UNKNOWN_PROFILE", { profile, nearest, known: PROFILES.join(", ") });
    });
}

/** The nearest folder with `.git`. A linked worktree is its own root here, because the agent is started in it. */
function projectRoot(cwd: string): string {
  for (let at = path.resolve(cwd); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return at;
    if (path.dirname(at) === at) return path.resolve(cwd);
  }
}
