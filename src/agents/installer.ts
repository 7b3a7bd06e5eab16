import { HookwrightError } from "../core/errors.ts";
import { programOnPath, versionOf } from "./agent-program.ts";
import type { Declaration } from "./declaration.ts";
import type { HookTrust } from "./hook-trust.ts";
import type { CommandHandler, IsOwnHandler } from "./own-handlers.ts";

/** user: one person, all projects. project: shared by a project. local: one person, one project. managed: all users. */
export const INSTALL_SCOPES = ["user", "project", "local", "managed"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

/** Where the person and the project are. */
export interface InstallPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly userHome: string;
  readonly cwd: string;
  /** The folder in which the agent is started for this project. */
  readonly project: string;
}

/** The settings file of a project, which must not be the person's own: in the home folder both may be one. */
export function ownProjectFile(projectFile: string, userFile: string): string {
  if (projectFile !== userFile) return projectFile;
  const detail = `The project settings here are your user settings (${userFile}). Use --scope user.`;
  throw new HookwrightError("HW_USAGE", { detail, command: "init" });
}

/** The hooks that an agent's settings shall have. */
export interface WantedHooks {
  /** The settings file, for error messages. */
  readonly file: string;
  readonly events: readonly { readonly event: string; readonly guarded: boolean; readonly waits?: true }[];
  readonly scope: InstallScope;
  /** The command of the private client. Not used for the scope `project`: a shared file cannot name a private path. */
  readonly client: CommandHandler;
  readonly profiles: readonly string[];
  readonly isOurs: IsOwnHandler;
}

/** A file that is ours as a whole and stands beside the one with the hooks, such as the manifest of an extension. */
export interface Companion {
  readonly file: string;
  readonly text: string;
}

/** What most installers have in common: it follows from the declaration. */
export function usualParts({ program, events }: Declaration) {
  return {
    scopes: ["user", "project"],
    isPresent: ({ env }) => programOnPath(program, env),
    knows: (event) => Object.hasOwn(events, event),
    installedVersion: (env) => versionOf(program, env),
    isDisabled: () => false,
    companions: () => [],
  } satisfies Partial<Installer>;
}

/** How an agent is told to call us: pure functions over the text of one file. */
export interface Installer {
  readonly scopes: readonly InstallScope[];
  /** The file with the hooks, by the path that the agent uses. */
  settingsFile(scope: Exclude<InstallScope, "managed">, place: InstallPlace): string;
  /** Is the agent on this machine? For `--agent all`. */
  isPresent(place: InstallPlace): boolean;
  /** Does the installed version know the event? */
  knows(event: string, version: string | undefined): boolean;
  installedVersion(env: NodeJS.ProcessEnv): string | undefined;
  /** The text with exactly these entries of ours, and everything else as it was. */
  install(text: string | undefined, wanted: WantedHooks, version: string | undefined): string;
  /** The text without our entries; lists that `original` had are kept. */
  remove(text: string, isOurs: IsOwnHandler, original?: string): string;
  eventsIn(text: string | undefined, isOurs: IsOwnHandler): string[];
  /** The profiles in the `--profile` arguments of our entries; empty when the configuration decides. */
  profilesIn(text: string | undefined, isOurs: IsOwnHandler): string[];
  /** Does the file switch every hook off? */
  isDisabled(text: string | undefined): boolean;
  companions(file: string): readonly Companion[];
  /** Only for an agent that skips hooks which nobody has trusted. */
  readonly trust?: HookTrust;
}
