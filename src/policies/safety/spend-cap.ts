import type { AnyEvent } from "../../core/event.ts";
import { policy, type SettledContext } from "../../core/policy.ts";
import { type CapAnswers, capAnswers } from "../../domain/usage/cap-answers.ts";
import { type CapName, type CapOptions, type CapState, capStates, hasCap } from "../../domain/usage/caps.ts";
import { READ_SPENDING_JOB, type ReadSpendingArgs } from "../../domain/usage/spent-so-far.ts";

type Settled = SettledContext<"nearly" | "reached", CapOptions>;

export default policy({
  id: "safety/spend-cap",
  summary: "Tells a person when a session or a project has nearly spent its cap, and asks once it is spent.",
  why: "An agent that works for hours without being watched can cost more than its work is worth.",
  stage: "session",
  options: (z) => {
    const cap = (what: string) =>
      z.number().positive().optional().describe(`${what}. Without it there is no such cap.`).meta({ tighter: "down" });
    return z.object({
      sessionDollars: cap("How many dollars one session may cost, at the list prices of its models"),
      sessionTokens: cap("How many tokens one session may use; those read from the cache do not count"),
      projectDollars: cap("The same in dollars for all sessions of the project together"),
      projectTokens: cap("The same in tokens for all sessions of the project together"),
      projectDays: z
        .int()
        .min(1)
        .max(90)
        .default(30)
        .describe("Over how many days a project's spending is added up. Days begin at midnight UTC; 1 is today.")
        .meta({ tighter: "up" }),
    });
  },
  messages: {
    nearly: "{who} {spent} of a cap of {limit} ({percent} %). When all of it is used, you are asked.{missing}",
    reached:
      "{who} {spent}, which is {percent} % of the cap of {limit}. Should {tool} still run? After a yes you are asked again when a further tenth of the cap is used.{missing}",
  },
  examples: {
    hit: ["the first call after a session has used $8 of `sessionDollars: 10`", "any call after it has used $10"],
    pass: ["`ls`, as long as no cap is configured", "a call after a person has agreed to go on"],
  },
  uses: capAnswers,
  on: {
    "tool.before"(event, ctx, answers) {
      const spent = hasCap(ctx.options) ? ctx.spent() : undefined;
      if (!spent) return undefined;
      const states = capStates(ctx.options, spent);
      const reached = answers.toAsk(states);
      if (reached) return ctx.ask("reached", { ...shown(reached), tool: event.tool.name });
      const nearly = answers.toTell(states);
      return nearly && ctx.notice("nearly", shown(nearly));
    },
  },
  settled: {
    "tool.before"(event, fate, ctx, answers) {
      readSpending(event, ctx, answers, answers.isReadingDue(ctx.now()));
      if (fate !== "sent" && fate !== "observed") return;
      const nearly = ctx.said("nearly");
      if (nearly) answers.markTold(nearly.cap as CapName);
      const reached = ctx.said("reached");
      if (reached) answers.markAsked(event.tool.useId, reached.cap as CapName, Number(reached.ratio));
    },
    "tool.after": (event, _fate, ctx, answers) => hasCap(ctx.options) && answers.ran(event.tool.useId),
    "tool.failed": (event, _fate, ctx, answers) => hasCap(ctx.options) && answers.ran(event.tool.useId),
    // The last answers of a session count for its project as well.
    "session.end": (event, _fate, ctx, answers) => readSpending(event, ctx, answers, true),
  },
});

/** A job reads the transcript, because a long one takes longer than the agent should wait. */
function readSpending(event: AnyEvent, ctx: Settled, answers: CapAnswers, isDue: boolean): void {
  const { session, transcript } = event;
  if (!isDue || session === "" || transcript === "" || !hasCap(ctx.options)) return;
  answers.markReading(ctx.now());
  const args: ReadSpendingArgs = { session, transcript, project: ctx.actor.project };
  ctx.ownJob(READ_SPENDING_JOB, args);
}

function shown({ ratio, ...state }: CapState) {
  return { ...state, ratio, percent: Math.floor(ratio * 100) };
}
