import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { ntmCalls, usesNtm } from "../../domain/ntm/calls.ts";
import {
  ACTIVE_FILE,
  POLL_FILE,
  pollRecord,
  readActive,
  readPolls,
  readSpawnTime,
  SPAWN_FILE,
} from "../../domain/ntm/records.ts";
import { RUNTIME_ENV, runtimeDirectory } from "../../domain/ntm/runtime-directory.ts";
import { unlessFleetWorker } from "../../domain/ntm/unless-fleet-worker.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

const POLLS = new Set(["terse", "status", "tail", "health", "snapshot"]);
/** The folder for polls that name no session. */
const EVERYWHERE = "__global__";
const GAP_MS = 90_000;
/** For this time after its start, a fleet's health may be polled more often. */
const START_MS = 180_000;
const START_GAP_MS = 10_000;

export default policy({
  id: "ntm/poll-limit",
  summary: "Limits how often the status of a running fleet can be polled.",
  why: "An orchestrator that polls in a loop fills its context with the same output and slows the workers down.",
  origin: "ntm-orchestrator",
  stage: "ntm",
  filter: { kinds: ["shell"] },
  messages: {
    soon: "BLOCKED: `--robot-{kind}` was last run {elapsed} s ago and may run every {gap} s. Do something else until then.",
  },
  examples: {
    hit: ["ntm --robot-status twice within 90 s"],
    pass: [
      "`ntm --robot-status`",
      "ntm --robot-status again after 90 s",
      "ntm --robot-health=x 10 s later, right after its spawn",
    ],
  },
  reads: { env: RUNTIME_ENV },
  when: usesNtm,
  on: {
    "tool.before"(event, ctx) {
      const polls = pollsOf(event, ctx.places.userHome);
      if (polls.length === 0) return undefined;
      const runtime = runtimeDirectory(ctx);
      for (const { session, kind, key } of polls) {
        const last = ctx.read.mirror([runtime, session, POLL_FILE], readPolls)?.[key];
        const gap = gapFor(session, kind, runtime, ctx);
        const elapsed = last === undefined ? Number.POSITIVE_INFINITY : ctx.now() - last;
        // A time in the future means that the clock was set back, not that the poll is too early.
        if (elapsed < 0 || elapsed >= gap) continue;
        const wait = Math.ceil((gap - elapsed) / 1000);
        const data = { kind, elapsed: Math.floor(elapsed / 1000), gap: gap / 1000 };
        return unlessFleetWorker(ctx, ctx.deny("soon", data, `after ${wait} s`));
      }
      return undefined;
    },
  },
  settled: {
    "tool.before"(event, _fate, ctx) {
      const polls = ctx.outcome === "deny" ? [] : pollsOf(event, ctx.places.userHome);
      for (const { session, key } of polls) {
        const runtime = runtimeDirectory(ctx);
        const before = ctx.read([runtime, session, POLL_FILE], readPolls) ?? {};
        ctx.mirror([runtime, session, POLL_FILE], pollRecord({ ...before, [key]: ctx.now() }));
      }
    },
  },
});

interface Poll {
  readonly session: string;
  readonly kind: string;
  readonly key: string;
}

function pollsOf(event: EventOf<"tool.before">, userHome: string): Poll[] {
  return ntmCalls(shellOf(event, userHome).commands).flatMap(({ robot, robotValue }) => {
    if (robot === undefined || !POLLS.has(robot)) return [];
    const session = robotValue || EVERYWHERE;
    return [{ session, kind: robot, key: `${session}|${robot}` }];
  });
}

function gapFor(session: string, kind: string, runtime: string, ctx: PolicyContext): number {
  if (kind !== "health" || ctx.read.mirror([runtime, ACTIVE_FILE], readActive) !== session) return GAP_MS;
  const spawned = ctx.read.mirror([runtime, session, SPAWN_FILE], readSpawnTime);
  return spawned !== undefined && ctx.now() - spawned < START_MS ? START_GAP_MS : GAP_MS;
}
