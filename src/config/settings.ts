import * as z from "zod";
import type { PolicyMode } from "../core/config.ts";
import { type ContextBudget, DEFAULT_CONTEXT_BUDGET } from "../core/context-budget.ts";
import { nearestName } from "../core/nearest-name.ts";
import { PROFILES, type ProfileName } from "../core/profiles.ts";
import type { Path } from "./read-yaml.ts";
import type { Report } from "./report.ts";
import { printable, shown } from "./shown.ts";

/** What one file says, as far as it can be understood. */
export interface Settings {
  readonly profiles?: readonly ProfileName[];
  readonly policies: ReadonlyMap<string, PolicySettings>;
  readonly contextBudget: Partial<ContextBudget>;
}

interface PolicySettings {
  readonly mode?: PolicyMode;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The options of every policy, by its id. */
export type OptionSchemas = ReadonlyMap<string, z.ZodObject>;

export const MODES = ["off", "observe", "enforce"] as const satisfies readonly PolicyMode[];
export const KEYS = ["profiles", "policies", "contextBudget"] as const;

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

/** A name longer than any of ours is not a misspelling of one, and comparing it would take long. */
const LONGEST_NAME = 100;

export const NO_SETTINGS: Settings = { policies: new Map(), contextBudget: {} };

/** Reports every mistake, and returns what is left without them. */
export function readSettings(root: unknown, schemas: OptionSchemas, report: Report): Settings {
  if (root === undefined) return NO_SETTINGS;
  if (!isRecord(root)) {
    report.mistake([], () => "the file should hold keys and values, such as `profiles: [safety]`");
    return NO_SETTINGS;
  }
  const packs = packOptions(schemas);
  const keys = [...KEYS, ...packs.keys()];
  for (const key of Object.keys(root)) {
    if (keys.includes(key)) continue;
    report.mistake([key], () => `\`${printable(key)}\` is not a key here.${nearest(key, keys)}`, "key");
  }
  const profiles = readProfiles(ownValue(root, "profiles"), report);
  return {
    ...(profiles ? { profiles } : {}),
    policies: withPackOptions(root, packs, schemas, readPolicies(ownValue(root, "policies"), schemas, report), report),
    contextBudget: readContextBudget(ownValue(root, "contextBudget"), report),
  };
}

function readProfiles(value: unknown, report: Report): ProfileName[] | undefined {
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

function readPolicies(value: unknown, schemas: OptionSchemas, report: Report): Map<string, PolicySettings> {
  const policies = new Map<string, PolicySettings>();
  if (value === null) return policies;
  if (!isRecord(value)) {
    report.mistake(["policies"], () => "`policies` should hold policy names, each with its settings");
    return policies;
  }
  for (const [id, setting] of Object.entries(value)) {
    const path = ["policies", id];
    const schema = schemas.get(id);
    if (!schema) {
      report.mistake(path, () => unknownName("policy", id, [...schemas.keys()]), "key");
      continue;
    }
    // A name with nothing behind it, as when all its options are commented out, says nothing.
    if (setting === null) continue;
    if (typeof setting !== "string" && !isRecord(setting)) {
      report.mistake(path, () => "a policy takes `off`, `observe`, `enforce`, or its options");
      continue;
    }
    const given = typeof setting === "string" ? { mode: setting } : setting;
    const modePath = typeof setting === "string" ? path : [...path, "mode"];
    const mode = Object.hasOwn(given, "mode") ? readMode(given.mode, modePath, report) : undefined;
    const options = readOptions(schema, given, path, report, ["mode"]);
    policies.set(id, { ...(mode ? { mode } : {}), options });
  }
  return policies;
}

/**
 * A pack's name is a key of its own: what stands under it goes to every policy of the pack that has such an option.
 * Packs without options have no key.
 */
export function packOptions(schemas: OptionSchemas): Map<string, z.ZodObject> {
  const packs = new Map<string, z.ZodObject>();
  for (const [id, schema] of schemas) {
    const [pack = ""] = id.split("/");
    if (Object.keys(schema.shape).length > 0) packs.set(pack, (packs.get(pack) ?? z.object({})).extend(schema.shape));
  }
  return packs;
}

/** What a policy's own entry says goes before what its pack's does. */
function withPackOptions(
  root: Readonly<Record<string, unknown>>,
  packs: ReadonlyMap<string, z.ZodObject>,
  schemas: OptionSchemas,
  policies: Map<string, PolicySettings>,
  report: Report,
): Map<string, PolicySettings> {
  for (const [pack, schema] of packs) {
    const value = ownValue(root, pack);
    if (value === null) continue;
    if (!isRecord(value)) {
      report.mistake([pack], () => `\`${pack}\` should hold options: ${Object.keys(schema.shape).join(", ")}`);
      continue;
    }
    const options = Object.entries(readOptions(schema, value, [pack], report));
    for (const [id, { shape }] of schemas) {
      if (!id.startsWith(`${pack}/`)) continue;
      const own = options.filter(([key]) => Object.hasOwn(shape, key));
      if (own.length === 0) continue;
      const before = policies.get(id) ?? { options: {} };
      policies.set(id, { ...before, options: { ...Object.fromEntries(own), ...before.options } });
    }
  }
  return policies;
}

function readMode(value: unknown, path: Path, report: Report): PolicyMode | undefined {
  const mode = MODES.find((name) => name === value);
  if (!mode) report.mistake(path, () => unknownName("mode", value, MODES));
  return mode;
}

function readContextBudget(value: unknown, report: Report): Partial<ContextBudget> {
  if (value === null) return {};
  if (isRecord(value)) return readOptions(contextBudgetSchema, value, ["contextBudget"], report);
  report.mistake(["contextBudget"], () => "`contextBudget` takes `start` and `tool`, each a number of characters");
  return {};
}

/** Only the options that stand in the file: what is left out shall not overrule an earlier file with a default. */
function readOptions(
  schema: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  path: Path,
  report: Report,
  alsoKnown: readonly string[] = [],
): Record<string, unknown> {
  const names = Object.keys(schema.shape);
  const known = Object.entries(given).filter(([key]) => names.includes(key));
  for (const key of Object.keys(given)) {
    if (names.includes(key) || alsoKnown.includes(key)) continue;
    report.mistake(
      [...path, key],
      () => `\`${printable(key)}\` is not an option here.${nearest(key, [...names, ...alsoKnown])}`,
      "key",
    );
  }
  const parsed = schema.safeParse(Object.fromEntries(known));
  const data = (parsed.data ?? {}) as Record<string, unknown>;
  if (parsed.success) return Object.fromEntries(known.map(([key]) => [key, data[key]]));
  for (const issue of parsed.error.issues) {
    const inside = issue.path.filter((part) => typeof part !== "symbol");
    report.mistake([...path, ...inside], () => issueText(issue, known, inside));
  }
  return Object.fromEntries(
    known.flatMap(([key, value]) => {
      const alone = (schema.shape[key] as z.ZodType).safeParse(value);
      return alone.success ? [[key, alone.data]] : [];
    }),
  );
}

function issueText(issue: z.core.$ZodIssue, known: readonly [string, unknown][], path: Path): string {
  const [key, ...rest] = path;
  let value = known.find(([name]) => name === key)?.[1];
  for (const part of rest) value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, part) : undefined;
  const names = issue.code === "invalid_value" ? issue.values.filter((one) => typeof one === "string") : [];
  const hint = typeof value === "string" ? nearest(value, names) : "";
  return `${key === undefined ? "" : `\`${path.join(".")}\`: `}${printable(issue.message, 200)}.${hint}`;
}

function unknownName(what: string, given: unknown, known: readonly string[]): string {
  const hint = typeof given === "string" ? nearest(given, known) : "";
  return `the ${what} \`${shown(given)}\` is not known.${hint}`;
}

function nearest(given: string, known: readonly string[]): string {
  return given.length > LONGEST_NAME ? "" : nearestName(given, known);
}

/** Null stands for a key that is missing or has nothing behind it. */
function ownValue(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
