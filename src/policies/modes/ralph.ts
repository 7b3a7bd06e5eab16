import { policy } from "../../core/policy.ts";
import { modeOptions } from "../../domain/mode/options.ts";
import { ralph } from "../../domain/mode/ralph/machine.ts";
import {
  hearSubagent,
  holdStop,
  lookForSubagent,
  MODE_MESSAGES,
  NEWS_MESSAGE,
  settleStop,
} from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";

export default policy({
  id: "modes/ralph",
  summary: "Goes on until all stories of prd.json pass and a reviewer subagent has approved the work.",
  why: "A model that judges its own work calls it complete too early.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: modeOptions,
  messages: { ...MODE_MESSAGES, ...NEWS_MESSAGE },
  examples: {
    hit: ["a stop while a story of `prd.json` does not pass", "a stop before the reviewer has approved the work"],
    pass: ["a stop without a mode", "a stop of a subagent", "a stop of another session"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: { "turn.stop": holdStop(ralph), "subagent.stop": lookForSubagent(ralph) },
  settled: {
    "turn.stop": settleStop(ralph),
    "subagent.stop": hearSubagent(ralph),
  },
});
