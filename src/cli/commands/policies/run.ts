import { HookwrightError } from "../../../core/errors.ts";
import { ruleId } from "../../../core/settings/rule.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import { registry } from "../../../policies/index.gen.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { readProfiles } from "../../installation/setup-options.ts";
import { styleFor } from "../../terminal/style.ts";
import { runCheckConfiguration } from "./check-configuration.ts";
import {
  type ConfigLayers,
  configLayersIn,
  describeOwn,
  describePolicy,
  describeRule,
  type ListedPolicy,
  listPolicies,
  type PolicyDetails,
} from "./list-policies.ts";
import { showList, showPolicy } from "./show.ts";

export async function runPoliciesCommand(context: CommandContext, policyWorker: string): Promise<number> {
  const { args, options, env, cwd, out } = context;
  const [id, ...more] = args;
  if (more.length > 0) throw usage("Give the ID of one policy, or no ID for the list.");
  if (id !== undefined && options.all) throw usage("--all belongs to the list: leave out the ID.");
  if (options.check) return checkOnly(context);
  if (options.sarif) throw usage("--sarif belongs to --check.");
  const profiles = readProfiles("policies", typeof options.profile === "string" ? options.profile : undefined);
  const situation = await configLayersIn({ home: homeOf(env), cwd, policyWorker }, profiles);
  const policies = await listPolicies(registry, situation, env);
  const style = styleFor(env, process.stdout.isTTY === true);
  if (id === undefined) {
    out(options.json ? JSON.stringify(policies) : showList(policies, situation, style, options.all === true));
    return 0;
  }
  const listed = policies.find((policy) => policy.id === id);
  const details = listed && (await detailsOf(listed, situation));
  if (!details) throw new HookwrightError("HW_UNKNOWN_POLICY", { id, nearest: nearest(id, policies) });
  out(options.json ? JSON.stringify(details) : showPolicy(details, situation, style));
  return 0;
}

function usage(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "policies" });
}

function checkOnly(context: CommandContext): Promise<number> {
  const { all, profile, json, sarif } = context.options;
  if (context.args.length > 0 || all || profile !== undefined)
    throw usage("--check looks at whole files: leave out the ID, --all and --profile.");
  if (json && sarif) throw usage("Choose one of --json and --sarif.");
  return runCheckConfiguration(context);
}

async function detailsOf(listed: ListedPolicy, situation: ConfigLayers): Promise<PolicyDetails | undefined> {
  const entry = registry.find(({ id }) => id === listed.id);
  if (entry) return describePolicy(entry, listed, situation);
  const own = situation.project.policies.find((one) => one.id === listed.id && one.state === listed.state);
  if (own) return describeOwn(own, listed, situation);
  const rule = situation.config.rules.find((one) => ruleId(one) === listed.id);
  return rule && describeRule(rule, listed, situation);
}

/** A hint for an unknown ID: also tries it as a pack, and as a policy name without its pack. */
function nearest(id: string, policies: readonly ListedPolicy[]): string {
  const ids = policies.map((policy) => policy.id);
  const inPack = ids.filter((one) => one.startsWith(`${id}/`));
  if (inPack.length > 0) return ` It is a pack: ${inPack.map((one) => `\`${one}\``).join(", ")}.`;
  const whole = ids.find((one) => one.endsWith(`/${id}`));
  return whole === undefined ? nearestName(id, ids) : ` Did you mean \`${whole}\`?`;
}
