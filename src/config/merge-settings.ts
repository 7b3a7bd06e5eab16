import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { Config, PolicyMode } from "../core/settings/config.ts";
import type { Rule } from "../core/settings/rule.ts";
import { contextBudgetSchema, type FileSettings, type OptionSchemas, PERSONAL_POLICIES } from "./read-settings.ts";
import type { KeyPath } from "./read-yaml.ts";
import { directionOf, tightenMode, tightenOption } from "./tighten.ts";

export interface RefusedSetting {
  readonly path: KeyPath;
  /**
   * - looser: it would loosen the value in force
   * - never: a file that may only tighten may not set this option at all
   * - person: no file but the person's own may set this option
   * - note: a rule that adds text for the model
   * - taken: another rule has the same id
   */
  readonly why: "looser" | "never" | "person" | "note" | "taken";
  /** The value that stays in force; for a rule, its id. */
  readonly inForce: unknown;
}

export interface MergeOptions {
  readonly schemas: OptionSchemas;
  /** The policies that are off until a file gives them a mode. */
  readonly offByDefault: ReadonlySet<string>;
  /** The policies that a file which may only tighten cannot turn on. */
  readonly needTrust: ReadonlySet<string>;
  /** True: the file overrides earlier files. False: it can only make settings stricter. */
  readonly mayLoosen: boolean;
  readonly owner: "person" | "project" | "fleet";
  refused(refusal: RefusedSetting): void;
}

/** Merges the settings of one more file into the configuration. */
export function mergeSettings(base: Config, settings: FileSettings, options: MergeOptions): Config {
  const policies = { ...base.policies };
  for (const [id, set] of settings.policies) {
    const before = policies[id] ?? {};
    const path = ["policies", id];
    if (PERSONAL_POLICIES.has(id) && options.owner !== "person") {
      options.refused({ path, inForce: before.mode ?? "off", why: "person" });
      continue;
    }
    const mode = set.mode ? mergeMode(id, before.mode, set.mode, options) : before.mode;
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

function mergeMode(id: string, before: PolicyMode | undefined, wanted: PolicyMode, options: MergeOptions): PolicyMode {
  if (options.mayLoosen) return wanted;
  const inForce = before ?? (options.offByDefault.has(id) ? "off" : "enforce");
  const refuse = (why: RefusedSetting["why"]): PolicyMode => {
    options.refused({ path: ["policies", id, "mode"], inForce, why });
    return inForce;
  };
  const wish = tightenMode(inForce, wanted);
  if (wish.refused) return refuse("looser");
  return options.needTrust.has(id) && wish.value !== inForce ? refuse("never") : wish.value;
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
  { mayLoosen, owner, refused }: MergeOptions,
): Record<string, unknown> {
  const result = { ...before };
  for (const [key, value] of Object.entries(wanted)) {
    const option = schema.shape[key] as z.ZodType;
    const { tighter } = directionOf(option);
    if (mayLoosen && (owner === "person" || tighter !== "person")) {
      result[key] = value;
      continue;
    }
    const inForce = Object.hasOwn(before, key) ? before[key] : option.safeParse(undefined).data;
    const wish = tightenOption(option, inForce, value);
    const why = tighter === "none" ? "never" : tighter === "person" ? "person" : "looser";
    if (!wish.refused) result[key] = wish.value;
    else refused({ path: [...path, key], inForce, why });
  }
  return result;
}
