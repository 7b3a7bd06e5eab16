import * as z from "zod";
import { type ContextBudget, DEFAULT_CONTEXT_BUDGET } from "../core/context-budget.ts";
import { APPROVALS, APPROVALS_POLICY } from "../core/settings/approvals.ts";
import type { ContextPolicy, PolicyMode } from "../core/settings/config.ts";
import { PROFILES, type ProfileName } from "../core/settings/profiles.ts";
import type { FileReport } from "./file-report.ts";
import { printable } from "./printable.ts";
import { isRecord, MODES, nearest, ownValue, readGivenOptions, unknownName } from "./read-options.ts";
import { type PlacedRule, readConfigRules } from "./read-rules.ts";
import type { KeyPath } from "./read-yaml.ts";

/** The valid settings of one file. */
export interface FileSettings {
  readonly profiles?: readonly ProfileName[];
  readonly policies: ReadonlyMap<string, PolicySettings>;
  readonly contextBudget: Partial<ContextBudget>;
  readonly contextPolicy?: ContextPolicy;
  readonly rules: readonly PlacedRule[];
}

interface PolicySettings {
  readonly mode?: PolicyMode;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The options of every policy, by its id. */
export type OptionSchemas = ReadonlyMap<string, z.ZodObject>;

/** The ids of policies that a project brings along. They have a mode but no options. */
export const PROJECT_POLICY_ID = /^local\/[a-z0-9][a-z0-9-]*$/;
const NO_OPTIONS = z.object({});

export const CONFIG_KEYS = ["profiles", "policies", "contextBudget", "contextPolicy", "approvals", "rules"] as const;

const characters = (what: string, standard: number) =>
  z
    .int()
    .min(500)
    .max(9_000)
    .default(standard)
    .describe(`How many characters of context ${what} may get in one answer.`)
    .meta({ tighter: "down" });

export const contextBudgetSchema = z.object({
  start: characters("the start of a session, a prompt or a subagent", DEFAULT_CONTEXT_BUDGET.start),
  tool: characters("any other event", DEFAULT_CONTEXT_BUDGET.tool),
});

/** A project may not choose this: it decides whether an agent may be ended and started again. */
export const CONTEXT_POLICIES = ["preserve", "restart"] as const satisfies readonly ContextPolicy[];

export const NO_SETTINGS: FileSettings = { policies: new Map(), contextBudget: {}, rules: [] };

/** Reports every mistake, and returns the valid settings. */
export function readFileSettings(root: unknown, schemas: OptionSchemas, report: FileReport): FileSettings {
  if (root === undefined) return NO_SETTINGS;
  if (!isRecord(root)) {
    report.mistake([], () => "the file should hold keys and values, such as `profiles: [safety]`");
    return NO_SETTINGS;
  }
  const packs = packOptions(schemas);
  const keys = [...CONFIG_KEYS, ...packs.keys()];
  for (const key of Object.keys(root)) {
    if (keys.includes(key)) continue;
    report.mistake([key], () => `\`${printable(key)}\` is not a key here.${nearest(key, keys)}`, "key");
  }
  const profiles = readProfiles(ownValue(root, "profiles"), report);
  const policies = readPolicies(ownValue(root, "policies"), schemas, report);
  readApprovals(ownValue(root, "approvals"), policies, report);
  const contextPolicy = readContextPolicy(ownValue(root, "contextPolicy"), report);
  return {
    ...(profiles ? { profiles } : {}),
    ...(contextPolicy ? { contextPolicy } : {}),
    policies: withPackOptions(root, packs, schemas, policies, report),
    contextBudget: readContextBudget(ownValue(root, "contextBudget"), report),
    rules: readConfigRules(ownValue(root, "rules"), report),
  };
}

function readContextPolicy(value: unknown, report: FileReport): ContextPolicy | undefined {
  if (value === null) return undefined;
  const known = CONTEXT_POLICIES.find((name) => name === value);
  if (!known) report.mistake(["contextPolicy"], () => "`contextPolicy` takes `preserve` or `restart`");
  return known;
}

/** Another way to write the mode of one policy; what stands under the policy's own name takes precedence. */
function readApprovals(value: unknown, policies: Map<string, PolicySettings>, report: FileReport): void {
  if (value === null) return;
  const where = APPROVALS.find((name) => name === value);
  if (!where) report.mistake(["approvals"], () => "`approvals` takes `browser` or `off`");
  const before = policies.get(APPROVALS_POLICY) ?? { options: {} };
  if (where) policies.set(APPROVALS_POLICY, { mode: where === "off" ? "off" : "enforce", ...before });
}

function readProfiles(value: unknown, report: FileReport): ProfileName[] | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value)) {
    report.mistake(["profiles"], () => "`profiles` should be a list, such as `[safety, ntm]`");
    return undefined;
  }
  const names = new Set<ProfileName>();
  value.forEach((name: unknown, index) => {
    const known = PROFILES.find((profile) => profile === name);
    if (known) names.add(known);
    else report.mistake(["profiles", index], () => unknownName("profile", name, PROFILES));
  });
  return [...names];
}

