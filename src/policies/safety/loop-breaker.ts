import { policy } from "../../core/policy.ts";
import { callKey, failedCall, onlyLooks } from "../../domain/loops/failing-call.ts";
import { failingCalls } from "../../domain/loops/store.ts";

export default policy({
  id: "safety/loop-breaker",
  summary: "Tells an agent that repeats a failing call, and asks a person before the call is tried yet again.",
  why: "An agent that repeats the same call without changing anything gets the same error, and spends time and money until somebody notices.",
  stage: "session",
  options: (z) =>
    z.object({
      times: z
        .int()
        .min(2)
        .max(20)
        .default(3)
        .describe("How many times in a row the same call may fail in the same way before the agent is told.")
        .meta({ tighter: "down" }),
    }),
  messages: {
    again:
      "This {tool} call has failed {count} times in a row with the same error, and nothing was changed in between. Another identical try will most likely fail too: find the cause, change something, or tell the person what is in the way. To wait for something, use one command that waits with a time limit.",
    loop: "The same {tool} call has failed {count} times in a row with the same error ({error}), and nothing was changed in between. Should it be tried once more?",
  },
  examples: {
    hit: ["the fourth `npm test` in a row, after three that failed with the same error"],
    pass: [
      "`npm test` after an edit, although it failed three times before that",
      "the same command after errors that differ in more than times and line numbers",
      "`ls`",
    ],
  },
  uses: failingCalls,
  on: {
    "tool.before"(event, ctx, calls) {
      const last = calls.last(event.agentId);
      if (!last || last.count < ctx.options.times || last.call !== callKey(event)) return undefined;
      return ctx.ask("loop", { tool: event.tool.name, count: last.count, error: last.shown || "without a text" });
    },
    "tool.failed"(event, ctx, calls) {
      if (event.interrupted) return undefined;
      const count = calls.countWith(event.agentId, failedCall(event));
      return count === ctx.options.times ? ctx.note("again", { tool: event.tool.name, count }) : undefined;
    },
  },
  settled: {
    "tool.failed"(event, _fate, _ctx, calls) {
      // A person has stopped it, so the call itself did not fail.
      if (!event.interrupted) calls.add(event.agentId, failedCall(event));
    },
    "tool.after"(event, _fate, _ctx, calls) {
      const last = calls.last(event.agentId);
      if (last && (!onlyLooks(event) || last.call === callKey(event))) calls.forget(event.agentId);
    },
    "prompt.submit"(event, _fate, _ctx, calls) {
      if (event.fromPerson) calls.forgetAll();
    },
  },
});
