import type { AnyEvent, EventName, ToolKind } from "../../core/event.ts";
import { type ActivePolicy, applicable } from "../../core/pipeline.ts";
import type { Policy } from "../../core/policy.ts";
import type { Config } from "../../core/settings/config.ts";
import { type EnabledPolicy, enabledPolicies } from "../../core/settings/config.ts";
import { switchedOffByOmc } from "../../core/settings/omc-switches.ts";
import { loadPolicies, registry } from "../../policies/index.gen.ts";
import type { PatternLoader } from "../chunks.ts";
import { NO_POLICIES, type PolicyQuestion, type ProjectPolicies } from "../project-policies/project-policies.ts";
import type { HookArguments } from "../receive/hook-arguments.ts";
import type { PoliciesBefore } from "./approvals.ts";
import { activeRules } from "./rules.ts";

export interface PoliciesOfEvent {
  /** The built-in policies, the rules of the configuration and the project's own policies. */
  readonly policies: readonly ActivePolicy[];
  readonly policiesBefore: PoliciesBefore;
  readonly problems: readonly string[];
}

/** All policies that are asked about this event. */
export async function policiesOf(
  question: PolicyQuestion,
  args: HookArguments,
  projectPolicies: ProjectPolicies,
  loadPatterns: PatternLoader,
): Promise<PoliciesOfEvent> {
  const { event, config } = question;
  const theirs = args.isSupplement ? NO_POLICIES : await projectPolicies.policiesFor(question);
  const isOff = switchedOffByOmc(question.env);
  const withoutOff = (those: readonly ActivePolicy[], { name }: AnyEvent) =>
    isOff ? those.filter(({ policy }) => !isOff(policy.id, name)) : those;
  const ours = withoutOff(await activePolicies(event, config, args, loadPatterns), event);
  return {
    policies: theirs.policies.length === 0 ? ours : [...ours, ...theirs.policies],
    problems: theirs.problems,
    policiesBefore: async (call) => {
      const all = await activePolicies(call, config, everyProfile(args, config), loadPatterns);
      return [...withoutOff(all, call), ...(await projectPolicies.policiesFor({ ...question, event: call })).policies];
    },
  };
}

type ProfileArguments = Pick<HookArguments, "profiles" | "isSupplement">;

/** A plugin runs its own profiles beside those of another registration: these are all of them together. */
function everyProfile({ profiles, isSupplement }: ProfileArguments, config: Config): ProfileArguments {
  if (!isSupplement) return { profiles, isSupplement };
  return { profiles: [...new Set([...config.profiles, ...(profiles ?? [])])], isSupplement: false };
}

/** The configuration and the arguments of a registration stay the same objects until they change. */
const active = new WeakMap<Config, WeakMap<ProfileArguments, Map<EventName, ByKind>>>();
type ByKind = Map<ToolKind | undefined, readonly ActivePolicy[]>;

/** The built-in policies and rules that are asked about this event; policies are loaded on first use. */
async function activePolicies(
  event: AnyEvent,
  config: Config,
  args: ProfileArguments,
  loadPatterns: PatternLoader,
): Promise<readonly ActivePolicy[]> {
  const kind = event.tool?.kind;
  let ours = active.get(config)?.get(args)?.get(event.name)?.get(kind);
  if (!ours) {
    ours = await load(enabledPolicies(registry, config, args.profiles, args.isSupplement), event);
    keep(config, args, event.name, kind, ours);
  }
  if (args.isSupplement || config.rules.length === 0) return ours;
  // Rules belong to no profile: a rule in the configuration is always on.
  return [...ours, ...activeRules(event, config, loadPatterns)];
}

function keep(
  config: Config,
  args: ProfileArguments,
  event: EventName,
  kind: ToolKind | undefined,
  ours: readonly ActivePolicy[],
): void {
  const byArguments = active.get(config) ?? new WeakMap<ProfileArguments, Map<EventName, ByKind>>();
  const byEvent = byArguments.get(args) ?? new Map<EventName, ByKind>();
  const byKind: ByKind = byEvent.get(event) ?? new Map();
  byKind.set(kind, ours);
  byEvent.set(event, byKind);
  byArguments.set(args, byEvent);
  active.set(config, byArguments);
}

async function load(enabled: readonly EnabledPolicy[], event: AnyEvent): Promise<readonly ActivePolicy[]> {
  const looking = applicable(enabled, event);
  const policies = await loadPolicies(looking.map(({ entry }) => entry));
  return looking.map(({ mode, options }, index) => ({ policy: policies[index] as Policy, mode, options }));
}
