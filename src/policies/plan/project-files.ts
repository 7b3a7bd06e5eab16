import type { Fate } from "../../core/policy.ts";
import { type PolicyContext, policy, type SettledContext } from "../../core/policy.ts";
import type { NoticeVerdict } from "../../core/verdict.ts";
import { PLAN_ENV } from "../../domain/plan/active-plan.ts";
import { planProblems } from "../../domain/plan/problems.ts";
import { planSession } from "../../domain/plan/store.ts";

type Store = ReturnType<typeof planSession.open>;

export default policy({
  id: "plan/project-files",
  summary: "Tells the person once per session what is wrong with the project's plan files.",
  why: "A hook that is off because of a typing mistake looks the same as one that found no problem.",
  origin: "project-orchestrator",
  stage: "recorder",
  messages: { wrong: "{text}" },
  examples: {
    hit: ["SessionStart with `stop_guard: maybe` in .claude/project.yml"],
    pass: ["SessionStart without .claude/project.yml", "the same mistake for the second time in one session"],
  },
  reads: { env: PLAN_ENV },
  uses: planSession,
  on: { "session.start": tell, "prompt.submit": tell, "turn.stop": tell },
  settled: { "session.start": remember, "prompt.submit": remember, "turn.stop": remember },
});

function tell(_event: unknown, ctx: PolicyContext<"wrong">, store: Store): NoticeVerdict | undefined {
  const untold = planProblems(ctx).filter((problem) => !store.wasTold(problem));
  return untold.length === 0 ? undefined : ctx.notice("wrong", { text: untold.join("\n") });
}

function remember(_event: unknown, _fate: Fate, ctx: SettledContext<"wrong">, store: Store): void {
  const said = ctx.said("wrong");
  if (said) for (const problem of String(said.text).split("\n")) store.markTold(problem);
}
