import { isDeepStrictEqual } from "node:util";
import type { RegistryEntry } from "../core/policy.ts";
import { type Config, modeOf } from "../core/settings/config.ts";
import { ruleId } from "../core/settings/rule.ts";

export interface ConfigDifference {
  /** Such as `profiles`, `safety/protected-paths mode`, `contextBudget start` or `rules/no-deploy`. */
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The differences of two configurations, with defaults filled in. */
export function configDifferences(
  registry: readonly RegistryEntry[],
  before: Config,
  after: Config,
): ConfigDifference[] {
  const old = flat(registry, before);
  const now = flat(registry, after);
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((what) => ({ what, before: old.get(what), after: now.get(what) }))
    .filter((one) => !isDeepStrictEqual(one.before, one.after));
}

function flat(registry: readonly RegistryEntry[], config: Config): Map<string, unknown> {
  const values = new Map<string, unknown>([
    ["profiles", [...config.profiles].sort()],
    ["contextPolicy", config.contextPolicy],
  ]);
  for (const [key, value] of Object.entries(config.contextBudget)) values.set(`contextBudget ${key}`, value);
  for (const entry of registry) {
    const { id, defaults } = entry;
    const set = config.policies[id];
    values.set(`${id} mode`, modeOf(entry, set));
    for (const [key, value] of Object.entries({ ...defaults, ...set?.options })) values.set(`${id} ${key}`, value);
  }
  // Also a project's own policies, which are not in the registry.
  for (const [id, set] of Object.entries(config.policies)) {
    if (!values.has(`${id} mode`)) values.set(`${id} mode`, modeOf({}, set));
  }
  for (const rule of config.rules) {
    // `cost` is computed from the other fields.
    const { id, cost, ...said } = rule;
    values.set(ruleId({ id }), said);
  }
  return values;
}
