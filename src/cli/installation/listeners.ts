import path from "node:path";
import { profilesIn } from "../../config/edit-profiles.ts";
import { DEFAULT_PROFILES, PROFILES, type ProfileName } from "../../core/settings/profiles.ts";
import { PROJECT_CONFIG, readConfigFile } from "../../engine/config/config-files.ts";
import type { Home } from "../../system/home.ts";
import { configurationIn } from "./configuration.ts";
import { projectPolicies } from "./project-policies.ts";
import type { Listeners } from "./registered-events.ts";

export interface ListenersOf {
  readonly home: Home;
  readonly scope: string;
  /** The folder whose events are meant. */
  readonly folder: string;
  /** Profiles that the registered commands name themselves; then the configuration does not count. */
  readonly fixed: readonly ProfileName[];
  readonly policyWorker: string;
  /** The configuration file of this scope, as it is about to be. */
  readonly text?: string;
}

/** Whose events the settings of a scope have to register. `init` writes what `doctor` looks for. */
export async function listenersOf({ scope, fixed, ...of }: ListenersOf): Promise<Listeners> {
  // Everybody on the machine has a configuration of their own.
  if (scope === "managed") return { profiles: fixed.length > 0 ? fixed : PROFILES };
  const { policies } = await projectPolicies(of.home, of.folder, of.policyWorker);
  const projectEvents = policies.flatMap((one) => (one.state === "trusted" ? one.policy.events : []));
  if (scope !== "project") {
    const { config } = await configurationIn(of.home, of.folder, of.text);
    return { profiles: config.profiles, projectEvents };
  }
  // The file is shared: what only this person has turned on does not belong into it.
  const shared = profilesIn(of.text ?? textOf(path.join(of.folder, PROJECT_CONFIG))) ?? [];
  return { profiles: [...DEFAULT_PROFILES, ...shared], projectEvents };
}

function textOf(file: string): string {
  const content = readConfigFile(file);
  return "text" in content ? content.text : "";
}
