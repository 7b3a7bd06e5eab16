import { aRun, withRuns } from "../../domain/mode/mode.samples.ts";
import { stop } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./ecomode.ts";

const on = withRuns(aRun("ecomode"));
const said = (text: string) => stop({ last_assistant_message: text });

testPolicy(policy, {
  hit: [
    { name: "work is left", event: stop(), ...on, says: "hold", message: "goes_on", text: "ecomode, round 1 of 50." },
    {
      name: "the model tiers are named",
      event: stop(),
      ...on,
      says: "hold",
      message: "goes_on",
      text: "smallest model",
    },
    {
      name: "another mode is paused",
      event: stop(),
      ...withRuns(aRun("ecomode"), aRun("ralph", { status: "paused" })),
      says: "hold",
      message: "goes_on",
    },
    { name: "its signal", event: said("ECOMODE_COMPLETE"), ...on, says: "notice", message: "ended" },
    {
      name: "its signal beside another mode",
      event: said("ECOMODE_COMPLETE"),
      ...withRuns(aRun("ecomode"), aRun("ralph")),
      says: "notice",
      message: "ended",
    },
    { name: "a question", event: said("NEEDS_INPUT: which?"), ...on, says: "notice", message: "asks" },
    {
      name: "the rounds are used up",
      event: stop(),
      ...withRuns(aRun("ecomode", { round: 50 })),
      says: "notice",
      message: "used_up",
    },
  ],
  pass: [
    { name: "no mode", event: stop() },
    { name: "another mode decides", event: stop(), ...withRuns(aRun("ecomode"), aRun("ralph")) },
    { name: "another session", event: stop({ session_id: "another" }), ...on },
  ],
});
