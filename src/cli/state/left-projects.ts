import { holdingRun, leaveProject, projectsWithFiles } from "../../domain/setup/leave-project.ts";
import type { Home } from "../../system/home.ts";
import { system } from "../../system/system.ts";
import type { CommandContext } from "../command.ts";
import { configIn } from "../installation/config-in-folder.ts";
import { agentSettingsIn, enabledPlugins, OMC_PLUGIN } from "../installation/enabled-plugins.ts";
import { type InstallRecord, projectOf } from "../installation/installs.ts";
import { openState } from "./open-state.ts";

const PROFILE = "omc";

interface Leaving {
  /** The installations that are left. */
  readonly installs: readonly InstallRecord[];
  /** Are modes ended that go on now? Otherwise their projects stay as they are: a plugin that we do not see may run them. */
  readonly endsModes: boolean;
}

/**
 * Removes what the hooks of the profile `omc` made in projects where none of the installations and no plugin turns it on
 * any more, and says so.
 */
export async function clearLeftProjects(
  { out, env }: Pick<CommandContext, "out" | "env">,
  home: Home,
  { installs, endsModes }: Leaving,
): Promise<void> {
  const now = Date.now();
  const db = openState(home.database);
  if (!db) return;
  try {
    for (const project of projectsWithFiles(db)) {
      if (await isInUse(project, home, installs, env)) continue;
      const run = endsModes ? undefined : holdingRun(project, db, now);
      if (run) {
        out(
          `The files in ${project}/.omc stay: ${run.mode} goes on there. \`hookwright mode cancel ${run.mode}\` ends it.`,
        );
        continue;
      }
      const { removed, kept } = leaveProject(project, db, { now, uid: system.uid });
      if (removed > 0) {
        out(`Removed ${removed} ${removed === 1 ? "file" : "files"} of the profile ${PROFILE} from ${project}/.omc.`);
      }
      for (const sentence of kept) out(sentence);
    }
  } finally {
    db.close();
  }
}

async function isInUse(
  project: string,
  home: Home,
  installs: readonly InstallRecord[],
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  if (enabledPlugins(agentSettingsIn(env, project)).includes(OMC_PLUGIN)) return true;
  const here = installs.filter(({ scope, file }) => {
    if (scope !== "project" && scope !== "local") return true;
    const folder = projectOf(file);
    return folder === project || folder.startsWith(`${project}/`);
  });
  if (here.length === 0) return false;
  if (here.some(({ profile }) => profile.includes(PROFILE))) return true;
  const { config } = await configIn(home, project);
  return config.profiles.includes(PROFILE);
}
