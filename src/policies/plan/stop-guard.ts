import { policy } from "../../core/policy.ts";
import { STATUSES } from "../../domain/plan/status.ts";
import { openPlanOf, STOP_GUARD_ENV } from "../../domain/plan/stop-guard.ts";
import { plan as planStore } from "../../domain/plan/store.ts";

/** Ranks after a running fleet and before holds that concern only one session. */
const RANK = 200;

export default policy({
  id: "plan/stop-guard",
  summary: "Holds the first stop while the active plan has tasks that are pending or in progress.",
  why: "A lead that stops too early leaves its implementers without answers, and a plan that only looks finished.",
  origin: "project-orchestrator",
  stage: "delegation",
  messages: {
    incomplete: "{tasks} still incomplete in '{title}'. Open in {plan}: {open}.",
    forced: "Stopping with {tasks} still incomplete in '{title}'. Implementers that are running go on without a lead.",
  },
  examples: {
    hit: ["Stop while two tasks of the active plan are pending"],
    pass: [
      "Stop when every task is complete, blocked or escalated",
      "Stop without an active plan",
      "Stop after a question that was answered without a tool call, in a session that is not of the plan's team",
    ],
  },
  reads: { env: STOP_GUARD_ENV },
  uses: planStore,
  on: {
    "turn.stop"(event, ctx, store) {
      const open = openPlanOf(event, ctx, store);
      if (!open) return undefined;
      const { plan, facts, count } = open;
      const data = { tasks: count === 1 ? "1 task" : `${count} tasks`, title: facts.title };
      if (event.continued) return ctx.notice("forced", data, "ifPassed");
      const more = count > facts.open.length ? ` and ${count - facts.open.length} more` : "";
      const progress = STATUSES.map((status) => facts.counts[status]).join("/");
      const told = { ...data, plan: plan.state.plan, open: `${facts.open.join(", ")}${more}` };
      return ctx.hold("incomplete", told, { rank: RANK, progress, exit: "Complete the implementation.", once: true });
    },
  },
});
