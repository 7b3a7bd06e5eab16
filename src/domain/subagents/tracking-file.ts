import type { Json, JsonObject } from "../../core/event.ts";
import type { SettledContext } from "../../core/policy.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { beginWriting, isSafeSession, OMC, type OmcFiles } from "../omc-folder/omc-folder.ts";
import { type AgentRecord, isRunning } from "./agent-record.ts";
import { isFailure } from "./follow-agents.ts";
import type { TrackedAgents } from "./tracked-agents.ts";

const STATE = "state";
const FILE = "subagent-tracking.json";
const MOST_FINISHED = 100;
const MOST_REPLAYS = 10;
/** A log that has grown large is kept under these names beside a new one. */
const OLD_NAMES = [".1", ".2", ".3"];

type Writer = Pick<SettledContext, "actor" | "info" | "mirror" | "mirrorText" | "addLine" | "now">;

/** Writes the file that shows all subagents of the project. */
export function exportAgents(store: TrackedAgents, ctx: Writer): void {
  const { project } = ctx.actor;
  if (!beginWriting(STATE, filesOf(ctx))) return;
  ctx.mirror([project, OMC, STATE, FILE], trackingFile(store, ctx.now()));
}

/** The subagents as oh-my-claudecode's own file has them. */
export function trackingFile(store: TrackedAgents, now: number): JsonObject {
  const all = store.all().toSorted((a, b) => a.agent.startedAt - b.agent.startedAt);
  const finished = all.filter(({ agent }) => !isRunning(agent)).slice(-MOST_FINISHED);
  const shown = all.filter((one) => isRunning(one.agent) || finished.includes(one));
  const { spawned, completed, failed } = store.totals();
  return {
    agents: shown.map(({ session, agent }) => exported(agent, session)),
    total_spawned: spawned,
    total_completed: completed,
    total_failed: failed,
    last_updated: new Date(now).toISOString(),
  };
}

function exported(agent: AgentRecord, session: string): JsonObject {
  const { id, type, startedAt, endedAt, status, parentMode, task, files, summary, model, tokens, toolUses } = agent;
  return {
    agent_id: id,
    agent_type: type,
    session_id: session,
    started_at: new Date(startedAt).toISOString(),
    parent_mode: parentMode || "none",
    status: isFailure(status) ? "failed" : status,
    ...(task === "" ? {} : { task_description: task }),
    ...(files.length === 0 ? {} : { file_ownership: files }),
    ...(endedAt === undefined
      ? {}
      : { completed_at: new Date(endedAt).toISOString(), duration_ms: endedAt - startedAt }),
    ...(summary === "" ? {} : { output_summary: summary }),
    ...(model === "" ? {} : { model }),
    ...(tokens === undefined ? {} : { token_usage: { total_tokens: tokens } }),
    ...(toolUses === undefined ? {} : { tool_uses: toolUses }),
  };
}

/** Adds what happened to the session's replay log. The logs of the last ten sessions are kept. */
export function addToReplay(store: TrackedAgents, ctx: Writer, session: string, entry: JsonObject): void {
  const { project } = ctx.actor;
  if (!isSafeSession(session) || !beginWriting(STATE, filesOf(ctx))) return;
  const line: JsonObject = { time: new Date(ctx.now()).toISOString(), ...entry };
  const key = fingerprint(JSON.stringify(line));
  if (!ctx.addLine([project, OMC, STATE, replayName(session)], key, line)) return;
  const known = store.replays();
  if (known.at(-1) === session) return;
  const sessions = [...known.filter((one) => one !== session), session];
  store.setReplays(sessions.slice(-MOST_REPLAYS));
  for (const old of sessions.slice(0, -MOST_REPLAYS)) {
    for (const end of ["", ...OLD_NAMES]) ctx.mirror([project, OMC, STATE, `${replayName(old)}${end}`], undefined);
  }
}

function replayName(session: string): string {
  return `agent-replay-${session}.jsonl`;
}

function filesOf(ctx: Writer): OmcFiles {
  return {
    project: ctx.actor.project,
    info: (file) => ctx.info(file),
    mirror: (parts, value: Json | undefined) => ctx.mirror(parts, value),
    mirrorText: (parts, text) => ctx.mirrorText(parts, text),
  };
}
