import type { AnyEvent, ToolCall } from "../../core/event.ts";
import { policy, type SettledContext } from "../../core/policy.ts";

/** Their requests need more than a yes or no: an answer, or the mode to go on in. */
const ASKING_TOOLS = new Set(["AskUserQuestion", "ExitPlanMode"]);
const PLAIN_INPUT = new Set(["command", "description", "timeout"]);

export default policy({
  id: "permissions/browser",
  summary: "Lets the person answer permission requests in the dashboard, while the agent waits.",
  why: "An agent that asks for permission does nothing until somebody comes to its terminal.",
  stage: "delegation",
  defaultMode: "off",
  options: (z) =>
    z.object({
      always: z
        .array(z.object({ tool: z.string().min(1), command: z.string().min(1), project: z.string().min(1) }))
        .default([])
        .describe(
          "Shell commands that are approved without a question, each exactly as it stands here and in one project. The dashboard writes them. A command is approved only while no other policy has anything to say about it.",
        )
        .meta({ tighter: "person" }),
    }),
  messages: {
    offered: "",
    approved: "The person said yes in the {by} at {at}.",
    refused: "The person refused this call: {reason}",
    refusedBare: "The person refused this call.",
    listed: "Approved without a question: the person's list has exactly this command.",
  },
  examples: {
    hit: ["a permission request for `npm publish`, with `approvals: browser` and a dashboard"],
    pass: ["a permission request that the person has to answer in words", "a call that the agent does not ask about"],
  },
  on: {
    "permission.request"({ tool }, ctx) {
      const answer = ctx.answer();
      if (answer?.says === "yes")
        return ctx.approve("approved", { by: answer.by, at: new Date(answer.at).toISOString() });
      if (answer)
        return answer.reason === "" ? ctx.deny("refusedBare") : ctx.deny("refused", { reason: answer.reason });
      if (ASKING_TOOLS.has(tool.name)) return undefined;
      const isListed = ctx.options.always.some((rule) => isExactly(rule, tool, ctx.actor.project));
      return isListed ? [ctx.approve("listed"), ctx.wait("offered")] : ctx.wait("offered");
    },
  },
  // What tells that the person has answered in the agent's own dialog.
  settled: {
    "tool.after": ({ tool }, _fate, ctx) => ctx.closeRequests(tool),
    "tool.failed": ({ tool }, _fate, ctx) => ctx.closeRequests(tool),
    "turn.stop": ofThread,
    "turn.failed": ofThread,
    "subagent.stop": ofThread,
    "prompt.submit": ofThread,
    "session.end": (_event, _fate, ctx) => ctx.closeRequests("session"),
  },
});

interface Rule {
  readonly tool: string;
  readonly command: string;
  readonly project: string;
}

/** Any other input, such as one that leaves the sandbox, makes another call of the same command. */
function isExactly(rule: Rule, { name, kind, input }: ToolCall, project: string): boolean {
  const isPlain = Object.keys(input).every((key) => PLAIN_INPUT.has(key));
  return (
    kind === "shell" && isPlain && rule.tool === name && rule.command === input.command && rule.project === project
  );
}

function ofThread(_event: AnyEvent, _fate: unknown, ctx: Pick<SettledContext, "closeRequests">): void {
  ctx.closeRequests("thread");
}
