import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { INSTALL_SCOPES, type InstallPlace, type InstallScope } from "../../agents/installer.ts";
import { INSTALLABLE, INSTALLABLE_NAMES, type InstallableAgent, installableAgent } from "../../agents/installers.ts";
import { type IsOwnHandler, ownHandlersUnder } from "../../agents/own-handlers.ts";
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
  readonly declaration: InstallableAgent["declaration"];
  readonly installer: InstallableAgent["installer"];
  readonly scope: InstallScope;
  /** The profiles of `--profile`; empty without it. */
  readonly profiles: readonly ProfileName[];
  readonly yes: boolean;
  readonly home: Home;
  /** The folders for the record and the version: in the person's home, or the machine's shared ones. */
  readonly store: InstallStore;
  /** The settings file, by the path that the agent uses. */
  readonly file: string;
  /** The folder in which the agent is started for this project. */
  readonly project: string;
  readonly place: InstallPlace;
  readonly isOurs: IsOwnHandler;
  /** The configuration file for the profiles; undefined for the scope `managed`. */
  readonly config: string | undefined;
}

const DEFAULT_AGENT = "claude-code";

export const setupOptions = {
  agent: {
    type: "string",
    value: "A,…",
    description: `${INSTALLABLE_NAMES.join(", ").replace(DEFAULT_AGENT, "$& (default)")}, all.`,
  },
  scope: {
    type: "string",
    value: INSTALL_SCOPES.join("|"),
    description: "Whose settings: user (default), project, local or managed.",
  },
  profile: {
    type: "string",
    value: "P,…",
    description: `Write these profiles into the configuration: ${PROFILES.join(", ")}.`,
  },
  yes: { type: "boolean", description: "Do not ask." },
} as const satisfies CliCommand["options"];

/** The agents that `--agent` names; `all` means those on this machine that have such settings, and what `isInstalled` finds. */
export function chosenAgents(
  { options, env, cwd }: CommandContext,
  isInstalled: (agent: string, scope: string) => boolean = () => false,
): string[] {
  const given = text(options.agent) ?? DEFAULT_AGENT;
  if (given !== "all") return [...new Set(given.split(",").map((name) => name.trim()))].filter((name) => name !== "");
  const place = placeOf(env, cwd);
  const named = text(options.scope) ?? "user";
  const scope = INSTALL_SCOPES.find((known) => known === named);
  return INSTALLABLE.filter(({ declaration, installer }) => {
    // A scope that does not exist is complained about later.
    const isPossible = scope === undefined || installer.scopes.includes(scope);
    return isPossible && (installer.isPresent(place) || isInstalled(declaration.id, named));
  }).map(({ declaration }) => declaration.id);
}

export function placeOf(env: NodeJS.ProcessEnv, cwd: string): InstallPlace {
  return { env, cwd, userHome: env.HOME || os.homedir(), project: projectRoot(cwd) };
}

export function readSetup(
  command: string,
  context: CommandContext,
  agent: string,
  system: SystemPlaces = systemPlaces(),
): Setup {
  const { options, env, cwd } = context;
  const { declaration, installer } = installableAgent(agent);
  const named = text(options.scope) ?? "user";
  const scope = INSTALL_SCOPES.find((known) => known === named);
  if (scope === undefined || !installer.scopes.includes(scope)) {
    const scopes = installer.scopes.join(", ");
    const detail = `\`--scope ${named}\` does not exist for ${declaration.title}; there is ${scopes}.`;
    throw new HookwrightError("HW_USAGE", { detail, command });
  }
  const home = homeOf(env);
  const place = placeOf(env, cwd);
  if (scope === "managed" && system.uid !== 0) throw new HookwrightError("HW_NOT_ROOT", { file: system.settings });
  const file = scope === "managed" ? system.settings : installer.settingsFile(scope, place);
  const store = scope === "managed" ? system.store : home;
  return {
    ...{ agent, declaration, installer, scope, home, store, file },
    profiles: readProfiles(command, text(options.profile)),
    yes: options.yes === true,
    project: place.project,
    place,
    isOurs: ownHandlersUnder(store.versions),
    config: configFile(scope, place.project, home),
  };
}

function configFile(scope: InstallScope, project: string, home: Home): string | undefined {
  if (scope === "managed") return undefined;
  return scope === "project" ? path.join(project, PROJECT_CONFIG) : home.config;
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
