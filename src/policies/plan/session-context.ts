import { policy } from "../../core/policy.ts";
import { activePlan, hookSettings, PLAN_ENV, planFacts } from "../../domain/plan/active-plan.ts";
import { progressText, worktreeText } from "../../domain/plan/progress.ts";

/** Not `startup`, which is new work, and not `fork`, which keeps the conversation. */
const SOURCES = new Set(["clear", "resume", "compact"]);

export default policy({
  id: "plan/session-context",
  summary: "Tells a session whose context was cleared which plan is active and how far it is.",
  why: "After /clear the lead knows neither the plan nor its progress, and a person would have to explain both again.",
  origin: "project-orchestrator",
  stage: "advice",
  messages: {
    active: "Active implementation: {title} ({plan}). Progress: {progress}{worktrees} The plan has the details: {plan}",
  },
  examples: {
    hit: ["SessionStart after /clear while a plan is active"],
    pass: ["SessionStart of a fresh session", "SessionStart without an active plan"],
  },
  reads: { env: PLAN_ENV },
  on: {
    "session.start"(event, ctx) {
      if (!SOURCES.has(event.source)) return undefined;
      const settings = hookSettings(ctx);
      if (!settings.sessionContext) return undefined;
      // Then plan/compaction-snapshot tells the same and more.
      if (event.source === "compact" && settings.precompactState) return undefined;
      const plan = activePlan(ctx);
      const facts = plan && planFacts(ctx, plan);
      if (!facts) return undefined;
      const data = {
        title: facts.title,
        plan: plan.state.plan,
        progress: progressText(facts.counts),
        worktrees: worktreeText(plan, facts),
      };
      return ctx.note("active", data, plan.state.plan);
    },
  },
});
