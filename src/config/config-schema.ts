import * as z from "zod";
import type { Policy } from "../core/policy.ts";
import { APPROVALS } from "../core/settings/approvals.ts";
import { PROFILES, type ProfileName } from "../core/settings/profiles.ts";
import { MODES } from "./read-options.ts";
import { MOST_RULES, ruleSchema } from "./read-rules.ts";
import {
  CONTEXT_POLICIES,
  contextBudgetSchema,
  MORE_MEMBERS,
  PROJECT_POLICY_ID,
  packOptions,
} from "./read-settings.ts";
import { directionOf } from "./tighten.ts";

/** The parts of a policy that the schema and the documentation show. */
export type PolicyDescription = Pick<Policy, "id" | "summary" | "options"> &
  Partial<Pick<Policy, "defaultMode" | "needsTrust">>;

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export const PROFILE_TEXT: Record<ProfileName, string> = {
  safety: "keeps an agent from losses that cannot be undone; on by default",
  ntm: "orchestrating agents in tmux",
  plan: "working along a written plan",
  session: "keeping sessions apart and handing work over",
  teams: "several agents on one task",
  omc: "modes, validation, recovery and coordination around long tasks",
};

export const CONTEXT_POLICY_TEXT =
  "What happens when the context fills up: `preserve` lets it be compacted, `restart` requires a hand-over of the work and then starts the agent again.";

export const APPROVALS_TEXT =
  "Where permission requests may be answered beside the agent's own dialog: `browser` is the dashboard, and the agent waits for it. Only your own file may set this.";

const MODE_TEXT = "`enforce` (the default), `observe` (only records what it would have said) or `off`.";
const OFF_MODE_TEXT = "`off` (the default), `observe` (only records what it would have said) or `enforce`.";

/** The JSON Schema of a configuration file, for editors. */
export function configSchema(policies: readonly PolicyDescription[]): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    // A name and no address, because each version of the package brings its own schema.
    $id: "urn:hookwright:configuration",
    title: "Hookwright configuration",
    type: "object",
    additionalProperties: false,
    properties: {
      profiles: {
        description: "Which groups of policies are on. A project's file adds to the list, it takes nothing away.",
        type: ["array", "null"] as never,
        items: { enum: [...PROFILES] },
        default: ["safety"],
      },
      policies: {
        description: "Settings of single policies, by name.",
        type: ["object", "null"] as never,
        additionalProperties: false,
        properties: Object.fromEntries(policies.map((policy) => [policy.id, policySchema(policy)])),
        patternProperties: {
          [PROJECT_POLICY_ID.source]: policySchema({ id: "local/…", summary: "A policy of the project's own." }),
        },
      },
      ...packProperties(policies),
      contextBudget: {
        description: "How much text Hookwright may put into the agent's context.",
        ...optionsSchema(contextBudgetSchema, "contextBudget"),
        type: ["object", "null"] as never,
      },
      contextPolicy: {
        description: CONTEXT_POLICY_TEXT,
        enum: [...CONTEXT_POLICIES, null] as never,
        default: "preserve",
      },
      approvals: { description: APPROVALS_TEXT, enum: [...APPROVALS, null] as never, default: "off" },
      rules: {
        description: "Rules without code. A project's file may add rules that deny or ask, it takes none away.",
        type: ["array", "null"] as never,
        maxItems: MOST_RULES,
        items: rulesItem(),
      },
    },
  };
}

/** The schema of one rule. A list of names may also be written as a single name. */
export function rulesItem(): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(ruleSchema.strict(), { io: "input", target: "draft-7" });
  if ($schema === undefined) throw new Error("rules have no schema");
  const properties: Record<string, JsonSchema> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property === "boolean") continue;
    const { description, ...kind } = property as JsonSchema;
    const { items } = kind;
    const isList = kind.type === "array" && typeof items === "object" && !Array.isArray(items);
    if (isList) delete items.description;
    properties[name] = { description: description ?? name, ...(isList ? { anyOf: [items, kind] } : kind) };
  }
  return { ...(schema as JsonSchema), properties };
}

