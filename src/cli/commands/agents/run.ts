import { printable } from "../../../config/printable.ts";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { isRunning } from "../../../domain/subagents/agent-record.ts";
import { sharedFiles } from "../../../domain/subagents/follow-agents.ts";
import { type AgentTotals, trackedAgents } from "../../../domain/subagents/tracked-agents.ts";
import type { Database } from "../../../state/database.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openStateOrEmpty } from "../../state/open-state.ts";
import { agentJson, agentTable, type ShownAgent } from "./show.ts";

const MOST_FINISHED = 20;
const SILENT_MS = 5 * 60_000;
const SEEN = "SELECT MAX(at) AS at FROM journal WHERE session = ? AND agent_id = ?";

export function showAgents(context: CommandContext, now: number): number {
  const { cwd, env, options, out, columns } = context;
  const project = projectRoot(cwd, system);
  const db = openStateOrEmpty(homeOf(env).database);
  try {
    const { all, totals } = recordedAgents(db, project, now);
    const agents = ofGivenSession(all, options.session);
    const conflicts = sharedFiles(agents.map(({ agent }) => agent));
    if (options.json) {
      out(JSON.stringify({ agents: agents.map(agentJson), totals, conflicts }));
      return 0;
    }
    if (agents.length === 0) {
      out(`No subagent was seen in ${printable(project, 1_000)}.`);
      return 0;
    }
    const running = agents.filter(({ agent }) => isRunning(agent));
    const finished = agents.filter(({ agent }) => !isRunning(agent));
    out(agentTable([...running, ...finished.slice(0, MOST_FINISHED)], columns));
    if (finished.length > MOST_FINISHED) out(`${finished.length - MOST_FINISHED} more have ended; --json has them.`);
    for (const { file, ids } of conflicts) {
      out(`${printable(file, 1_000)} was changed by several that run: ${ids.map((id) => printable(id)).join(", ")}.`);
    }
    return 0;
  } finally {
    db.close();
  }
}

/** The newest first. */
function recordedAgents(
  db: Database,
  project: string,
  now: number,
): { all: readonly ShownAgent[]; totals: AgentTotals } {
  const ref = { agent: "", session: "", agentId: "", project };
  const store = trackedAgents.open(openTable(db, projectScope(ref), trackedAgents.name));
  const all = store.all().toSorted((a, b) => b.agent.startedAt - a.agent.startedAt);
  const shown = all.map(({ session, agent }): ShownAgent => {
    const seenAt = Math.max(agent.startedAt, Number(db.get(SEEN, session, agent.id)?.at ?? 0));
    const isSilent = isRunning(agent) && now - seenAt > SILENT_MS;
    return { session, agent, seenAt, state: isSilent ? "silent" : agent.status };
  });
  return { all: shown, totals: store.totals() };
}

function ofGivenSession(agents: readonly ShownAgent[], given: unknown): readonly ShownAgent[] {
  if (typeof given !== "string") return agents;
  const sessions = [...new Set(agents.map(({ session }) => session))].filter((one) => one.startsWith(given));
  const [only, another] = sessions.includes(given) ? [given] : sessions;
  if (another === undefined && (only !== undefined || agents.length === 0)) {
    return agents.filter(({ session }) => session === only);
  }
  const detail =
    another === undefined
      ? `No session whose id begins with \`${given}\` has subagents here.`
      : `\`${given}\` is the beginning of several sessions, such as ${only} and ${another}. Type more of it.`;
  throw new HookwrightError("HW_USAGE", { detail, command: "agents" });
}
