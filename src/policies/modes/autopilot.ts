import { isObject } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { withChangedFiles } from "../../domain/mode/autopilot/changed-files.ts";
import { autopilot } from "../../domain/mode/autopilot/machine.ts";
import { saveRun } from "../../domain/mode/files/exports.ts";
import { isHolding } from "../../domain/mode/mode-run.ts";
import { modeOptions } from "../../domain/mode/options.ts";
import {
  hearSubagent,
  holdStop,
  MODE_MESSAGES,
  NEWS_MESSAGE,
  PAUSE_MESSAGE,
  settledFiles,
  settleStop,
} from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";

export default policy({
  id: "modes/autopilot",
  summary: "Goes on from phase to phase until three reviewer subagents have approved the result.",
  why: "A model that is given an idea builds the first part of it, skips the checks, and calls its own work complete.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: modeOptions,
  messages: { ...MODE_MESSAGES, ...NEWS_MESSAGE, ...PAUSE_MESSAGE },
  examples: {
    hit: [
      "a stop before all five phases are complete",
      "a stop whose message is `PLANNING_COMPLETE`, without a plan in `.omc/plans/autopilot-impl.md`",
      "a stop before the functional, the security and the quality reviewer have approved",
    ],
    pass: ["a stop without a mode", "a stop of a subagent", "a stop of another session"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: { "turn.stop": holdStop(autopilot) },
  settled: {
    "turn.stop": settleStop(autopilot),
    "subagent.stop": hearSubagent(autopilot),
    "tool.after"(event, _fate, ctx, store) {
      const run = store.get(event.session, "autopilot");
      if (!run || !isHolding(run, ctx.now())) return;
      const isNew = isObject(event.response) && event.response.type === "create";
      const changed = withChangedFiles(run, { files: event.writes, isNew, project: ctx.actor.project });
      if (changed) saveRun(store, settledFiles(ctx), changed);
    },
  },
});
