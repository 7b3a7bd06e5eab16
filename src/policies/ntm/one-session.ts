import { policy, type SettledContext } from "../../core/policy.ts";
import { type NtmCall, ntmCalls, spawnedSessions, succeededCalls, usesNtm } from "../../domain/ntm/calls.ts";
import { markOnOption } from "../../domain/ntm/options.ts";
import { ACTIVE_FILE, activeRecord, readActive, SPAWN_FILE, spawnRecord } from "../../domain/ntm/records.ts";
import { RUNTIME_ENV, runtimeDirectory } from "../../domain/ntm/runtime-directory.ts";
import { unlessFleetWorker } from "../../domain/ntm/unless-fleet-worker.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

export default policy({
  id: "ntm/one-session",
  summary: "Allows one running tmux fleet at a time, and records which one it is.",
  why: "After a second fleet is started, nobody watches, saves or ends the first one.",
  origin: "ntm-orchestrator",
  stage: "ntm",
  filter: { kinds: ["shell"] },
  options: (z) => z.object({ markOn: markOnOption(z) }),
  messages: {
    unnamed: "BLOCKED: the spawn has no session name. Give one, as in `ntm --robot-spawn=my-fleet`.",
    another:
      "BLOCKED: the ntm session `{active}` is still running. Save what its agents produced and end it before you start `{session}`.",
  },
  examples: {
    hit: ["`ntm --robot-spawn= `", "ntm --robot-spawn=b while a is alive in tmux"],
    pass: ["`ntm --robot-spawn=a`", "ntm --robot-spawn=a again", "ntm --robot-spawn=b after a has ended"],
  },
  reads: { env: [...RUNTIME_ENV, "CLAUDE_PID"] },
  when: usesNtm,
  on: {
    "tool.before"(event, ctx) {
      const calls = ntmCalls(shellOf(event, ctx.places.userHome).commands).filter((call) => call.robot === "spawn");
      if (calls.some((call) => call.robotValue === "")) return unlessFleetWorker(ctx, ctx.deny("unnamed"));
      const active = calls.length === 0 ? undefined : ctx.read.mirror([runtimeDirectory(ctx), ACTIVE_FILE], readActive);
      const session = calls.map((call) => call.robotValue).find((name) => name !== active);
      if (active === undefined || session === undefined) return undefined;
      return ctx.tmux
        .hasSession(active)
        .then((state) =>
          state === "alive" ? unlessFleetWorker(ctx, ctx.deny("another", { active, session })) : undefined,
        );
    },
  },
  settled: {
    "tool.before"(event, _fate, ctx) {
      if (ctx.options.markOn === "pre" && ctx.outcome === "pass") {
        remember(ntmCalls(shellOf(event, ctx.places.userHome).commands), ctx);
      }
    },
    "tool.after"(event, _fate, ctx) {
      if (ctx.options.markOn === "post") remember(succeededCalls(shellOf(event, ctx.places.userHome)), ctx);
    },
  },
});

function remember(calls: readonly NtmCall[], ctx: SettledContext): void {
  const session = spawnedSessions(calls).at(-1);
  if (session === undefined) return;
  const runtime = runtimeDirectory(ctx);
  const before = ctx.read([runtime, ACTIVE_FILE], readActive);
  if (before !== undefined && before !== session) ctx.mirror([runtime, before, SPAWN_FILE], undefined);
  ctx.mirror([runtime, session, SPAWN_FILE], spawnRecord(session, ctx.now(), Number(ctx.env("CLAUDE_PID")) || 0));
  ctx.mirror([runtime, ACTIVE_FILE], activeRecord(session));
}
