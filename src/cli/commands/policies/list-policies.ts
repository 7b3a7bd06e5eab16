import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type ConfigOwner, compileConfig } from "../../../config/compile.ts";
import { projectPermission } from "../../../config/config-schema.ts";
import { printable } from "../../../config/printable.ts";
import { projectRoot } from "../../../core/actor.ts";
import type { RegistryEntry } from "../../../core/policy.ts";
import {
  type Config,
  DEFAULT_CONFIG,
  enabledPolicies,
  modeOf,
  type PolicyMode,
} from "../../../core/settings/config.ts";
import { type OmcSwitch, switchedOffByOmc } from "../../../core/settings/omc-switches.ts";
import type { ProfileName } from "../../../core/settings/profiles.ts";
import { type Rule, ruleId, ruleStage } from "../../../core/settings/rule.ts";
import { STAGES } from "../../../core/stages.ts";
import { findConfigFiles, readConfigSources } from "../../../engine/config/config-files.ts";
import type { Home } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import {
  type ListedProjectPolicies,
  type ProjectPolicy,
  projectPolicies,
} from "../../installation/project-policies.ts";

/** Where a value was set. */
export type ValueSource = "default" | ConfigOwner | "--profile";

/** One line of the list, and one object of `policies --json`. */
export interface ListedPolicy {
  readonly id: string;
  readonly pack: string;
  readonly stage: string;
  readonly order: number;
  readonly events: readonly string[];
  readonly mode: PolicyMode;
  /** True while it is off because no configuration has given it a mode. */
  readonly offByDefault?: boolean;
  readonly on: boolean;
  readonly summary: string;
  /** The variable of the environment that switches it off here. */
  readonly switchedOffBy?: OmcSwitch;
  /** For a project's own policy: whether it runs. The content of one that does not run is not shown, as it is untrusted. */
  readonly state?: ProjectPolicy["state"];
  /** Why it does not run, and what to do. */
  readonly problem?: string;
}

export interface PolicyOption {
  readonly name: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly from: ValueSource;
  readonly description: string;
  /** What a project may do with it without trust, as the words after "may". */
  readonly project: string;
}

/** All details of one policy. */
export interface PolicyDetails extends ListedPolicy {
  readonly why: string;
  readonly origin: string;
  readonly modeFrom: ValueSource;
  /** The kinds of tools that it checks; empty: all calls. */
  readonly kinds: readonly string[];
  readonly env: readonly string[];
  readonly onError: string;
  readonly options: readonly PolicyOption[];
  readonly messages: Readonly<Record<string, string>>;
  readonly examples: { readonly hit: readonly string[]; readonly pass: readonly string[] };
}

/** The configuration in force for a folder, and its layers, so that each value can be traced to its source. */
export interface ConfigLayers {
  readonly config: Config;
  /** The configuration with one more file in each, the one in force last. */
  readonly layers: readonly { readonly source: ValueSource; readonly config: Config }[];
  readonly profiles: readonly ProfileName[];
  readonly profilesFrom: ValueSource;
  readonly problems: readonly string[];
  readonly project: ListedProjectPolicies;
}

export interface PolicyLocation {
  readonly home: Home;
  readonly cwd: string;
  /** Runs a project's own policies. */
  readonly policyWorker: string;
}

/** In the order in which their files are laid over each other. */
const OWNERS: readonly ConfigOwner[] = ["person", "project", "fleet"];

export async function configLayersIn(
  { home, cwd, policyWorker }: PolicyLocation,
  asked: readonly ProfileName[],
): Promise<ConfigLayers> {
  const { sources, problems } = readConfigSources(home, findConfigFiles(home, cwd, projectRoot(cwd, system)));
  const layers: { source: ValueSource; config: Config }[] = [{ source: "default", config: DEFAULT_CONFIG }];
  for (const [at, owner] of OWNERS.entries()) {
    const known = sources.filter((one) => OWNERS.indexOf(one.owner) <= at);
    if (known.some((one) => one.owner === owner)) layers.push({ source: owner, config: await compileConfig(known) });
  }
  const config = await compileConfig(sources);
  return {
    config,
    layers,
    profiles: asked.length > 0 ? asked : config.profiles,
    profilesFrom: asked.length > 0 ? "--profile" : sourceOf(layers, (one) => one.profiles),
    problems: [...problems, ...config.problems],
    project: await projectPolicies(home, cwd, policyWorker),
  };
}

/** Whose file has set the value that is in force. */
function sourceOf(layers: ConfigLayers["layers"], read: (config: Config) => unknown): ValueSource {
  const inForce = read(layers.at(-1)?.config ?? DEFAULT_CONFIG);
  return layers.find(({ config }) => isDeepStrictEqual(read(config), inForce))?.source ?? "default";
}

