import { policy } from "../../core/policy.ts";
import { modeOptions } from "../../domain/mode/options.ts";
import { ultrawork } from "../../domain/mode/parallel/ultrawork.ts";
import { holdStop, MODE_MESSAGES, settleStop } from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";

export default policy({
  id: "modes/ultrawork",
  summary: "Goes on with parallel work until the model says that nothing is left.",
  why: "A model that works on many parts at once tends to stop when the first of them is done.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: modeOptions,
  messages: MODE_MESSAGES,
  examples: {
    hit: ["a stop while ultrawork is on", "a stop whose message is `NEEDS_INPUT: which database?`"],
    pass: ["a stop without a mode", "a stop of a subagent", "a stop of another session"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: { "turn.stop": holdStop(ultrawork) },
  settled: { "turn.stop": settleStop(ultrawork) },
});
