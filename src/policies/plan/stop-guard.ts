import { policy } from "../../core/policy.ts";
import { activePlan, hookSettings, PLAN_ENV, planFacts } from "../../domain/plan/active.ts";
import { incompleteOf, STATUSES } from "../../domain/plan/status.ts";

/** After a live fleet, before everything that only one session wants. */
const RANK = 200;

export default policy({
  id: "plan/stop-guard",
  summary: "Holds the first stop while the active plan has tasks that are pending or in progress.",
  why: "A lead that calls it a day leaves implementers without anybody who answers them, and a plan that only looks done.",
  origin: "project-orchestrator",
  stage: "delegation",
  messages: {
    incomplete: "{tasks} still incomplete in '{title}'.",
    forced: "Stopping with {tasks} still incomplete in '{title}'. Implementers that are running go on without a lead.",
  },
  examples: {
    hit: ["Stop while two tasks of the active plan are pending"],
    pass: ["Stop when every task is complete, blocked or escalated", "Stop without an active plan"],
  },
  reads: { env: PLAN_ENV },
  on: {
    "turn.stop"(event, ctx) {
      // Somebody who works for the lead may stop whenever their own work is done.
      if (event.agentId !== "" || !hookSettings(ctx).stopGuard) return undefined;
      const plan = activePlan(ctx);
      const facts = plan && planFacts(ctx, plan);
      if (!facts) return undefined;
      const count = incompleteOf(facts.counts);
      if (count === 0) return undefined;
      const data = { tasks: count === 1 ? "1 task" : `${count} tasks`, title: facts.title };
      if (event.continued) return ctx.notice("forced", data);
      const progress = STATUSES.map((status) => facts.counts[status]).join("/");
      const exit = "Complete the implementation, or stop again to stop anyway.";
      return ctx.hold("incomplete", data, { rank: RANK, progress, exit });
    },
  },
});
