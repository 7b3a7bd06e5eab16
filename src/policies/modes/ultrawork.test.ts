import { aRun, withRuns } from "../../domain/mode/mode.samples.ts";
import { STALE_MS } from "../../domain/mode/modes.ts";
import { claudeEvent, stop } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./ultrawork.ts";

const on = withRuns(aRun("ultrawork"));
const said = (text: string) => stop({ last_assistant_message: text });

testPolicy(policy, {
  hit: [
    { name: "work is left", event: stop(), ...on, says: "hold", message: "goes_on", text: "ultrawork, round 1 of 50." },
    {
      name: "the text names the request",
      event: stop(),
      ...on,
      says: "hold",
      message: "goes_on",
      text: "fix the login",
    },
    {
      name: "the signal in a sentence does not count",
      event: said("I will write ULTRAWORK_COMPLETE when it is done."),
      ...on,
      says: "hold",
      message: "goes_on",
    },
    {
      name: "the signal in a code block does not count",
      event: said("```\nULTRAWORK_COMPLETE\n```"),
      ...on,
      says: "hold",
      message: "goes_on",
    },
    {
      name: "rounds are counted over the stops",
      event: stop(),
      after: [stop(), stop()],
      ...on,
      says: "hold",
      message: "goes_on",
      text: "round 3 of 50",
    },
    {
      name: "the signal alone on a line ends it",
      event: said("All parts are done.\n\nULTRAWORK_COMPLETE"),
      ...on,
      says: "notice",
      message: "ended",
      text: "ultrawork has ended after 0 rounds.",
    },
    {
      name: "the signal in bold ends it",
      event: said("**ULTRAWORK_COMPLETE**"),
      ...on,
      says: "notice",
      message: "ended",
    },
    {
      name: "a question lets it stop",
      event: said("NEEDS_INPUT: which database?"),
      ...on,
      says: "notice",
      message: "asks",
      text: "which database?",
    },
    {
      name: "the rounds are used up",
      event: stop(),
      ...withRuns(aRun("ultrawork", { round: 50 })),
      says: "notice",
      message: "used_up",
      text: "its 50 rounds are used up",
    },
  ],
  pass: [
    { name: "no mode", event: stop() },
    {
      name: "a subagent",
      event: claudeEvent({ hook_event_name: "SubagentStop", agent_id: "a", agent_type: "x" }),
      ...on,
    },
    { name: "another session", event: stop({ session_id: "another" }), ...on },
    { name: "after its end", event: stop(), after: [said("ULTRAWORK_COMPLETE")], ...on },
    { name: "after a question, before it is answered", event: stop(), after: [said("NEEDS_INPUT: a or b?")], ...on },
    { name: "paused", event: stop(), ...withRuns(aRun("ultrawork", { status: "paused" })) },
    { name: "detached", event: stop(), ...withRuns(aRun("ultrawork", { status: "detached" })) },
    { name: "stale", event: stop(), ...withRuns(aRun("ultrawork", { seenAt: FAKE_NOW - STALE_MS - 1 })) },
    {
      name: "started by ralph, which decides",
      event: stop(),
      ...withRuns(aRun("ultrawork", { parent: "ultrawork" }), aRun("ultrawork", { parent: "ultrawork" })),
    },
  ],
});
