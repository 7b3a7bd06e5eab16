import type { PolicyContext } from "../../core/policy.ts";
import { teamFolders } from "../team/atm-paths.ts";
import { readTeam, TEAM_FILE } from "../team/team-config.ts";
import type { ActivePlan } from "./active-plan.ts";

/** Environment variables that move the folder of the agent's teams. */
export const TEAM_ENV = ["CLAUDE_CONFIG_DIR", "ATM_HOME"];

type TeamContext = Pick<PolicyContext, "env" | "info" | "read" | "places">;

/** Does this session belong to the team that carries out the plan, as its lead or as a member? */
export function isTeamSession(session: string, { state }: ActivePlan, look: TeamContext): boolean {
  if (session === "" || state.team === "") return false;
  const folders = teamFolders({ env: (name) => look.env(name), userHome: look.places.userHome });
  return folders.some((folder) => {
    if (look.info(folder) === undefined) return false;
    const team = look.read.json([folder, state.team, TEAM_FILE], readTeam);
    return team?.leadSession === session || team?.members.some(({ sessionId }) => sessionId === session) === true;
  });
}
