import { claudeEvent, toolBefore } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./subagent-evidence.ts";

const says = (text: string, more = {}) =>
  claudeEvent({
    hook_event_name: "SubagentStop",
    agent_id: "a1",
    agent_type: "general-purpose",
    stop_hook_active: false,
    last_assistant_message: text,
    ...more,
  });
const handback = (message: string, agent = "a1") =>
  toolBefore("SubagentHandback", { message }, { agent_id: agent, agent_type: "general-purpose" });
const held = { says: "hold", message: "unverified" } as const;

testPolicy(policy, {
  hit: [
    { name: "a bare claim", event: says("Task complete."), ...held },
    { name: "a claim in other words", event: says("Everything is finished and ready for review."), ...held },
    { name: "a claim after a plain negation", event: says("It was not easy. Done now."), ...held },
    { name: "a claim handed over by tool", after: [handback("All done.")], event: says(""), ...held },
  ],
  pass: [
    { name: "no claim", event: says("Found 3 call sites.") },
    { name: "a word that only contains one", event: says("I abandoned the first approach.") },
    { name: "a negated claim", event: says("This is not done yet.") },
    { name: "gate evidence", event: says("Done. typecheck and lint pass.") },
    { name: "the lone word test", event: says("Done, I ran the test.") },
    { name: "tests", event: says("Completed; tests pass.") },
    { name: "verification", event: says("Finished and verified against the staging data.") },
    { name: "evidence handed over by tool", after: [handback("All tests pass.")], event: says("Done.") },
    { name: "a handed-over claim of another subagent", after: [handback("All done.", "a2")], event: says("Hm.") },
    {
      name: "a claim in another tool's message",
      after: [toolBefore("SendMessage", { message: "All done." }, { agent_id: "a1", agent_type: "general-purpose" })],
      event: says("Hm."),
    },
    { name: "sent back once already", event: says("Task complete.", { stop_hook_active: true }) },
    { name: "compaction's own", event: says("Task complete.", { agent_type: "" }) },
    { name: "no message at all", event: says("") },
  ],
});
