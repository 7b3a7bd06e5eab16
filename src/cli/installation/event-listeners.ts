import path from "node:path";
import { profilesIn } from "../../config/edit-profiles.ts";
import { APPROVALS_POLICY } from "../../core/settings/approvals.ts";
import { DEFAULT_PROFILES, PROFILES, type ProfileName } from "../../core/settings/profiles.ts";
import { PROJECT_CONFIG, readConfigFile } from "../../engine/config/config-files.ts";
import type { Home } from "../../system/home.ts";
import { configIn } from "./config-in-folder.ts";
import { projectPolicies } from "./project-policies.ts";
import type { Listeners } from "./registered-events.ts";

export interface ListenersOf {
  readonly home: Home;
  readonly scope: string;
  /** The folder for whose events the listeners are computed. */
  readonly folder: string;
  /** The profiles in the registered commands; if there are any, the configuration is ignored. */
  readonly fixed: readonly ProfileName[];
  readonly policyWorker: string;
  /** The new text of this scope's configuration file, before it is written. */
  readonly text?: string;
}

/** The listeners for which the settings of a scope register events. Used by `init` and, for its check, by `doctor`. */
export async function listenersOf({ scope, fixed, ...of }: ListenersOf): Promise<Listeners> {
  // Each user of the machine has an own configuration, so all profiles have to be covered.
  if (scope === "managed") return { profiles: fixed.length > 0 ? fixed : PROFILES };
  const { policies } = await projectPolicies(of.home, of.folder, of.policyWorker);
  const projectEvents = policies.flatMap((one) => (one.state === "trusted" ? one.policy.events : []));
  if (scope !== "project") {
    const { config } = await configIn(of.home, of.folder, of.text);
    return {
      profiles: config.profiles,
      projectEvents,
      hasApprovals: config.policies[APPROVALS_POLICY]?.mode === "enforce",
    };
  }
  // The file is shared, so profiles that only this person has turned on are not included.
  const shared = profilesIn(of.text ?? textOf(path.join(of.folder, PROJECT_CONFIG))) ?? [];
  return { profiles: [...DEFAULT_PROFILES, ...shared], projectEvents };
}

function textOf(file: string): string {
  const content = readConfigFile(file);
  return "text" in content ? content.text : "";
}
