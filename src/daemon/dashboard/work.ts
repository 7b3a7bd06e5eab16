import { boardTasks } from "../../domain/board/counts.ts";
import { shownStatus } from "../../domain/mode/mode-run.ts";
import { modeRuns } from "../../domain/mode/store.ts";
import type { AtmEnvironment } from "../../domain/team/atm-paths.ts";
import { isSessionAlive } from "../../domain/team/liveness.ts";
import { registryIn, teamIn } from "../../domain/team/service.ts";
import type { Database } from "../../state/database.ts";
import { openTable, projectScope } from "../../state/stores.ts";
import type { DashboardActions } from "./actions.ts";
import type { WorkPage } from "./api.ts";

const MOST_PROJECTS = 50;

/** Plans, modes, teams and boards of the projects in which somebody worked lately. */
export function workPage(
  db: Database | undefined,
  projects: readonly string[],
  actions: DashboardActions,
  where: AtmEnvironment,
  now: number,
): WorkPage {
  if (!db) return { plans: [], modes: [], teams: [], boards: [] };
  const known = projects.filter((project) => project.startsWith("/")).slice(0, MOST_PROJECTS);
  return {
    plans: known.flatMap((project) => actions.plan(project) ?? []),
    modes: known.flatMap((project) => modesOf(db, project, now)),
    teams: teamsIn(db, where),
    boards: known.flatMap((project) => {
      const tasks = boardTasks(project, now);
      return tasks && !("unreadable" in tasks) ? [{ project, tasks }] : [];
    }),
  };
}

function modesOf(db: Database, project: string, now: number): WorkPage["modes"] {
  const table = openTable(db, projectScope({ agent: "", session: "", agentId: "", project }), modeRuns.name);
  if (table.isEmpty()) return [];
  return modeRuns
    .open(table)
    .all()
    .map((run) => {
      const { mode, session, round, limit, phase, request, startedAt } = run;
      return { mode, session, state: shownStatus(run, now), round, limit, phase, request, since: startedAt };
    });
}

function teamsIn(db: Database, where: AtmEnvironment): WorkPage["teams"] {
  const entries = registryIn(db).all();
  return [...new Set(entries.map(({ team }) => team))].sort().map((team) => {
    const members = entries.filter((entry) => entry.team === team);
    return {
      team,
      lead: teamIn(team, where)?.lead ?? "",
      members: members.map((entry) => ({
        name: entry.agent,
        state: isSessionAlive(entry) ? entry.state : "closed",
        session: entry.session,
      })),
    };
  });
}
