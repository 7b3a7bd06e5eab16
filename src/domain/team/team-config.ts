import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

export const TEAM_FILE = "config.json";
const USUAL_LEAD = "team-lead";

export interface TeamMember {
  readonly name: string;
  readonly sessionId: string;
  readonly pane: string;
}

/** The parts of a team's configuration file that are used here. */
export interface Team {
  readonly lead: string;
  readonly leadSession: string;
  readonly members: readonly TeamMember[];
}

export function readTeam(value: Json): Team | undefined {
  if (!isObject(value)) return undefined;
  const members: readonly Json[] = Array.isArray(value.members) ? value.members : [];
  return {
    lead: nameIn(text(value.leadAgentId)) || USUAL_LEAD,
    leadSession: text(value.leadSessionId),
    members: members.filter(isObject).map(readMember),
  };
}

function readMember(member: JsonObject): TeamMember {
  return {
    name: text(member.name) || nameIn(text(member.agentId)),
    sessionId: text(member.sessionId),
    pane: text(member.tmuxPaneId),
  };
}

export function isMember(team: Team, agent: string): boolean {
  return agent !== "" && team.members.some(({ name }) => name === agent);
}

/** An agent id is `name@team`. */
function nameIn(agentId: string): string {
  return agentId.split("@", 1)[0] ?? "";
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
