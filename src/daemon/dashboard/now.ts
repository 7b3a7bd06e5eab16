import type { SeenSubagent } from "../../domain/lifecycle/session-states.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import { shownStatus } from "../../domain/mode/mode-run.ts";
import { modeRuns } from "../../domain/mode/store.ts";
import type { AgentRecord } from "../../domain/subagents/agent-record.ts";
import { trackedAgents } from "../../domain/subagents/tracked-agents.ts";
import type { TeamRegistryEntry } from "../../domain/team/registry.ts";
import { registryIn } from "../../domain/team/service.ts";
import type { UsageTotal } from "../../domain/usage/transcript-usage.ts";
import { shownMachines } from "../../fleet/machine-cards.ts";
import type { Database } from "../../state/database.ts";
import { ROW_COLUMNS } from "../../state/search/journal-pages.ts";
import { openTable, projectScope } from "../../state/stores.ts";
import { type DashboardActions, isDone, type PlanOfProject } from "./actions.ts";
import { type DecisionRow, type NowPage, SESSION_STATES, type SessionCard } from "./api.ts";
import { approvalRequests } from "./approvals.ts";
import { type LiveSession, LiveSessions, readUsage, stateOf } from "./live-sessions.ts";
import { decisionRow } from "./rows.ts";

/** So many bytes of transcripts are read for one page; the rest comes with the next ones. */
const TRANSCRIPT_BYTES = 4 * 1024 * 1024;
/** Plans are files that people edit; they are looked at again after this time. */
const PLAN_MS = 3_000;
const MOST_KEPT = 2_000;

/** Makes the page Now from what changed since the last one. */
export class NowBuilder {
  readonly live = new LiveSessions();
  readonly #actions: DashboardActions;
  readonly #fleet: string;
  readonly #rows = new Map<number, DecisionRow>();
  readonly #plans = new Map<string, { readonly at: number; readonly plan: PlanOfProject | undefined }>();

  constructor(actions: DashboardActions, fleet: string) {
    this.#actions = actions;
    this.#fleet = fleet;
  }

