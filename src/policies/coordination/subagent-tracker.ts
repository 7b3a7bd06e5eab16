import type { AnyEvent } from "../../core/event.ts";
import { policy, type SettledContext } from "../../core/policy.ts";
import { isHolding } from "../../domain/mode/mode-run.ts";
import { modeRuns } from "../../domain/mode/store.ts";
import { agentsAfter, sessionsAbout } from "../../domain/subagents/agent-events.ts";
import { isRunning } from "../../domain/subagents/agent-record.ts";
import { replayEntries } from "../../domain/subagents/replay.ts";
import { type TrackedAgents, trackedAgents } from "../../domain/subagents/tracked-agents.ts";
import { addToReplay, exportAgents } from "../../domain/subagents/tracking-file.ts";

/** The mode that counts as the parent of a subagent, where several are on. */
const PARENT_MODES = ["ultrapilot", "autopilot", "swarm", "ultrawork", "ralph"] as const;

export default policy({
  id: "coordination/subagent-tracker",
  summary: "Keeps a record of the subagents of a project: which run, for what, and how they ended.",
  why: "Nobody can say which subagents still work, and those of a killed session look as if they ran for ever.",
  origin: "oh-my-claudecode",
  stage: "recorder",
  messages: {},
  examples: {
    hit: ["nothing: it never says anything, and `hookwright agents` shows what it has recorded"],
    pass: ["a subagent starts", "a subagent ends"],
  },
  uses: trackedAgents,
  on: {
    "session.start"(_event, ctx, store) {
      for (const { agent } of store.all()) if (isRunning(agent)) ctx.isAlive(agent.pid);
      return undefined;
    },
  },
  settled: {
    "tool.before": follow,
    "tool.after": follow,
    "tool.failed": follow,
    "subagent.start": follow,
    "subagent.stop": follow,
    "teammate.idle": follow,
    "prompt.submit": follow,
    "turn.stop": follow,
    "session.start": follow,
    "session.end": follow,
  },
});

function follow(event: AnyEvent, _fate: unknown, ctx: SettledContext, store: TrackedAgents): void {
  for (const session of sessionsAbout(event, store)) {
    const before = store.of(session);
    const after = agentsAfter(before, event, {
      isOwn: session === event.session,
      outcome: ctx.outcome,
      now: ctx.now(),
      pid: ctx.actor.pid,
      project: ctx.actor.project,
      parentMode: () => parentModeOf(session, ctx),
      isAlive: (pid) => ctx.looked.isAlive(pid),
    });
    const entries = replayEntries(before, after, event, ctx.outcome);
    for (const entry of entries) addToReplay(store, ctx, session, entry);
    if (after === before) continue;
    store.save(session, after);
    // Changed files are shown together with the next start or end.
    const isOfFiles = event.name === "tool.after" && event.tool.kind === "edit";
    if (after.agents !== before.agents && !isOfFiles) exportAgents(store, ctx);
  }
}

function parentModeOf(session: string, ctx: SettledContext): string {
  const runs = ctx.store(modeRuns).of(session);
  return PARENT_MODES.find((mode) => runs.some((run) => run.mode === mode && isHolding(run, ctx.now()))) ?? "";
}
