import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import type { NoticeVerdict } from "../../core/verdict.ts";

export default policy({
  id: "core/bypass-detector",
  summary: "Reports a tool call that ran although no guard was asked before it.",
  why: "What shares a user with the agent cannot always be kept from switching the guard off, but it can be seen afterwards.",
  stage: "recorder",
  messages: {
    bypassed:
      "Guard bypassed: {tool} ran (call {call}) and Hookwright was not asked before it. Run `hookwright doctor`.",
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
