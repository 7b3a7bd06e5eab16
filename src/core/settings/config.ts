import { type ContextBudget, DEFAULT_CONTEXT_BUDGET } from "../context-budget.ts";
import type { RegistryEntry } from "../policy.ts";
import { DEFAULT_PROFILES, type ProfileName, packsOf } from "./profiles.ts";
import type { Rule } from "./rule.ts";

/** What happens when the context fills up: it is compacted, or the work is handed over to a fresh start. */
export type ContextPolicy = "preserve" | "restart";

export type PolicyMode = "off" | "observe" | "enforce";

/** The checked and merged configuration files. Cached as JSON between events. */
export interface Config {
  readonly profiles: readonly ProfileName[];
  readonly policies: Readonly<
    Record<string, { readonly mode?: PolicyMode; readonly options?: Record<string, unknown> }>
  >;
  readonly contextBudget: ContextBudget;
  readonly contextPolicy: ContextPolicy;
  /** The person's rules first, so that what a project adds comes after them. */
  readonly rules: readonly Rule[];
  /** What is wrong with the files, in sentences with file, line and column. */
  readonly problems: readonly string[];
}

export const DEFAULT_CONFIG: Config = {
  profiles: DEFAULT_PROFILES,
  policies: {},
  contextBudget: DEFAULT_CONTEXT_BUDGET,
  contextPolicy: "preserve",
  rules: [],
  problems: [],
};

export interface EnabledPolicy {
  readonly entry: RegistryEntry;
  readonly mode: "observe" | "enforce";
  readonly options: Readonly<Record<string, unknown>>;
}

/** The mode of a policy; `set` is what the configuration says of it. */
export function modeOf(
  { defaultMode }: Pick<RegistryEntry, "defaultMode">,
  set: { readonly mode?: PolicyMode } | undefined,
): PolicyMode {
  return set?.mode ?? defaultMode ?? "enforce";
}

/** `profiles`, when given, selects exactly those and overrules the configuration's own list. */
export function enabledPolicies(
  registry: readonly RegistryEntry[],
  config: Config,
  profiles: readonly ProfileName[] | undefined,
  isSupplement: boolean = false,
): EnabledPolicy[] {
  const packs = packsOf(profiles ?? config.profiles, isSupplement);
  return registry.flatMap((entry) => {
    if (!packs.has(entry.pack)) return [];
    const set = config.policies[entry.id];
    const mode = modeOf(entry, set);
    return mode === "off" ? [] : [{ entry, mode, options: { ...entry.defaults, ...set?.options } }];
  });
}
