import { policy } from "../../core/policy.ts";
import { modeOptions } from "../../domain/mode/options.ts";
import { ecomode } from "../../domain/mode/parallel/ecomode.ts";
import { holdStop, MODE_MESSAGES, settleStop } from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";

export default policy({
  id: "modes/ecomode",
  summary: "Goes on with small models until the model says that nothing is left; beside another mode it holds nothing.",
  why: "Without a reminder every part of the work runs on the largest model, which costs the most.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: modeOptions,
  messages: MODE_MESSAGES,
  examples: {
    hit: ["a stop while ecomode is the only mode", "a stop whose message is `NEEDS_INPUT: which database?`"],
    pass: ["a stop without a mode", "a stop of a subagent", "a stop of another session"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: { "turn.stop": holdStop(ecomode) },
  settled: { "turn.stop": settleStop(ecomode) },
});