/** All policies in the order in which they are asked. */
export async function listPolicies(
  registry: readonly RegistryEntry[],
  { config, profiles, project }: ConfigLayers,
  env: NodeJS.ProcessEnv,
): Promise<ListedPolicy[]> {
  const isOff = switchedOffByOmc(env);
  const enabled = new Set(enabledPolicies(registry, config, profiles).map(({ entry }) => entry.id));
  const all = await Promise.all(
    registry.map(async (entry) => {
      const isEnabled = enabled.has(entry.id);
      const switchedOffBy = isEnabled ? isOff?.(entry.id) : undefined;
      return {
        id: entry.id,
        pack: entry.pack,
        stage: entry.stage,
        order: STAGES[entry.stage].order,
        events: entry.events,
        mode: modeOf(entry, config.policies[entry.id]),
        on: isEnabled && switchedOffBy === undefined,
        summary: (await entry.load()).default.summary,
        ...(switchedOffBy === undefined ? {} : { switchedOffBy }),
        ...(entry.defaultMode && config.policies[entry.id]?.mode === undefined ? { offByDefault: true } : {}),
      };
    }),
  );
  const own = project.policies.map((one) => listedOwn(one, config));
  return [...all, ...config.rules.map(listedRule), ...own].sort(
    (a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1),
  );
}

/** The sort key; policies without a stage come last. */
function place({ order }: ListedPolicy): number {
  return order === 0 ? Number.POSITIVE_INFINITY : order;
}

function listedOwn(one: ProjectPolicy, config: Config): ListedPolicy {
  const mode = modeOf({}, config.policies[one.id]);
  const base = { id: one.id, pack: "local", mode, state: one.state };
  if (one.state !== "trusted") {
    return { ...base, stage: "", order: 0, events: [], on: false, summary: "", problem: one.problem };
  }
  const { stage, events, summary } = one.policy;
  return { ...base, stage, order: STAGES[stage].order, events, on: mode !== "off", summary: printable(summary, 200) };
}

export function describeOwn(one: ProjectPolicy, listed: ListedPolicy, { layers }: ConfigLayers): PolicyDetails {
  const policy = one.state === "trusted" ? one.policy : undefined;
  return {
    ...listed,
    why: policy ? printable(policy.why, 2_000) : "",
    origin: "",
    modeFrom: sourceOf(layers, ({ policies }) => policies[one.id]?.mode),
    kinds: policy?.kinds ?? [],
    env: [],
    onError: policy ? STAGES[policy.stage].onError : "nothing",
    options: [],
    messages: Object.fromEntries(
      Object.entries(policy?.messages ?? {}).map(([name, text]) => [name, printable(text, 2_000)]),
    ),
    examples: { hit: [], pass: [] },
  };
}

function listedRule(rule: Rule): ListedPolicy {
  const stage = ruleStage(rule);
  return {
    id: ruleId(rule),
    pack: "rules",
    stage,
    order: STAGES[stage].order,
    events: [rule.event],
    mode: rule.mode,
    on: rule.mode !== "off",
    summary: rule.text.replace(/\s+/g, " "),
  };
}

export function describeRule(rule: Rule, listed: ListedPolicy, { layers }: ConfigLayers): PolicyDetails {
  const source = sourceOf(layers, ({ rules }) => rules.some((one) => isDeepStrictEqual(one, rule)));
  const conditions = (["tool", "program", "pattern", "path"] as const).flatMap((key) => {
    const value = rule[key];
    return value === undefined ? [] : [`${key}: ${printable([value].flat().join(", "), 600)}`];
  });
  return {
    ...listed,
    why: `A rule of ${source === "person" ? "your" : source === "fleet" ? "the fleet's" : "this project's"} configuration.`,
    origin: "",
    modeFrom: source,
    kinds: [],
    env: [],
    onError: STAGES[ruleStage(rule)].onError,
    options: [],
    messages: { [rule.do]: rule.text },
    examples: { hit: [conditions.join("; ")], pass: [] },
  };
}

export async function describePolicy(
  entry: RegistryEntry,
  listed: ListedPolicy,
  situation: ConfigLayers,
): Promise<PolicyDetails> {
  const policy = (await entry.load()).default;
  const shape = policy.options?.(z).shape ?? {};
  const inForce = situation.config.policies[entry.id] ?? {};
  const { layers } = situation;
  return {
    ...listed,
    why: policy.why,
    origin: policy.origin ?? "",
    modeFrom: sourceOf(layers, ({ policies }) => policies[entry.id]?.mode),
    kinds: entry.kinds ?? [],
    env: entry.env,
    onError: STAGES[entry.stage].onError,
    options: Object.entries(shape).map(([name, option]) => ({
      name,
      value: inForce.options?.[name] ?? entry.defaults[name],
      default: entry.defaults[name],
      from: sourceOf(layers, ({ policies }) => policies[entry.id]?.options?.[name]),
      description: (option as z.ZodType).description ?? "",
      project: projectPermission(option as z.ZodType),
    })),
    messages: policy.messages,
    examples: policy.examples,
  };
}
