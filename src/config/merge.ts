import type * as z from "zod";
import type { Config } from "../core/config.ts";
import type { Path } from "./read-yaml.ts";
import { contextBudgetSchema, type OptionSchemas, type Settings } from "./settings.ts";
import { directionOf, tightenMode, tightenOption } from "./tighten.ts";

/** `none`: the option may not be set at all by somebody who may only tighten. */
export interface Refusal {
  readonly path: Path;
  readonly inForce: unknown;
  readonly never: boolean;
}

export interface MergeOptions {
  readonly schemas: OptionSchemas;
  /** Who may loosen overrules what came before; everybody else only makes it stricter. */
  readonly mayLoosen: boolean;
  refused(refusal: Refusal): void;
}

/** The configuration so far with one more file laid over it. */
export function mergeSettings(base: Config, settings: Settings, options: MergeOptions): Config {
  const policies = { ...base.policies };
  for (const [id, set] of settings.policies) {
    const before = policies[id] ?? {};
    const path = ["policies", id];
    let { mode } = before;
    if (set.mode) {
      const wish = tightenMode(mode ?? "enforce", set.mode);
      if (wish.refused && !options.mayLoosen) {
        options.refused({ path: [...path, "mode"], inForce: wish.value, never: false });
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
    problems: base.problems,
  };
}

function mergeProfiles(base: Config, settings: Settings, mayLoosen: boolean): Config["profiles"] {
  if (!settings.profiles) return base.profiles;
  return mayLoosen ? settings.profiles : [...new Set([...base.profiles, ...settings.profiles])];
}

function mergeOptions(
  schema: z.ZodObject,
  before: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  path: Path,
  { mayLoosen, refused }: MergeOptions,
): Record<string, unknown> {
  if (mayLoosen) return { ...before, ...wanted };
  const result = { ...before };
  for (const [key, value] of Object.entries(wanted)) {
    const option = schema.shape[key] as z.ZodType;
    const inForce = Object.hasOwn(before, key) ? before[key] : option.safeParse(undefined).data;
    const wish = tightenOption(option, inForce, value);
    if (!wish.refused) result[key] = wish.value;
    else refused({ path: [...path, key], inForce, never: directionOf(option).tighter === "none" });
  }
  return result;
}
