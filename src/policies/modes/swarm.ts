import { policy } from "../../core/policy.ts";
import { modeOptions } from "../../domain/mode/options.ts";
import { holdStop, MODE_MESSAGES, settleStop } from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";
import { swarm } from "../../domain/mode/swarm/machine.ts";

export default policy({
  id: "modes/swarm",
  summary: "Goes on until no task of the project's board is pending or claimed.",
  why: "A lead that stops while tasks are open leaves its agents without anybody who starts the next one.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: modeOptions,
  messages: MODE_MESSAGES,
  examples: {
    hit: ["a stop while a task of the board is pending", "a stop before the board has tasks"],
    pass: ["a stop without a mode", "a stop of a subagent", "a stop while only somebody else's board has tasks"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: { "turn.stop": holdStop(swarm) },
  settled: { "turn.stop": settleStop(swarm) },
});
