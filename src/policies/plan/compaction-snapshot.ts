import { type MessageData, type PolicyContext, policy } from "../../core/policy.ts";
import { activePlan, hookSettings, PLAN_ENV, planFacts } from "../../domain/plan/active-plan.ts";
import { progressText, worktreeText } from "../../domain/plan/progress.ts";
import { planSession } from "../../domain/plan/store.ts";

const FACTS =
  "Plan: {title} ({plan}). Slug: {slug}. Team: {team}. Progress: {progress}{worktrees} Read the plan after compaction to restore the details: {plan}";

export default policy({
  id: "plan/compaction-snapshot",
  summary: "Keeps plan, team and progress in the context after a compaction.",
  why: "A summary keeps the last part of the conversation and loses which plan is active, who works on it and where.",
  origin: "project-orchestrator",
  stage: "advice",
  messages: {
    preserve: `Orchestration state: preserve this across compaction. ${FACTS}`,
    restored: `Orchestration state, preserved across compaction. ${FACTS}`,
    remembered: "Orchestration state, as it was before the compaction; the plan cannot be read now. {text}",
  },
  examples: {
    hit: ["PreCompact while a plan is active", "SessionStart after a compaction while a plan is active"],
    pass: ["PreCompact without an active plan", "SessionStart after /clear"],
  },
  reads: { env: PLAN_ENV },
  uses: planSession,
  on: {
    "compact.before"(_event, ctx) {
      const data = snapshotOf(ctx);
      return typeof data === "object" ? ctx.note("preserve", data, String(data.plan)) : undefined;
    },
    "session.start"(event, ctx, store) {
      if (event.source !== "compact") return undefined;
      const data = snapshotOf(ctx);
      if (typeof data === "object") return ctx.note("restored", data, String(data.plan));
      const text = store.snapshot();
      return data === "unreadable" && text !== "" ? ctx.note("remembered", { text }) : undefined;
    },
  },
  settled: {
    "compact.before"(_event, _fate, ctx, store) {
      const said = ctx.said("preserve");
      if (!said) return;
      store.keepSnapshot(`Plan: ${said.title} (${said.plan}). Team: ${said.team}. Progress: ${said.progress}`);
    },
  },
});

/** `unreadable`: a plan is active, but its document cannot be read. Undefined: there is nothing to carry over. */
function snapshotOf(ctx: PolicyContext): MessageData | "unreadable" | undefined {
  if (!hookSettings(ctx).precompactState) return undefined;
  const plan = activePlan(ctx);
  if (!plan) return undefined;
  const facts = planFacts(ctx, plan);
  if (!facts) return "unreadable";
  return {
    title: facts.title,
    plan: plan.state.plan,
    slug: plan.state.slug || "none",
    team: plan.state.team || "none",
    progress: progressText(facts.counts),
    worktrees: worktreeText(plan, facts),
  };
}
