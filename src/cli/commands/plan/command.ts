import { HookwrightError } from "../../../core/errors.ts";
import type { CliCommand, CommandContext } from "../../command.ts";
import { processTerminal, type Terminal } from "../../terminal/confirm.ts";
import { refusalUnlessPerson } from "../../terminal/person.ts";

export const planCommand: CliCommand = {
  name: "plan",
  summary: "Starts, shows, updates and ends the plan that a team is carrying out.",
  usage: "plan start FILE [--team T] [--worktree [SERVICE=]PATH …] | plan status | task ID STATUS | finish | abort",
  details: [
    "A plan is a markdown file in the project with a section `## Implementation Tasks` and a table in it. `start` writes",
    ".claude/orchestrator-state.json, which tells the hooks what is active; without --worktree it uses the worktrees",
    "that the plan names. `task` changes the status of one row: pending, in-progress, complete, blocked, escalated or",
    "review-fix-N. `finish` ends a plan whose tasks are all done or wait for a person, `abort` ends any plan.",
    "Where the project has task_verification on, `task ID complete` and `finish` are refused while the plan or the commits",
    "speak against it; only a person in a terminal can leave that out with --unverified, which `status` shows.",
    "All of them also work inside a git worktree of the project.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    team: { type: "string", value: "T", description: "The team's name (default implement-<slug>)." },
    worktree: {
      type: "string",
      multiple: true,
      value: "[SERVICE=]PATH",
      description: "Where the work is done: one folder, or one for each service.",
    },
    unverified: { type: "boolean", description: "Complete without verification; only a person in a terminal can." },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  changes: ({ args }) => args[0] !== "status",
  run: (context) => runPlan(context, processTerminal),
};

export async function runPlan(context: CommandContext, terminal: Terminal): Promise<number> {
  const [action, ...rest] = context.args;
  const { team, worktree, unverified } = context.options;
  const isStart = action === "start";
  if (!isStart && (team !== undefined || worktree !== undefined)) usage("`--team` and `--worktree` belong to `start`");
  const [first, second] = rest;
  const isUnverified = unverified === true;
  const completes = action === "finish" || (action === "task" && second === "complete");
  if (isUnverified && !completes) usage("`--unverified` belongs to `task ID complete` and to `finish`");
  const command = `plan ${context.args.join(" ")} --unverified`;
  const refusal = isUnverified ? refusalUnlessPerson(command, context.env, terminal) : undefined;
  if (refusal !== undefined) {
    context.err(refusal);
    return 1;
  }
  if (isStart && first !== undefined && rest.length === 1)
    return (await import("./start.ts")).startPlan(context, first);
  if (action === "task" && first !== undefined && second !== undefined && rest.length === 2) {
    return (await import("./task.ts")).setTask(context, first, second, isUnverified);
  }
  if (rest.length === 0 && action === "status") return (await import("./status.ts")).showPlanStatus(context);
  if (rest.length === 0 && action === "finish") return (await import("./finish.ts")).finishPlan(context, isUnverified);
  if (rest.length === 0 && action === "abort") return (await import("./finish.ts")).abortPlan(context);
  return usage("Give `start FILE`, `status`, `task ID STATUS`, `finish` or `abort`.");
}

function usage(detail: string): never {
  throw new HookwrightError("HW_USAGE", { detail, command: "plan" });
}