function packProperties(policies: readonly PolicyDescription[]): Record<string, JsonSchema> {
  const schemas = new Map(policies.map(({ id, options }) => [id, options?.(z) ?? z.object({})]));
  return Object.fromEntries(
    [...packOptions(schemas)].map(([pack, options]) => [
      pack,
      {
        description: `Options for ${membersText(pack, [...schemas.keys()])}.`,
        ...optionsSchema(options, pack),
        type: ["object", "null"] as never,
      },
    ]),
  );
}

function membersText(key: string, ids: readonly string[]): string {
  const more = (MORE_MEMBERS[key] ?? []).filter((id) => ids.includes(id));
  const isPack = ids.some((id) => id.startsWith(`${key}/`));
  return [...(isPack ? [`every policy of ${key} that has them`] : []), ...more].join(", and for ");
}

function policySchema({ id, summary, options, defaultMode }: PolicyDescription): JsonSchema {
  const schema = optionsSchema(options?.(z) ?? z.object({}), id);
  if (schema.properties && "mode" in schema.properties) {
    throw new Error(`${id}: no option can be called \`mode\`, every policy has that key already`);
  }
  const mode: JsonSchema = { description: defaultMode === "off" ? OFF_MODE_TEXT : MODE_TEXT, enum: [...MODES] };
  return {
    description: summary,
    anyOf: [mode, { ...schema, properties: { mode, ...schema.properties } }, { type: "null" }],
  };
}

function optionsSchema(options: z.ZodObject, where: string): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(options.strict(), { io: "input", target: "draft-7" });
  if ($schema === undefined) throw new Error(`${where}: its options have no schema`);
  for (const [name, option] of Object.entries(schema.properties ?? {})) {
    if (typeof option === "boolean") continue;
    delete option.tighter;
    delete option.order;
    option.description = `${option.description ?? name} A project may ${projectPermission(options.shape[name])}.`;
  }
  return schema as JsonSchema;
}

/** What a project may do with an option without trust, as the words after "may". */
export function projectPermission(option: z.ZodType | undefined): string {
  if (option === undefined) return "not set it";
  const { tighter, order } = directionOf(option);
  const standard: unknown = option.safeParse(undefined).data;
  if (tighter === "none") return "not set it";
  if (tighter === "person") return "never set it, not even a trusted one";
  if (tighter === "union") return "add to it";
  if (typeof standard === "boolean") return `set it to \`${tighter === "up"}\``;
  if (standard === undefined && tighter === "down") return "set it, or lower it";
  if (typeof standard === "number") return tighter === "up" ? "raise it" : "lower it";
  const words = tighter === "up" ? order : order.toReversed();
  return words.length === 0
    ? "not set it"
    : `go from left to right in ${words.map((word) => `\`${word}\``).join(", ")}`;
}

/** The type of an option's value, in words. */
export function kindText(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  const { minimum, maximum } = schema;
  switch (schema.type) {
    case "array":
      return `a list of ${itemText(schema.items)}`;
    case "integer":
    case "number": {
      const kind = schema.type === "integer" ? "a whole number" : "a number";
      const isBounded = Math.abs(minimum ?? Infinity) < 1e9 && Math.abs(maximum ?? Infinity) < 1e9;
      if (isBounded) return `${kind} from ${minimum} to ${maximum}`;
      return minimum !== undefined && Math.abs(minimum) < 1e9 ? `${kind}, at least ${minimum}` : kind;
    }
    case "boolean":
      return "`true` or `false`";
    case "string":
      return "text";
    case "object": {
      const kinds = new Map(Object.entries(schema.properties ?? {}).map(([name, kind]) => [name, innerKind(kind)]));
      const names = [...kinds.keys()].map((name) => `\`${name}\``).join(", ");
      const [kind, ...others] = new Set(kinds.values());
      return kind !== undefined && others.length === 0 ? `${names}: ${kind} for each` : "a value";
    }
    default:
      return "a value";
  }
}

function innerKind(schema: JsonSchema | boolean): string {
  return typeof schema === "boolean" ? "a value" : kindText(schema);
}

function itemText(items: JsonSchema["items"]): string {
  if (typeof items !== "object" || Array.isArray(items)) return "values";
  if (items.enum) return `${kindText(items)}`;
  const plural: Record<string, string> = { string: "texts", integer: "whole numbers", number: "numbers" };
  return plural[String(items.type)] ?? "entries";
}
