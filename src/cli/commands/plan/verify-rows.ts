import { fill, HookwrightError } from "../../../core/errors.ts";
import { GIT_QUERY_ENVIRONMENT } from "../../../domain/git-loss.ts";
import { commitIdsIn, earlierArguments } from "../../../domain/plan/commits.ts";
import type { PlanTask } from "../../../domain/plan/document.ts";
import { type PlanState, startedAt } from "../../../domain/plan/state.ts";
import { readReport } from "../../../domain/plan/task-report.ts";
import { planRowFor } from "../../../domain/plan/task-row.ts";
import {
  type CompletionRefusal,
  REFUSAL_MESSAGES,
  refuseCompletion,
  type VerificationContext,
} from "../../../domain/plan/verification.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { planSettings } from "./hook-settings.ts";
import { LARGEST_PLAN, type ReadPlan, readPlanStore, withPlanLock } from "./plan-access.ts";

const GIT_MS = 10_000;

/** The plan as the command read it. */
export interface PlanToVerify {
  readonly root: string;
  readonly state: PlanState;
  readonly document: ReadPlan;
}

/**
 * Throws when there is an objection to one of these rows being complete. A hook refuses only once, so that the agent can
 * go on; the command refuses as long as the objection holds. Returns false when verification is off in the project.
 */
export async function verifyRows(
  context: CommandContext,
  read: PlanToVerify,
  rows: readonly PlanTask[],
): Promise<boolean> {
  const { root, state } = read;
  const { verification } = await planSettings(context, root);
  if (verification === "off") return false;
  const look = verificationContext(context);
  const refusals: CompletionRefusal[] = [];
  for (const row of rows) {
    const claim = { ...storedClaim(context, read, row), id: row.id, subject: row.text };
    const needsChecklist = verification === "agent" && claim.needsChecklist;
    const refusal = await refuseCompletion(
      { ...claim, needsChecklist },
      { root, state, file: read.document.file },
      look,
    );
    if (refusal) refusals.push(refusal);
    if (refusal?.message === "checklist") {
      withPlanLock(context, root, (_reached, store) => store.markRefused(state.started, keyOf(row)));
    }
  }
  if (refusals.length === 0) return true;
  const texts = refusals.map(({ message, data }) => fill(REFUSAL_MESSAGES[message], data));
  throw new HookwrightError("HW_PLAN_UNVERIFIED", { text: texts.join("\n") });
}

const keyOf = ({ id }: PlanTask): string => `row ${id}`;

/** What hooks and earlier commands stored about a row. */
function storedClaim(context: CommandContext, { root, state: { started }, document }: PlanToVerify, row: PlanTask) {
  return readPlanStore(context, root, (store) => {
    const isAboutRow = ({ subject }: { subject: string }) => planRowFor(document.plan.tasks, subject)?.id === row.id;
    const accepted = store.accepted(started).findLast(isAboutRow);
    return {
      report: readReport(accepted?.report),
      earlier: store.round(started).earlier,
      // The checklist comes once for each row, and not if the agent already got it from a hook.
      needsChecklist: !accepted && !store.wasRefused(started, keyOf(row)),
    };
  });
}

/** The commits that exist when a plan is started but have the same second; undefined when git does not answer. */
export async function earlierCommits(
  context: CommandContext,
  root: string,
  state: PlanState,
): Promise<readonly string[] | undefined> {
  const since = startedAt(state) ?? Date.now();
  const look = verificationContext(context);
  const folders = [...new Set([root, ...Object.values(state.worktrees)])];
  const there = folders.filter((folder) => look.info(folder) !== undefined);
  const logs = await Promise.all(
    there.map((folder) =>
      look.git(folder, earlierArguments(since), (text, code) => (code === null ? undefined : commitIdsIn(text))),
    ),
  );
  return logs.every((log) => log !== undefined) ? [...new Set(logs.flat())] : undefined;
}

function verificationContext({ env }: CommandContext): VerificationContext {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const asking = { ...Object.fromEntries(given), ...GIT_QUERY_ENVIRONMENT };
  return {
    info: system.info,
    read: {
      text: (file, _about, digest, most = LARGEST_PLAN) => {
        const text = system.readText(file, most);
        return text === undefined ? undefined : digest(text);
      },
    },
    git: async (folder, args, digest) => {
      const { stdout, code } = await system.run("git", ["-C", folder, ...args], asking, GIT_MS);
      return digest(stdout, code);
    },
  };
}
