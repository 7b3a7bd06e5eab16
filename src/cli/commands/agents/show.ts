import { printable } from "../../../config/printable.ts";
import type { AgentRecord, AgentStatus } from "../../../domain/subagents/agent-record.ts";
import { table } from "../../terminal/style.ts";
import { shortened, widthOf } from "../../terminal/width.ts";
import { formatTime } from "../journal/time-format.ts";
import { shortSession } from "../mode/show.ts";

export interface ShownAgent {
  readonly session: string;
  readonly agent: AgentRecord;
  readonly state: AgentStatus | "silent";
  /** When an event of it was last recorded. */
  readonly seenAt: number;
}

const WIDEST_ID = 20;
const WIDEST_TYPE = 30;
const LONGEST_TASK = 200;
const NARROWEST_TASK = 20;

export function agentTable(agents: readonly ShownAgent[], columns: number | undefined): string {
  const sessions = agents.map(({ session }) => session);
  const cells = agents.map(({ agent, session, state }) => [
    shortened(printable(agent.id), WIDEST_ID),
    shortened(printable(agent.type), WIDEST_TYPE) || "-",
    state,
    formatTime(agent.startedAt),
    lastedText(agent),
    shortSession(session, sessions),
  ]);
  const rows = [["agent", "type", "state", "since", "lasted", "session"], ...cells];
  const taken = Math.max(...table(rows).split("\n").map(widthOf)) + 2;
  const room = columns === undefined ? LONGEST_TASK : Math.max(NARROWEST_TASK, columns - taken);
  const tasks = agents.map(({ agent }) => shortened(printable(agent.task.replace(/\s+/g, " "), LONGEST_TASK), room));
  return table(rows.map((row, at) => [...row, at === 0 ? "task" : tasks[at - 1] || "-"]));
}

export function agentJson({ agent, session, state, seenAt }: ShownAgent): object {
  const { id, type, startedAt, endedAt, parentMode, task, files, summary, model, tokens, toolUses } = agent;
  return {
    ...{ agent: id, type, state, session },
    since: new Date(startedAt).toISOString(),
    seen: new Date(seenAt).toISOString(),
    ...(endedAt === undefined
      ? {}
      : { ended: new Date(endedAt).toISOString(), seconds: secondsOf(endedAt - startedAt) }),
    ...(parentMode === "" ? {} : { parentMode }),
    ...{ task, files, summary, model },
    ...(tokens === undefined ? {} : { tokens }),
    ...(toolUses === undefined ? {} : { toolUses }),
  };
}

function lastedText({ startedAt, endedAt }: AgentRecord): string {
  return endedAt === undefined ? "-" : `${secondsOf(endedAt - startedAt)} s`;
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}
