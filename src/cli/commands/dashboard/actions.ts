import path from "node:path";
import { withListItem, withPolicyMode } from "../../../config/edit-policies.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { APPROVALS_POLICY } from "../../../core/settings/approvals.ts";
import type { DashboardActions, PlanOfProject } from "../../../daemon/dashboard/actions.ts";
import type { ExplainAgain, PolicyVerdict } from "../../../daemon/dashboard/api.ts";
import { registry } from "../../../policies/index.gen.ts";
import { BodyRestorer } from "../../../replay/restore-body.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { recordCommand } from "../../state/record-command.ts";
import { allowOnce } from "../allow/run.ts";
import { checkCommandLine } from "../check/check-command-line.ts";
import { hookEnvironment } from "../explain/examine.ts";
import { type ExplainedPolicy, type Explanation, fromJournal } from "../explain/explanation.ts";
import { runExplain } from "../explain/run.ts";
import { journalObject } from "../journal/entry.ts";
import { activeState, planProject, readPlan } from "../plan/plan-access.ts";
import { configLayersIn, listPolicies } from "../policies/list-policies.ts";
import { changeConfig } from "./change-config.ts";
import { replayFor, replaySummary } from "./replay.ts";

/** What a change is tried on. */
const CHANGE_SINCE = "7d";
const LOSS_POLICY = "safety/destructive-command";

/** What the dashboard does through the functions of the other commands. */
export function dashboardActions(context: CommandContext, dist: string): DashboardActions {
  const { env } = context;
  const home = homeOf(env);
  const check = (command: string, cwd: string) =>
    // Without the database: no session's state matters for the effects, and copying it takes long.
    checkCommandLine(command, { home: { ...home, database: "" }, dist, cwd, env: hookEnvironment(dist, env) });
  const record = (words: readonly string[]): void => recordCommand(words, "Done in the dashboard.", context);
  const replay = (config: string) => replaySummary(context, dist, { since: CHANGE_SINCE, config });
  const restorer = new BodyRestorer();
  return {
    recorded(db, row) {
      const { policies, facts, reply } = fromJournal(journalObject(db, row));
      return { policies: policies.map(shownPolicy), facts, reply };
    },
    async effects(command, cwd) {
      const { verdict, effects } = await check(command, cwd);
      return effects.map(({ kind, why, loses }) => ({ kind, text: why, verdict: loses === true ? verdict : "pass" }));
    },
    async explain(id) {
      const lines: string[] = [];
      const options = { id: String(id), json: true };
      const asked = { ...context, args: [], options, out: (text: string) => void lines.push(text) };
      await runExplain(asked, { dist, input: process.stdin });
      return explained(JSON.parse(lines.join("\n")) as Explanation);
    },
    allowOnce(command, project) {
      const { shown, until } = allowOnce({ cwd: project, env }, command, "Allowed in the dashboard.");
      return { shown, until };
    },
    wholeBody: (row) =>
      restorer.restore({ toolUseId: String(row.tool_use_id), agentId: String(row.agent_id), body: String(row.body) })
        .body,
    setMode(policy, mode, change) {
      if (!registry.some(({ id }) => id === policy)) {
        throw new HookwrightError("HW_UNKNOWN_POLICY", { id: policy, nearest: "" });
      }
      const onChange = (): void => record(["dashboard", "mode", policy, mode]);
      return changeConfig(home, (text) => withPolicyMode(text, policy, mode), { ...change, replay, onChange });
    },
    async allowLosses(command, cwd, reason, change) {
      const { effects } = await check(command, cwd);
      const lost = effects.filter(({ loses }) => loses === true);
      // The person's configuration holds in all projects, so only a whole path is narrow enough.
      if (lost.length === 0 || lost.some((one) => one.path === "" || one.path.includes("*"))) {
        const detail = "no rule could allow exactly what this command would lose now, and nothing else";
        throw new HookwrightError("HW_POLICY_EDIT", { file: home.config, detail });
      }
      const edit = (text: string) =>
        lost.reduce<ReturnType<typeof withListItem>>(
          (before, { kind, path: target }) =>
            "detail" in before ? before : withListItem(before.text, LOSS_POLICY, "allow", { kind, target, reason }),
          { text },
        );
      const onChange = (): void => record(["dashboard", "rule", LOSS_POLICY]);
      return changeConfig(home, edit, { ...change, replay, onChange });
    },
    alwaysApprove(rule, change) {
      const edit = (text: string) => withListItem(text, APPROVALS_POLICY, "always", rule);
      const onChange = (): void => record(["dashboard", "rule", APPROVALS_POLICY]);
      return changeConfig(home, edit, { ...change, replay, onChange });
    },
    async policies(cwd) {
      const layers = await configLayersIn({ home, cwd, policyWorker: path.join(dist, "outside-worker.cjs") }, []);
      const listed = await listPolicies(registry, layers, env);
      return listed.map(({ id, pack, stage, mode, on, summary }) => ({ id, pack, stage, mode, isOn: on, summary }));
    },
    plan: planOf,
    replay: (request, onProgress) => replayFor(context, dist, request, onProgress),
    record,
  };
}

function shownPolicy({ id, stage, mode, fate, microseconds, verdicts, error }: ExplainedPolicy): PolicyVerdict {
  const said = verdicts.map(({ kind, text }) => ({ kind, text }));
  return { policy: id, stage, mode, fate, microseconds, verdicts: said, error: error ?? "" };
}

function explained({ ruling, policies }: Explanation): ExplainAgain {
  const { outcome, policy, reason } = ruling;
  return { ruling: outcome, policy, reason, policies: policies.map(shownPolicy) };
}

/** Undefined without a plan, and for one that cannot be read: `plan status` says why. */
function planOf(project: string): PlanOfProject | undefined {
  try {
    const found = planProject({ cwd: project, env: {} });
    if (found.read.kind !== "active") return undefined;
    const { plan: file } = activeState(found);
    const { plan } = readPlan(found.root, file);
    const tasks = plan.tasks.map(({ id, text, status }) => ({ id, text, state: status ?? "", owner: "" }));
    return { project: found.root, file, name: plan.title, tasks };
  } catch (error) {
    if (error instanceof HookwrightError) return undefined;
    throw error;
  }
}
