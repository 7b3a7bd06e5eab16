import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { Config } from "../core/settings/config.ts";
import type { Rule } from "../core/settings/rule.ts";
import { contextBudgetSchema, type FileSettings, type OptionSchemas } from "./read-settings.ts";
import type { KeyPath } from "./read-yaml.ts";
import { directionOf, tightenMode, tightenOption } from "./tighten.ts";

export interface RefusedSetting {
  readonly path: KeyPath;
  /**
   * - looser: it would loosen the value in force
   * - never: a file that may only tighten may not set this option at all
   * - note: a rule that adds text for the model
   * - taken: another rule has the same id
   */
  readonly why: "looser" | "never" | "note" | "taken";
  /** The value that stays in force; for a rule, its id. */
  readonly inForce: unknown;
}

export interface MergeOptions {
  readonly schemas: OptionSchemas;
  /** True: the file overrides earlier files. False: it can only make settings stricter. */
  readonly mayLoosen: boolean;
  refused(refusal: RefusedSetting): void;
}

/** Merges the settings of one more file into the configuration. */
export function mergeSettings(base: Config, settings: FileSettings, options: MergeOptions): Config {
  const policies = { ...base.policies };
  for (const [id, set] of settings.policies) {
    const before = policies[id] ?? {};
    const path = ["policies", id];
    let { mode } = before;
    if (set.mode) {
      const wish = tightenMode(mode ?? "enforce", set.mode);
      if (wish.refused && !options.mayLoosen) {
        options.refused({ path: [...path, "mode"], inForce: wish.value, why: "looser" });
      }
      mode = options.mayLoosen ? set.mode : wish.value;
    }
    const schema = options.schemas.get(id);
    const laid = schema ? mergeOptions(schema, before.options ?? {}, set.options, path, options) : before.options;
    policies[id] = { ...(mode ? { mode } : {}), options: laid ?? {} };
  }
  return {
    profiles: mergeProfiles(base, settings, options.mayLoosen),
    policies,
    contextBudget: {
      ...base.contextBudget,
      ...mergeOptions(
        contextBudgetSchema,
        { ...base.contextBudget },
        settings.contextBudget,
        ["contextBudget"],
        options,
      ),
    },
    contextPolicy: mergeContextPolicy(base.contextPolicy, settings.contextPolicy, options),
    rules: mergeRules(base.rules, settings.rules, options),
    problems: base.problems,
  };
}

/** Neither value is stricter than the other, so only a file that may loosen can set it. */
function mergeContextPolicy(
  before: Config["contextPolicy"],
  wanted: FileSettings["contextPolicy"],
  { mayLoosen, refused }: MergeOptions,
): Config["contextPolicy"] {
  if (wanted === undefined || wanted === before) return before;
  if (mayLoosen) return wanted;
  refused({ path: ["contextPolicy"], inForce: before, why: "never" });
  return before;
}

/** Adding a rule that denies or asks only tightens. A note for the model cannot be judged, so it needs trust. */
function mergeRules(
  before: readonly Rule[],
  wanted: FileSettings["rules"],
  { mayLoosen, refused }: MergeOptions,
): readonly Rule[] {
  const rules = [...before];
  for (const { rule, path } of wanted) {
    const at = rules.findIndex(({ id }) => id === rule.id);
    const other = rules[at];
    if (other && isDeepStrictEqual(other, rule)) continue;
    if (mayLoosen) rules.splice(other ? at : rules.length, 1, rule);
    else if (other) refused({ path, why: "taken", inForce: rule.id });
    else if (rule.do === "note") refused({ path, why: "note", inForce: rule.id });
    else rules.push(rule);
  }
  return rules;
}

function mergeProfiles(base: Config, settings: FileSettings, mayLoosen: boolean): Config["profiles"] {
  if (!settings.profiles) return base.profiles;
  return mayLoosen ? settings.profiles : [...new Set([...base.profiles, ...settings.profiles])];
}

function mergeOptions(
  schema: z.ZodObject,
  before: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  path: KeyPath,
  { mayLoosen, refused }: MergeOptions,
): Record<string, unknown> {
  if (mayLoosen) return { ...before, ...wanted };
  const result = { ...before };
  for (const [key, value] of Object.entries(wanted)) {
    const option = schema.shape[key] as z.ZodType;
    const inForce = Object.hasOwn(before, key) ? before[key] : option.safeParse(undefined).data;
    const wish = tightenOption(option, inForce, value);
    if (!wish.refused) result[key] = wish.value;
    else refused({ path: [...path, key], inForce, why: directionOf(option).tighter === "none" ? "never" : "looser" });
  }
  return result;
}
