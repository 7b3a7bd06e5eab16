import type { PolicyContext } from "../../core/policy.ts";
import type { ActivePlan } from "./active-plan.ts";
import { compareLog, type LogComparison, logArguments } from "./commits.ts";
import { parsePlan } from "./document.ts";
import { startedAt } from "./state.ts";
import type { TaskReport } from "./task-report.ts";
import { planRowFor } from "./task-row.ts";

const MOST_FILES_TOLD = 5;

/** The messages for a refused completion, used by the hook and by the command line. */
export const REFUSAL_MESSAGES = {
  unverified: "{label} does not look complete.{failures} Correct this first.",
  checklist:
    "{label}: compare the work with the plan before it counts as complete ({plan}). The files it names exist and contain the change, the work is committed, and everything the plan asks of this task is met.{failures}",
} as const;

export interface CompletionRefusal {
  readonly message: keyof typeof REFUSAL_MESSAGES;
  readonly data: { readonly label: string; readonly failures: string; readonly plan: string; readonly started: string };
}

/** The claim that a task is complete. */
export interface CompletionClaim {
  /** Id or subject is empty when only the other one is known. */
  readonly id: string;
  readonly subject: string;
  readonly report: TaskReport;
  /** Ids of the commits that existed when the plan was started, if they were recorded. */
  readonly earlier: readonly string[] | undefined;
  /** The agent itself must first compare the work with the plan, because no verifying agent does it. */
  readonly needsChecklist: boolean;
}

export interface VerificationContext extends Pick<PolicyContext, "git" | "info"> {
  readonly read: Pick<PolicyContext["read"], "text">;
}

/** Why a task does not count as complete; undefined when there is no objection. */
export async function refuseCompletion(
  claim: CompletionClaim,
  plan: ActivePlan,
  look: VerificationContext,
): Promise<CompletionRefusal | undefined> {
  const failures = await failuresOf(claim, plan, look);
  if (!failures || (failures.length === 0 && !claim.needsChecklist)) return undefined;
  const data = {
    label: taskLabel(claim.id, claim.subject),
    failures: failures.map((failure) => ` ${failure}`).join(""),
    plan: plan.state.plan,
    started: plan.state.started,
  };
  return { message: claim.needsChecklist ? "checklist" : "unverified", data };
}

/** The name of a task in messages. */
export function taskLabel(id: string, subject: string): string {
  if (id !== "" && subject !== "") return `Task #${id}: ${subject}`;
  if (id !== "") return `Task #${id}`;
  return subject === "" ? "This task" : `Task: ${subject}`;
}

/**
 * The objections to the claim, in sentences. A check that cannot be made (no git, no readable start time, a missing field
 * in the report) gives no objection. Undefined when the plan itself cannot be read.
 */
async function failuresOf(
  claim: CompletionClaim,
  plan: ActivePlan,
  look: VerificationContext,
): Promise<readonly string[] | undefined> {
  const { subject, report } = claim;
  const { file } = plan;
  if (file === undefined) return undefined;
  const row = look.read.text(file, `row:${subject}`, (text) => {
    const { tasks } = parsePlan(text, file);
    return { id: planRowFor(tasks, subject)?.id, hasTasks: tasks.length > 0 };
  });
  // A document without tasks cannot contradict a claim.
  if (!row?.hasTasks) return undefined;
  const failures: string[] = [];
  if (row.id === undefined && subject !== "") failures.push(`No row of ${plan.state.plan} matches this task.`);
  // Work that changed no file has nothing to commit.
  if (report.files?.length !== 0) failures.push(...(await commitFailures(claim, plan, look)));
  if (report.testsPassed === false) failures.push("Its report says that the tests did not pass.");
  return failures;
}

async function commitFailures(
  { report, earlier }: CompletionClaim,
  plan: ActivePlan,
  look: VerificationContext,
): Promise<readonly string[]> {
  const since = startedAt(plan.state);
  if (since === undefined) return [];
  const folders = [plan.root, ...Object.values(plan.state.worktrees)];
  const there = [...new Set(folders)].filter((folder) => look.info(folder) !== undefined);
  const compare = (text: string, code: number | null): LogComparison | undefined =>
    code === 0 ? compareLog(text, report, folders, earlier ?? []) : undefined;
  const wanted = logArguments(since, earlier !== undefined);
  const logs = await Promise.all(there.map((folder) => look.git(folder, wanted, compare)));
  const borne = logs.filter((log) => log !== undefined);
  // No folder belongs to a repository that git can read.
  if (borne.length === 0) return [];
  if (!borne.some(({ hasCommits }) => hasCommits)) {
    return [`There is no commit since the plan was started (${plan.state.started}).`];
  }
  const { commit, files = [] } = report;
  const failures: string[] = [];
  if (commit !== undefined && !borne.some(({ hasCommit }) => hasCommit)) {
    failures.push(`Commit ${commit} is not among the commits since the plan was started.`);
  }
  const missing = files.filter((file) => !borne.some(({ touched }) => touched.includes(file)));
  if (missing.length > 0) {
    const told = missing.slice(0, MOST_FILES_TOLD).join(", ");
    const more = missing.length > MOST_FILES_TOLD ? ` and ${missing.length - MOST_FILES_TOLD} more` : "";
    failures.push(`No commit since the plan was started touches ${told}${more}.`);
  }
  return failures;
}