  page(db: Database | undefined, at: number): NowPage {
    const machines = shownMachines(this.#fleet, at);
    if (!db) return { at, sessions: [], approvals: [], machines };
    this.live.advance(db, at);
    const about = this.#about(db);
    const order = (card: SessionCard): number => SESSION_STATES.indexOf(card.state);
    const sessions = this.live.all
      .map((live) => this.#card(db, live, about, at))
      .sort((a, b) => order(a) - order(b) || (a.state === "waiting" ? a.since - b.since : b.lastAt - a.lastAt));
    return { at, sessions, approvals: approvalRequests(db, at), machines };
  }

  /** Reads on in the transcripts, those of the newest events first. True when something was read. */
  readTranscripts(db: Database, now: number): boolean {
    let left = TRANSCRIPT_BYTES;
    for (const live of this.live.all.toSorted((a, b) => b.states.lastAt - a.states.lastAt)) {
      if (left <= 0) break;
      left -= readUsage(db, live, left, now);
    }
    return left < TRANSCRIPT_BYTES;
  }

  /** What is read once for all sessions. */
  #about(db: Database): About {
    const projects = new Set(this.live.all.map(({ project }) => project));
    const runs = new Map<string, readonly ModeRun[]>();
    const agents = new Map<string, AgentRecord>();
    for (const project of projects) {
      const scope = projectScope({ agent: "", session: "", agentId: "", project });
      const table = openTable(db, scope, modeRuns.name);
      if (!table.isEmpty()) runs.set(project, modeRuns.open(table).all());
      const tracked = trackedAgents.open(openTable(db, scope, trackedAgents.name)).all();
      for (const { session, agent } of tracked) agents.set(`${session}\0${agent.id}`, agent);
    }
    const flags = db.all("SELECT agent, session, first_at, flags FROM sessions WHERE flags LIKE '%contextUsage%'");
    const usage = flags.map((row) => [`${row.agent}\0${row.session}`, contextIn(String(row.flags))] as const);
    const members = new Map(
      registryIn(db)
        .all()
        .map((entry) => [entry.session, entry]),
    );
    return { runs, agents, members, context: new Map(usage) };
  }

  #card(db: Database, live: LiveSession, { runs, agents, members, context }: About, now: number): SessionCard {
    const { agent, session, project, firstAt, states } = live;
    const { state, since } = stateOf(live, now);
    const request = state === "waiting" ? states.request : undefined;
    const asked = request && this.#row(db, request.id);
    const last = live.lastId === 0 ? undefined : this.#row(db, live.lastId);
    const usage = live.usage?.usage;
    const member = members.get(session);
    const own = (runs.get(project) ?? []).filter((run) => run.session === session);
    return {
      ...{ agent, session, project, state, since, firstAt, lastAt: states.lastAt },
      waitsFor: asked ? { tool: asked.tool, subject: asked.subject } : null,
      modes: own.map((run) => {
        const { mode, round, limit, phase } = run;
        return { mode, state: shownStatus(run, now), round, limit, phase };
      }),
      plan: planCount(this.#plan(project, now)),
      team: member ? { team: member.team, name: member.agent } : null,
      subagents: states.subagents.map((one) => ({
        ...withTracked(one, agents.get(`${session}\0${one.agentId}`)),
        parent: "",
        usage: shownUsage(usage?.bySubagent.get(one.agentId)),
      })),
      context: context.get(`${agent}\0${session}`) ?? usage?.context ?? null,
      usage: shownUsage(usage?.all ?? undefined),
      last: last ? { id: last.id, at: last.at, ruling: last.ruling, policy: last.policy, subject: last.subject } : null,
    };
  }

  /** Entries never change, so one that was read is kept. */
  #row(db: Database, id: number): DecisionRow | undefined {
    const known = this.#rows.get(id);
    if (known) return known;
    const row = db.get(`SELECT ${ROW_COLUMNS} FROM journal WHERE id = ?`, id);
    if (!row) return undefined;
    if (this.#rows.size >= MOST_KEPT) this.#rows.clear();
    const made = decisionRow(row);
    this.#rows.set(id, made);
    return made;
  }

  #plan(project: string, now: number): PlanOfProject | undefined {
    const known = this.#plans.get(project);
    if (known && now - known.at < PLAN_MS) return known.plan;
    if (this.#plans.size >= MOST_KEPT) this.#plans.clear();
    const plan = this.#actions.plan(project);
    this.#plans.set(project, { at: now, plan });
    return plan;
  }
}

interface About {
  readonly runs: ReadonlyMap<string, readonly ModeRun[]>;
  /** By session and id. */
  readonly agents: ReadonlyMap<string, AgentRecord>;
  /** By session. */
  readonly members: ReadonlyMap<string, TeamRegistryEntry>;
  /** How full the context is, as the agent's status line has said. */
  readonly context: ReadonlyMap<string, number | undefined>;
}

/** The pack coordination also hears of failures that no hook reports. */
function withTracked(seen: SeenSubagent, tracked: AgentRecord | undefined): SeenSubagent {
  if (!tracked) return seen;
  const isFailed = tracked.status !== "running" && tracked.status !== "completed";
  const type = seen.type || tracked.type;
  return isFailed ? { ...seen, type, state: "failed", since: tracked.endedAt ?? seen.since } : { ...seen, type };
}

function contextIn(flags: string): number | undefined {
  const { contextUsage } = JSON.parse(flags) as { readonly contextUsage?: unknown };
  return typeof contextUsage === "number" ? contextUsage : undefined;
}

function planCount(plan: PlanOfProject | undefined): SessionCard["plan"] {
  return plan ? { name: plan.name, done: plan.tasks.filter(isDone).length, all: plan.tasks.length } : null;
}

function shownUsage(usage: UsageTotal | undefined): UsageTotal | null {
  return usage ?? null;
}
