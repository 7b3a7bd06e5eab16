import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import type { NoticeVerdict } from "../../core/verdict.ts";

export default policy({
  id: "core/bypass-detector",
  summary: "Reports a tool call that ran although no guard was asked before it.",
  why: "A program that runs as the same user as the agent can switch the guard off. That cannot always be prevented, but it can be detected afterwards.",
  stage: "recorder",
  messages: {
    bypassed:
      "Guard bypassed: {tool} ran (call {call}) and Hookwright was not asked before it. Run `hookwright doctor` to find out why.",
  },
  examples: {
    hit: ["PostToolUse without a PreToolUse of the same call before it"],
    pass: ["PostToolUse after its PreToolUse"],
  },
  on: { "tool.after": detect, "tool.failed": detect },
});

function detect(
  event: EventOf<"tool.after"> | EventOf<"tool.failed">,
  ctx: PolicyContext<"bypassed">,
): NoticeVerdict | undefined {
  const { name, useId } = event.tool;
  if (useId === "" || ctx.journal.hasGuarded(useId)) return undefined;
  return ctx.notice("bypassed", { tool: name, call: useId });
}
