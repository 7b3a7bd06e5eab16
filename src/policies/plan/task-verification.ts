import path from "node:path";
import { isObject } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { activePlan, activePlanStart, hookSettings, PLAN_ENV } from "../../domain/plan/active-plan.ts";
import { type CompletedTask, plan as planStore } from "../../domain/plan/store.ts";
import { REPORT_FIELDS, readReport } from "../../domain/plan/task-report.ts";
import { REFUSAL_MESSAGES, refuseCompletion, taskLabel } from "../../domain/plan/verification.ts";

/** The tool with which an agent completes a task and reports on it. */
const REPORTS_BY = "TaskUpdate";
const LONGEST_REPORT = 20_000;
/** The plugin whose agent checks the work itself. */
const VERIFIER = /^hookwright-verify@/;
const EXIT = "Then mark it complete again; the next attempt is accepted.";

export default policy({
  id: "plan/task-verification",
  summary: "Refuses a task's completion once when the plan, the commits or its own report contradict it.",
  why: "If a teammate reports a task as complete without a commit or with failing tests, all later work relies on it.",
  origin: "project-orchestrator",
  stage: "delegation",
  messages: {
    ...REFUSAL_MESSAGES,
    unreported: "{text}",
  },
  examples: {
    hit: [
      "TaskCompleted for a task that no row of the plan is about",
      "TaskCompleted before anything was committed",
      "TaskCompleted after a report with `tests_passed: false`",
    ],
    pass: ["TaskCompleted for the second time", "TaskCompleted without any report, but with a commit"],
  },
  reads: { env: PLAN_ENV },
  uses: planStore,
  on: {
    async "task.completed"(event, ctx, store) {
      const { verification } = hookSettings(ctx);
      const plan = verification === "off" ? undefined : activePlan(ctx);
      if (!plan || store.wasRefused(plan.state.started, taskKey(event))) return undefined;
      const claim = {
        id: event.taskId,
        subject: event.subject,
        report: readReport(store.report(event.session, event.taskId)),
        earlier: store.round(plan.state.started).earlier,
        needsChecklist: verification === "agent" && !hasVerifier(ctx),
      };
      const refusal = await refuseCompletion(claim, plan, ctx);
      return refusal && ctx.hold(refusal.message, refusal.data, { exit: EXIT });
    },
    "turn.stop"(event, ctx, store) {
      const completed = store.completed(event.session);
      if (completed.length === 0 || hookSettings(ctx).verification === "off") return undefined;
      const plan = activePlan(ctx);
      const warnings = plan ? completed.flatMap((one) => warningOf(one, plan.root, ctx)) : [];
      return warnings.length === 0 ? undefined : ctx.notice("unreported", { text: warnings.join("\n") });
    },
  },
  settled: {
    "tool.before"(event, _fate, ctx, store) {
      const { taskId, metadata } = event.tool.input;
      if (event.tool.name !== REPORTS_BY || ctx.outcome !== "pass" || typeof taskId !== "string") return;
      if (!isObject(metadata) || JSON.stringify(metadata).length > LONGEST_REPORT) return;
      const before = store.report(event.session, taskId);
      store.keepReport(event.session, taskId, { ...(isObject(before) ? before : {}), ...metadata });
    },
    "task.completed"(event, fate, ctx, store) {
      const refused = ctx.said("unverified") ?? ctx.said("checklist");
      if (refused && fate === "sent") {
        store.markRefused(String(refused.started), taskKey(event));
        return;
      }
      const given = store.report(event.session, event.taskId);
      const started = activePlanStart(ctx);
      if (started !== undefined && ctx.outcome === "pass") {
        store.keepAccepted(started, { subject: event.subject, report: given ?? {} });
      }
      const { designDoc = "", ...report } = readReport(given);
      const isReported = designDoc !== "" || Object.keys(report).length > 0;
      store.keepCompleted(event.session, { label: taskLabel(event.taskId, event.subject), isReported, designDoc });
      store.forgetReport(event.session, event.taskId);
    },
    "turn.stop"(event, _fate, _ctx, store) {
      if (store.completed(event.session).length !== 0) store.forgetCompleted(event.session);
    },
  },
});

function taskKey({ taskId, subject }: { taskId: string; subject: string }): string {
  return taskId === "" ? subject : taskId;
}

function hasVerifier(ctx: PolicyContext): boolean {
  return ctx.places.agentSettings.some((file) => {
    if (ctx.info(file) === undefined) return false;
    const enabled = ctx.read.json([file], (value) => (isObject(value) ? value.enabledPlugins : undefined));
    return isObject(enabled) && Object.entries(enabled).some(([name, isOn]) => VERIFIER.test(name) && isOn === true);
  });
}

/** A warning for the person about a completion that was accepted. */
function warningOf({ label, isReported, designDoc }: CompletedTask, root: string, ctx: PolicyContext): string[] {
  if (!isReported)
    return [
      `${label} was completed without a report (${REPORT_FIELDS}), so only the plan and the commits were checked.`,
    ];
  const isThere = designDoc === "" || ctx.info(path.resolve(root, designDoc)) !== undefined;
  return isThere ? [] : [`${label} was completed with a report that names ${designDoc}, which does not exist.`];
}
