import type { PolicyContext } from "../../core/policy.ts";
import type { ActivePlan } from "./active.ts";
import { type Borne, compareLog, logArguments } from "./commits.ts";
import { parsePlan } from "./document.ts";
import type { TaskReport } from "./report.ts";
import { startedAt } from "./state.ts";
import { rowFor } from "./task-row.ts";

const MOST_FILES_TOLD = 5;

/** What a refused completion is answered, by a hook and by the command line alike. */
export const REFUSALS = {
  unverified: "{label} does not look complete.{failures} Correct this first.",
  checklist:
    "{label}: compare the work with the plan before it counts as complete ({plan}). The files it names exist and contain the change, the work is committed, and everything the plan asks of this task is met.{failures}",
} as const;

export interface Refusal {
  readonly message: keyof typeof REFUSALS;
  readonly data: { readonly label: string; readonly failures: string; readonly plan: string; readonly started: string };
}

/** A task that somebody says is complete. */
export interface Claim {
  /** Empty where only one of them is known. */
  readonly id: string;
  readonly subject: string;
  readonly report: TaskReport;
  /** The commits that were there when the plan was started, if somebody noted them. */
  readonly earlier: readonly string[] | undefined;
  /** Is the work to be compared with the plan first, because no agent does that? */
  readonly needsChecklist: boolean;
}

export interface VerificationLook extends Pick<PolicyContext, "git" | "info"> {
  readonly read: Pick<PolicyContext["read"], "text">;
}

/** Why a task does not count as complete, or undefined when nothing speaks against it. */
export async function refusalOf(claim: Claim, plan: ActivePlan, look: VerificationLook): Promise<Refusal | undefined> {
  const failures = await failuresOf(claim, plan, look);
  if (!failures || (failures.length === 0 && !claim.needsChecklist)) return undefined;
  const data = {
    label: labelOf(claim.id, claim.subject),
    failures: failures.map((failure) => ` ${failure}`).join(""),
    plan: plan.state.plan,
    started: plan.state.started,
  };
  return { message: claim.needsChecklist ? "checklist" : "unverified", data };
}

/** How a task is called in messages, whatever the agent told of it. */
export function labelOf(id: string, subject: string): string {
  if (id !== "" && subject !== "") return `Task #${id}: ${subject}`;
  if (id !== "") return `Task #${id}`;
  return subject === "" ? "This task" : `Task: ${subject}`;
}

/**
 * What speaks against a task being complete, in sentences. Only what can be seen counts: a check that cannot be made
 * (no git, no readable start, no such field in the report) says nothing. Undefined: the plan itself cannot be read.
 */
async function failuresOf(
  claim: Claim,
  plan: ActivePlan,
  look: VerificationLook,
): Promise<readonly string[] | undefined> {
  const { subject, report } = claim;
  const { file } = plan;
  if (file === undefined) return undefined;
  const row = look.read.text(file, `row:${subject}`, (text) => {
    const { tasks } = parsePlan(text, file);
    return { id: rowFor(tasks, subject)?.id, hasTasks: tasks.length > 0 };
  });
  // In a document without tasks no task can be looked up.
  if (!row?.hasTasks) return undefined;
  const failures: string[] = [];
  if (row.id === undefined && subject !== "") failures.push(`No row of ${plan.state.plan} is about it.`);
  // Work that changed no file has nothing to commit.
  if (report.files?.length !== 0) failures.push(...(await commitFailures(claim, plan, look)));
  if (report.testsPassed === false) failures.push("Its report says that the tests did not pass.");
  return failures;
}

async function commitFailures(
  { report, earlier }: Claim,
  plan: ActivePlan,
  look: VerificationLook,
): Promise<readonly string[]> {
  const since = startedAt(plan.state);
  if (since === undefined) return [];
  const folders = [plan.root, ...Object.values(plan.state.worktrees)];
  const there = [...new Set(folders)].filter((folder) => look.info(folder) !== undefined);
  const compare = (text: string, code: number | null): Borne | undefined =>
    code === 0 ? compareLog(text, report, folders, earlier ?? []) : undefined;
  const wanted = logArguments(since, earlier !== undefined);
  const logs = await Promise.all(there.map((folder) => look.git(folder, wanted, compare)));
  const borne = logs.filter((log) => log !== undefined);
  // None of the folders belongs to a repository that git can read.
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
