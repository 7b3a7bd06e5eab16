import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";

const MODES = ["inline", "read", "paste", "preload"] as const;
const URGENCIES = ["allow", "block", "interrupt"] as const;
const INJECTS = ["always", "once"] as const;

/** One rule of a session: its trigger, its content, and the calls that it lets pass while it blocks. */
export interface SessionRule {
  readonly id: string;
  readonly description: string;
  readonly trigger: { readonly type: string; readonly condition: JsonObject };
  readonly payload: {
    readonly text?: string;
    /** Paths, or `$field` of the session's state. */
    readonly files?: string | readonly string[];
    readonly command?: string;
  };
  readonly mode: (typeof MODES)[number];
  readonly urgency: (typeof URGENCIES)[number];
  readonly inject: (typeof INJECTS)[number];
  /** Lower comes first. */
  readonly priority: number;
  /** `Tool` or `Tool(pattern)`: calls that a blocking rule lets pass. */
  readonly whitelist: readonly string[];
}

/** The rules of a file, or a sentence about what is wrong with it. */
export function parseRuleFile(text: string): readonly SessionRule[] | string {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return `it is not valid JSON: ${error instanceof Error ? error.message.slice(0, 120) : "unreadable"}`;
  }
  const list = isObject(value) ? (value.rules ?? value.guards ?? value.injections) : value;
  if (!Array.isArray(list)) return "it should be a list of rules, or an object with one under `rules`";
  const rules: SessionRule[] = [];
  for (const [index, one] of (list as readonly Json[]).entries()) {
    const rule = readRule(one);
    if (typeof rule === "string") return `rule ${index + 1}${isObject(one) && one.id ? ` (${one.id})` : ""}: ${rule}`;
    if (rules.some(({ id }) => id === rule.id)) return `rule ${index + 1}: the id \`${rule.id}\` is used twice`;
    rules.push(rule);
  }
  return rules;
}

function readRule(value: Json): SessionRule | string {
  if (!isObject(value)) return "it should be an object";
  const { id, trigger, payload } = value;
  if (typeof id !== "string" || id === "") return "`id` should be a name";
  if (!isObject(trigger) || typeof trigger.type !== "string") return "`trigger` should be an object with a `type`";
  if (trigger.condition !== undefined && !isObject(trigger.condition)) return "`trigger.condition` should be an object";
  const content = readPayload(payload);
  if (typeof content === "string") return content;
  const mode = oneOf(value.mode, MODES, content.preloads ? "preload" : content.payload.command ? "paste" : "inline");
  const urgency = oneOf(value.urgency, URGENCIES, "allow");
  const inject = oneOf(value.inject, INJECTS, "always");
  if (!mode) return `\`mode\` should be one of ${MODES.join(", ")}`;
  if (!urgency) return `\`urgency\` should be one of ${URGENCIES.join(", ")}`;
  if (!inject) return `\`inject\` should be one of ${INJECTS.join(", ")}`;
  const whitelist = value.whitelist ?? [];
  if (!isTexts(whitelist)) return "`whitelist` should be a list of texts";
  if (value.priority !== undefined && typeof value.priority !== "number") return "`priority` should be a number";
  return {
    id,
    description: typeof value.description === "string" ? value.description : "",
    trigger: { type: trigger.type, condition: isObject(trigger.condition) ? trigger.condition : {} },
    payload: content.payload,
    mode,
    urgency,
    inject,
    priority: typeof value.priority === "number" ? value.priority : 100,
    whitelist,
  };
}

function readPayload(value: Json | undefined): { payload: SessionRule["payload"]; preloads: boolean } | string {
  if (!isObject(value)) return "`payload` should be an object with `text`, `files`, `preload` or `command`";
  const { text, command } = value;
  const files = value.preload ?? value.files;
  if (text !== undefined && typeof text !== "string") return "`payload.text` should be a text";
  if (command !== undefined && typeof command !== "string") return "`payload.command` should be a text";
  if (files !== undefined && typeof files !== "string" && !isTexts(files)) {
    return "`payload.files` should be a path, a list of paths or a `$field`";
  }
  if (text === undefined && command === undefined && files === undefined) return "`payload` says nothing";
  const payload = {
    ...(text === undefined ? {} : { text }),
    ...(command === undefined ? {} : { command }),
    ...(files === undefined ? {} : { files }),
  };
  return { payload, preloads: value.preload !== undefined };
}

function oneOf<T extends string>(value: Json | undefined, names: readonly T[], usual: T): T | undefined {
  return value === undefined ? usual : names.find((name) => name === value);
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
