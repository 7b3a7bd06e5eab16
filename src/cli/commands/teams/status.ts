import fs from "node:fs";
import { isTeamName, teamFolders } from "../../../domain/team/atm-paths.ts";
import { isSessionAlive } from "../../../domain/team/liveness.ts";
import type { TeamRegistryEntry } from "../../../domain/team/registry.ts";
import { teamIn } from "../../../domain/team/service.ts";
import type { CommandContext } from "../../command.ts";
import { table } from "../../terminal/style.ts";
import {
  entriesOf,
  openTeamAccess,
  requireTeam,
  type SocketOwner,
  socketOwner,
  type TeamAccess,
} from "./team-access.ts";

interface MemberStatus {
  readonly name: string;
  readonly isLead: boolean;
  readonly state: string;
  readonly session: string | null;
  readonly pid: number | null;
  readonly alive: boolean | null;
}

interface TeamStatus {
  readonly team: string;
  readonly lead: string;
  readonly leadSession: string | null;
  readonly members: readonly MemberStatus[];
}

export async function showTeamStatus(context: CommandContext, only: string | undefined): Promise<number> {
  const { options, out } = context;
  const access = openTeamAccess(context);
  if (only !== undefined) requireTeam(only, access);
  const teams = (only === undefined ? teamNames(access) : [only]).flatMap((name) => statusOf(name, access) ?? []);
  const socket = await socketOwner(access);
  if (options.json) {
    const { atm, identity, places } = access;
    out(
      JSON.stringify({
        socket: { file: places.socket, owner: socket },
        project: atm ? { team: atm.team, identity } : null,
        teams,
      }),
    );
    return 0;
  }
  out(`Socket ${access.places.socket}: ${OWNERS[socket]}`);
  if (access.atm) out(`This project: team ${access.atm.team || "none"}, identity ${access.identity || "none"}`);
  for (const { team, leadSession, members } of teams) {
    out(`\n${team}, led by ${leadSession === null ? "no recorded session" : `session ${leadSession.slice(0, 8)}`}`);
    out(
      table(
        members.map((one) => [
          one.isLead ? `${one.name} (lead)` : one.name,
          one.state,
          one.session?.slice(0, 8) ?? "-",
          aliveText(one),
        ]),
      ),
    );
  }
  if (teams.length === 0) out("There are no teams.");
  return 0;
}

const OWNERS: Readonly<Record<SocketOwner, string>> = {
  us: "served by Hookwright's daemon",
  another: "another daemon owns it; Hookwright passes on to it what the hooks report",
  nobody: "no program listens there",
  silent: "a program accepts connections there but does not answer",
};

function aliveText({ alive, pid }: MemberStatus): string {
  if (alive === null) return "not known";
  return `${alive ? "alive" : "gone"}${pid === null ? "" : ` (process ${pid})`}`;
}

function teamNames({ where }: Pick<TeamAccess, "where">): string[] {
  const found = teamFolders(where).flatMap((folder) =>
    fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory()) : [],
  );
  return [...new Set(found.map(({ name }) => name).filter(isTeamName))].sort();
}

function statusOf(name: string, access: TeamAccess): TeamStatus | undefined {
  const team = teamIn(name, access.where);
  if (!team) return undefined;
  const known = new Map(entriesOf(access, name).map((entry) => [entry.agent, entry]));
  const members = team.members.map((member) =>
    memberStatus(member.name, member.name === team.lead, known.get(member.name)),
  );
  return { team: name, lead: team.lead, leadSession: team.leadSession || null, members };
}

function memberStatus(name: string, isLead: boolean, entry: TeamRegistryEntry | undefined): MemberStatus {
  if (!entry) return { name, isLead, state: "unknown", session: null, pid: null, alive: null };
  const alive = isSessionAlive(entry);
  const { session, pid } = entry;
  return { name, isLead, state: alive ? entry.state : "closed", session: session || null, pid: pid || null, alive };
}
