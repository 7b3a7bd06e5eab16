import type { EventOf } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { saveRun } from "../../domain/mode/files/exports.ts";
import { interruptedRuns, isTakenAlong, offerText } from "../../domain/mode/interrupted.ts";
import { machineOf } from "../../domain/mode/machines.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import type { ModeRuns } from "../../domain/mode/mode-runs.ts";
import { MODES, policyOf } from "../../domain/mode/modes.ts";
import { PLACE_ENV, placeOf } from "../../domain/mode/place.ts";
import { planResume, resume } from "../../domain/mode/resume.ts";
import { decidingReader, settledFiles } from "../../domain/mode/stop-policy.ts";
import { saysLimitOrAbort } from "../../domain/mode/stop-reasons.ts";
import { roundText } from "../../domain/mode/stop-step.ts";
import { modeRuns } from "../../domain/mode/store.ts";

/** Sources of a start after which the conversation of before goes on. */
const GOES_ON = ["resume", "compact"];
const BEGINS = ["startup", "clear"];

export default policy({
  id: "modes/persistent-mode",
  summary: "Keeps modes over the end of a session: they go on where it is resumed, and are offered to the next one.",
  why: "A mode that is lost with its session leaves work half done, and one that another session inherits unasked holds the wrong work.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  messages: {
    goes_on: "{text}",
    offer: "{text}",
    taken: "{mode} goes on after the hand-over.",
    ends: "The turn ends for a reason that no mode holds: {reason}.",
  },
  examples: {
    hit: ["a session with a mode is resumed", "a new session starts after one with a mode was killed"],
    pass: ["a new session while the session with the mode still works", "a session without modes is resumed"],
  },
  reads: { env: PLACE_ENV },
  uses: modeRuns,
  on: {
    "session.start"(event, ctx, store) {
      const reader = decidingReader(ctx);
      const own = ownRuns(event, store);
      if (GOES_ON.includes(event.source)) {
        return own.map((run) => ctx.note("goes_on", { text: stateText(run, machineOf(run.mode).guide(run, reader)) }));
      }
      if (!BEGINS.includes(event.source)) return undefined;
      const place = placeOf(ctx.env);
      const left = interruptedRuns(store.all(), event.session, reader.now, (pid) => ctx.isAlive(pid));
      return left.flatMap((run) => {
        if (!isTakenAlong(run, place, ctx.contextPolicy)) return [ctx.notice("offer", { text: offerText(run) })];
        const text = stateText(run, machineOf(run.mode).guide(run, reader));
        return [ctx.notice("taken", { mode: run.mode }), ctx.note("goes_on", { text })];
      });
    },
    "compact.before"(event, ctx, store) {
      const reader = decidingReader(ctx);
      return ownRuns(event, store).map((run) =>
        ctx.note("goes_on", { text: stateText(run, machineOf(run.mode).guide(run, reader)) }),
      );
    },
    "turn.stop"(event, ctx, store) {
      if (ownRuns(event, store).length === 0) return undefined;
      const reason = saysLimitOrAbort(event.raw);
      return reason === "" ? undefined : ctx.release("ends", MODES.map(policyOf), { reason });
    },
  },
  settled: {
    "session.start"(event, _fate, ctx, store) {
      const files = settledFiles(ctx);
      for (const run of ownRuns(event, store)) {
        const isBack = run.status === "detached" && event.source !== "clear";
        saveRun(store, files, { ...run, seenAt: ctx.now(), ...(isBack ? { status: "active", why: "" } : {}) });
      }
      if (!BEGINS.includes(event.source)) return;
      const { session, promptId } = event;
      const pane = placeOf(ctx.env);
      for (const run of interruptedRuns(store.all(), session, ctx.now(), (pid) => ctx.looked.isAlive(pid))) {
        if (!isTakenAlong(run, pane, ctx.contextPolicy)) {
          if (run.status === "active" || run.status === "waiting")
            saveRun(store, files, detached(run, "its agent has ended"));
          continue;
        }
        const starter = { session, promptId, pid: ctx.actor.pid, pane, limits: {} };
        const plan = planResume(store, session, run.mode, undefined, starter, ctx.now(), (pid) =>
          ctx.looked.isAlive(pid),
        );
        if (plan.kind === "resume") resume(store, files, plan, ctx.now());
      }
    },
    "session.end"(event, _fate, ctx, store) {
      for (const run of store.of(event.session)) {
        if (run.status === "active" || run.status === "waiting") {
          saveRun(store, settledFiles(ctx), detached(run, `its session ended (${event.reason || "no reason given"})`));
        }
      }
    },
  },
});

/** The runs of the event's session, without those that another one started; a subagent has none. */
function ownRuns(
  event: EventOf<"session.start"> | EventOf<"compact.before"> | EventOf<"turn.stop">,
  store: ModeRuns,
): readonly ModeRun[] {
  return event.agentId === "" ? store.of(event.session).filter(({ parent }) => parent === "") : [];
}

function stateText(run: ModeRun, guide: string): string {
  const phase = run.phase === "" ? "" : `, phase ${run.phase}`;
  const state: Record<ModeRun["status"], string> = {
    active: "goes on",
    detached: "goes on",
    waiting: `waits for the person's answer: ${run.why}`,
    paused: `is paused: ${run.why}`,
  };
  return `${roundText(run.mode, run.round, run.limit)}${phase}, ${state[run.status]}. ${guide}`;
}

function detached(run: ModeRun, why: string): ModeRun {
  return { ...run, status: "detached", why };
}
