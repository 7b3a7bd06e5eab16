import type { EventOf } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { callerNames } from "../../domain/claims/caller.ts";
import { COORDINATOR } from "../../domain/claims/claim.ts";
import { foreignTarget } from "../../domain/claims/foreign-target.ts";
import { writtenTargets } from "../../domain/claims/written-targets.ts";
import { saveRun } from "../../domain/mode/files/exports.ts";
import { isHolding, type ModeRun } from "../../domain/mode/mode-run.ts";
import type { ModeRuns } from "../../domain/mode/mode-runs.ts";
import { modeOptions } from "../../domain/mode/options.ts";
import { holdStop, MODE_MESSAGES, NEWS_MESSAGE, settledFiles, settleStop } from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";
import { reportedWorker } from "../../domain/mode/ultrapilot/caller-command.ts";
import {
  sharedFilesOf,
  withCaller,
  withWorkers,
  workerOfAgent,
  workersOf,
} from "../../domain/mode/ultrapilot/details.ts";
import { ultrapilot } from "../../domain/mode/ultrapilot/machine.ts";
import { changedFiles } from "../../domain/mode/ultrapilot/seen.ts";
import { claimsOf, markSeen } from "../../domain/mode/ultrapilot/workers.ts";

type Call = EventOf<"tool.before"> | EventOf<"tool.after">;

export default policy({
  id: "modes/ultrapilot",
  summary: "Goes on until all workers are complete, and keeps each of them to its own files.",
  why: "Workers that change each other's files at the same time undo each other's work without noticing.",
  origin: "oh-my-claudecode",
  stage: "scope",
  options: modeOptions,
  messages: {
    ...MODE_MESSAGES,
    ...NEWS_MESSAGE,
    foreign:
      "{path} belongs to {owner}, and {caller} may not change it while ultrapilot is on. Ask {owner} for the change, or leave it to the integration.",
  },
  examples: {
    hit: ["a stop before all workers are complete", "Edit of a file of worker-2 by worker-1"],
    pass: ["Edit of a file of worker-1 by worker-1", "any edit without ultrapilot", "a stop of a subagent"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: {
    "tool.before"(event, ctx, store) {
      const run = dividedRun(event, store, ctx.now());
      if (!run || (event.tool.kind !== "edit" && event.tool.kind !== "shell")) return undefined;
      const owners = ownersOf(event, run);
      const claims = claimsOf(workersOf(run), sharedFilesOf(run));
      const targets = writtenTargets(event, ctx.places.userHome);
      const found = foreignTarget({ claims, owners, targets, root: ctx.actor.project, now: ctx.now() }, ctx);
      if (!found) return undefined;
      const caller = owners[0] ?? "an agent that is no worker";
      return ctx.deny("foreign", { path: found.path, owner: found.claim.owner, caller });
    },
    "turn.stop": holdStop(ultrapilot),
  },
  settled: {
    "tool.before"(event, _fate, ctx, store) {
      const run = dividedRun(event, store, ctx.now());
      const worker = run && reportedWorker(event, ctx.places.userHome);
      if (run && worker && event.agentId !== "")
        saveRun(store, settledFiles(ctx), withCaller(run, event.agentId, worker));
    },
    "tool.after"(event, _fate, ctx, store) {
      const run = dividedRun(event, store, ctx.now());
      const [owner] = run ? ownersOf(event, run) : [];
      if (!run || owner === undefined || owner === COORDINATOR) return;
      const targets = writtenTargets(event, ctx.places.userHome);
      const files = changedFiles(workersOf(run), owner, targets, ctx.actor.project, ctx.now());
      if (!files) return;
      saveRun(store, settledFiles(ctx), withWorkers(run, markSeen(workersOf(run), owner, ctx.now(), files)));
    },
    "turn.stop": settleStop(ultrapilot),
  },
});

/** The session's run, once its work is divided. */
function dividedRun(event: Call, store: ModeRuns, now: number): ModeRun | undefined {
  const run = store.get(event.session, "ultrapilot");
  return run && isHolding(run, now) && workersOf(run).length > 0 ? run : undefined;
}

/** Whose files the calling agent may change: a worker its own, the session's main agent the shared ones. */
function ownersOf(event: Call, run: ModeRun): readonly string[] {
  if (event.agentId === "") return [COORDINATOR];
  const ids = workersOf(run).map(({ id }) => id);
  const own = [...callerNames(event, undefined), workerOfAgent(run, event.agentId)].find((name) => ids.includes(name));
  return own === undefined ? [] : [own];
}
