import type { EventOf, JsonObject } from "../../core/event.ts";
import type { SettledContext } from "../../core/policy.ts";
import type { ModeRun } from "../mode/mode-run.ts";
import { modeRuns } from "../mode/store.ts";
import { beginWriting, isSafeSession, OMC, type OmcFiles } from "../omc-folder/omc-folder.ts";
import { trackedAgents } from "../subagents/tracked-agents.ts";

const SESSIONS = "sessions";

/** Writes what is known of a session that has ended. */
export function writeSessionFile(
  event: EventOf<"session.end">,
  startedAt: number | undefined,
  files: OmcFiles,
  ctx: SettledContext,
): void {
  const { session } = event;
  if (!isSafeSession(session) || !beginWriting(SESSIONS, files)) return;
  files.mirror([files.project, OMC, SESSIONS, `${session}.json`], sessionFile(event, startedAt, ctx));
}

function sessionFile(event: EventOf<"session.end">, seenAt: number | undefined, ctx: SettledContext): JsonObject {
  const { session, reason } = event;
  const now = ctx.now();
  const store = ctx.store(modeRuns);
  const runs: readonly ModeRun[] = [...store.of(session), ...store.history().filter((run) => run.session === session)];
  const { spawned, completed, agents } = ctx.store(trackedAgents).of(session);
  // A session whose start was not reported is at least as old as what was seen of it.
  const starts = [...runs, ...agents].map(({ startedAt }) => startedAt);
  const startedAt = Math.min(seenAt ?? now, ...starts, now);
  const isKnown = seenAt !== undefined || starts.length > 0;
  return {
    session_id: session,
    started_at: isKnown ? new Date(startedAt).toISOString() : null,
    ended_at: new Date(now).toISOString(),
    reason: reason || "other",
    duration_ms: isKnown ? now - startedAt : null,
    agents_spawned: spawned,
    agents_completed: completed,
    modes_used: [...new Set(runs.map(({ mode }) => mode))],
  };
}
