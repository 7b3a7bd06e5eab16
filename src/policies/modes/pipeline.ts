import { policy } from "../../core/policy.ts";
import { modeOptions } from "../../domain/mode/options.ts";
import { pipeline } from "../../domain/mode/pipeline/machine.ts";
import { holdStop, MODE_MESSAGES, NEWS_MESSAGE, settleStop } from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";

export default policy({
  id: "modes/pipeline",
  summary: "Goes on from stage to stage until the last one is complete.",
  why: "A model that is given a chain of agents often does the first stage and takes the rest for done.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: modeOptions,
  messages: { ...MODE_MESSAGES, ...NEWS_MESSAGE },
  examples: {
    hit: ["a stop in the second of four stages", "a stop whose message is `STAGE_COMPLETE`, before the last stage"],
    pass: ["a stop without a mode", "a stop of a subagent", "a stop of another session"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: { "turn.stop": holdStop(pipeline) },
  settled: { "turn.stop": settleStop(pipeline) },
});
