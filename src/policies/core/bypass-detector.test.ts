import { claudeEvent, shell, toolAfter } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./bypass-detector.ts";

const before = shell("ls");
const id = before.tool?.useId ?? "";
const failed = (useId: string) =>
  claudeEvent({
    hook_event_name: "PostToolUseFailure",
    tool_name: "Bash",
    tool_input: {},
    tool_use_id: useId,
    error: "x",
  });

testPolicy(policy, {
  hit: [
    {
      name: "nobody was asked",
      event: toolAfter("Bash", {}, "toolu_x"),
      says: "notice",
      message: "bypassed",
      text: "toolu_x",
    },
    {
      name: "another call was asked about",
      after: [before],
      event: toolAfter("Bash", {}, "toolu_y"),
      says: "notice",
      message: "bypassed",
    },
    { name: "the call failed", event: failed("toolu_z"), says: "notice", message: "bypassed" },
    {
      name: "asked about in another session",
      after: [before],
      event: toolAfter("Bash", {}, id, { session_id: "another" }),
      says: "notice",
      message: "bypassed",
    },
  ],
  pass: [
    { name: "asked before", after: [before], event: toolAfter("Bash", {}, id) },
    { name: "asked before, then failed", after: [before], event: failed(id) },
    { name: "a report without a call id", event: toolAfter("Bash", {}, "") },
  ],
});
