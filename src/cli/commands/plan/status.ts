import { progressText, worktreeText } from "../../../domain/plan/progress.ts";
import type { CommandContext } from "../../command.ts";
import { table } from "../../terminal/style.ts";
import { formatRecordedTime } from "../journal/time-format.ts";
import { planSettings } from "./hook-settings.ts";
import { activeState, planProject, readPlan, readPlanStore } from "./plan-access.ts";

const LONGEST_TEXT = 60;

/** Shows the active plan, its progress and the project's hook settings. */
export async function showPlanStatus(context: CommandContext): Promise<number> {
  const { out, options } = context;
  const project = planProject(context);
  const hooks = await planSettings(context, project.root);
  if (project.read.kind === "none") {
    if (options.json) out(JSON.stringify({ root: project.root, active: null, hooks }));
    else out(`No plan is active in ${project.root}.`);
    for (const problem of hooks.problems) context.err(`hookwright: ${problem}`);
    return 0;
  }
  const state = activeState(project);
  const { plan } = readPlan(project.root, state.plan);
  const { completions } = readPlanStore(context, project.root, (store) => store.round(state.started));
  const tasks = plan.tasks.map(({ id, text, status: now, statusCell, dependsOn }) => ({
    id,
    text,
    status: now ?? null,
    cell: statusCell?.text ?? "",
    dependsOn,
    completion: (now === "complete" && completions[id]) || null,
  }));
  const unverified = tasks.filter(({ completion }) => completion === "unverified").map(({ id }) => id);
  if (options.json) {
    const { title, counts } = plan;
    out(JSON.stringify({ root: project.root, active: state, title, counts, tasks, unverified, hooks }));
    return 0;
  }
  out(`${plan.title} (${state.plan})`);
  out(`Team: ${state.team || "none"}. Started: ${state.started ? formatRecordedTime(state.started) : "unknown"}.`);
  out(`${progressText(plan.counts)}${worktreeText({ root: project.root, state, file: undefined }, plan)}`);
  const rows = tasks.map((task) => [
    task.id,
    task.cell || "-",
    task.text.slice(0, LONGEST_TEXT),
    task.dependsOn.join(", "),
  ]);
  out(`\n${table([["#", "status", "task", "depends on"], ...rows])}`);
  if (unverified.length > 0) out(`\nCompleted by a person without verification: ${unverified.join(", ")}.`);
  out(
    `\nHooks: task_verification ${hooks.verification}, ${onOff("stop_guard", hooks.stopGuard)}, ${onOff("session_context", hooks.sessionContext)}, ${onOff("precompact_state", hooks.precompactState)}.`,
  );
  for (const problem of hooks.problems) context.err(`hookwright: ${problem}`);
  return 0;
}

function onOff(name: string, isOn: boolean): string {
  return `${name} ${isOn ? "on" : "off"}`;
}