function readPolicies(value: unknown, schemas: OptionSchemas, report: FileReport): Map<string, PolicySettings> {
  const policies = new Map<string, PolicySettings>();
  if (value === null) return policies;
  if (!isRecord(value)) {
    report.mistake(["policies"], () => "`policies` should hold policy names, each with its settings");
    return policies;
  }
  for (const [id, setting] of Object.entries(value)) {
    const path = ["policies", id];
    const schema = schemas.get(id) ?? (PROJECT_POLICY_ID.test(id) ? NO_OPTIONS : undefined);
    if (!schema) {
      report.mistake(path, () => unknownName("policy", id, [...schemas.keys()]), "key");
      continue;
    }
    // A policy without a value, for example because its options are commented out, counts as missing.
    if (setting === null) continue;
    if (typeof setting !== "string" && !isRecord(setting)) {
      report.mistake(path, () => "a policy takes `off`, `observe`, `enforce`, or its options");
      continue;
    }
    const given = typeof setting === "string" ? { mode: setting } : setting;
    const modePath = typeof setting === "string" ? path : [...path, "mode"];
    const mode = Object.hasOwn(given, "mode") ? readMode(given.mode, modePath, report) : undefined;
    const options = readGivenOptions(schema, given, path, report, ["mode"]);
    policies.set(id, { ...(mode ? { mode } : {}), options });
  }
  return policies;
}

/**
 * Policies that also take options from a key other than the name of their pack. What a person says with words starts a
 * mode, so the settings of the modes apply to the policy that reads these words too. What is approved is a matter of
 * permissions, wherever the policy stands.
 */
export const MORE_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  keywords: ["detection/keyword-detector"],
  learner: ["enhancement/learner"],
  modes: ["detection/keyword-detector"],
  permissions: ["validation/permission-handler"],
};

/** A policy that is on as soon as its options are set. */
export const ON_BY_OPTIONS = "notifications/send";
/** Policies of which no file of a project says anything. */
export const PERSONAL_POLICIES: ReadonlySet<string> = new Set([ON_BY_OPTIONS, APPROVALS_POLICY]);

/** The keys under which options of this policy can be set beside others; an earlier one takes precedence. */
export function packKeysOf(id: string): readonly string[] {
  const [pack = ""] = id.split("/");
  const more = Object.keys(MORE_MEMBERS).filter((key) => MORE_MEMBERS[key]?.includes(id));
  return [...more, pack];
}

/**
 * The options that can be set for a whole pack, under the pack's name: those whose name has the same meaning in every
 * policy of the pack. Packs without such options have no key. Keys of `MORE_MEMBERS` work in the same way.
 */
export function packOptions(schemas: OptionSchemas): ReadonlyMap<string, z.ZodObject> {
  const known = packOptionsBySchemas.get(schemas) ?? readPackOptions(schemas);
  packOptionsBySchemas.set(schemas, known);
  return known;
}

/** A cache: comparing options takes a few milliseconds, and every file uses the same schemas. */
const packOptionsBySchemas = new WeakMap<OptionSchemas, ReadonlyMap<string, z.ZodObject>>();

function readPackOptions(schemas: OptionSchemas): ReadonlyMap<string, z.ZodObject> {
  const packs = new Map<string, Map<string, z.ZodType | undefined>>();
  for (const [id, schema] of schemas) {
    for (const pack of packKeysOf(id)) {
      const options = packs.get(pack) ?? new Map<string, z.ZodType | undefined>();
      for (const [key, option] of Object.entries(schema.shape) as [string, z.ZodType][]) {
        const other = options.get(key);
        options.set(key, !options.has(key) || (other && takesTheSame(option, other)) ? option : undefined);
      }
      packs.set(pack, options);
    }
  }
  const shapes = [...packs].map(([pack, options]): [string, [string, z.ZodType][]] => [
    pack,
    [...options].flatMap(([key, option]) => (option ? [[key, option]] : [])),
  ]);
  return new Map(
    shapes.filter(([, shape]) => shape.length > 0).map(([pack, shape]) => [pack, z.object(Object.fromEntries(shape))]),
  );
}

function takesTheSame(one: z.ZodType, other: z.ZodType): boolean {
  const [first, second] = [one, other].map((option) => {
    const { description: _, default: __, ...rest } = z.toJSONSchema(option, { io: "input" });
    return JSON.stringify(rest);
  });
  return first === second;
}

/** Applies the options of packs. An option of the policy's own entry takes precedence, then the earlier key of a policy. */
function withPackOptions(
  root: Readonly<Record<string, unknown>>,
  packs: ReadonlyMap<string, z.ZodObject>,
  schemas: OptionSchemas,
  policies: Map<string, PolicySettings>,
  report: FileReport,
): Map<string, PolicySettings> {
  const given = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [pack, schema] of packs) {
    const value = ownValue(root, pack);
    if (isRecord(value)) given.set(pack, readGivenOptions(schema, value, [pack], report));
    else if (value !== null) {
      report.mistake([pack], () => `\`${pack}\` should hold options: ${Object.keys(schema.shape).join(", ")}`);
    }
  }
  for (const [id, { shape }] of schemas) {
    const keys = packKeysOf(id).toReversed();
    const options = keys.flatMap((pack) => Object.entries(given.get(pack) ?? {}));
    const own = options.filter(([key]) => Object.hasOwn(shape, key));
    if (own.length === 0) continue;
    const before = policies.get(id) ?? { options: {} };
    const mode = before.mode ?? (id === ON_BY_OPTIONS ? "enforce" : undefined);
    const all = { ...Object.fromEntries(own), ...before.options };
    policies.set(id, { ...(mode ? { mode } : {}), options: all });
  }
  return policies;
}

function readMode(value: unknown, path: KeyPath, report: FileReport): PolicyMode | undefined {
  const mode = MODES.find((name) => name === value);
  if (!mode) report.mistake(path, () => unknownName("mode", value, MODES));
  return mode;
}

function readContextBudget(value: unknown, report: FileReport): Partial<ContextBudget> {
  if (value === null) return {};
  if (isRecord(value)) return readGivenOptions(contextBudgetSchema, value, ["contextBudget"], report);
  report.mistake(["contextBudget"], () => "`contextBudget` takes `start` and `tool`, each a number of characters");
  return {};
}
