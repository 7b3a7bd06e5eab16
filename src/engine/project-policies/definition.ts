import { EVENTS, type EventName, type ToolKind } from "../../core/event.ts";
import type { StageName } from "../../core/stages.ts";
import type { LoadedPolicy } from "./protocol.ts";

/** The security stage protects the guard itself and fails closed, so a project may not add to it. */
const STAGES_OFFERED = ["destructive", "scope", "session", "advice", "recorder"] as const satisfies StageName[];
const KINDS = ["shell", "edit", "read", "spawn", "other", "unknown"] as const satisfies ToolKind[];
const KEYS = ["id", "summary", "why", "origin", "stage", "filter", "messages", "examples", "on"];

export type Handler = (event: unknown, ctx: unknown) => unknown;

export interface Definition {
  readonly policy: LoadedPolicy;
  readonly handlers: ReadonlyMap<string, Handler>;
}

/** A checked copy of the default export of a file, so that the file cannot change it later. Throws a reason. */
export function readDefinition(id: string, value: unknown): Definition {
  if (value === undefined) throw new Error("it has no default export");
  if (!isRecord(value)) throw new Error("its default export is no policy");
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key)) throw new Error(`\`${key}\` is not offered to a project's own policies`);
  }
  if (value.id !== id) throw new Error(`its \`id\` should be \`${id}\`, as its file is named`);
  const stage = STAGES_OFFERED.find((name) => name === value.stage);
  if (!stage) throw new Error(`its \`stage\` should be one of ${STAGES_OFFERED.join(", ")}`);
  const handlers = handlersOf(value.on);
  const kinds = kindsOf(value.filter);
  const policy: LoadedPolicy = {
    id,
    summary: requiredText(value.summary, "summary"),
    why: requiredText(value.why, "why"),
    stage,
    events: [...handlers.keys()],
    ...(kinds ? { kinds } : {}),
    messages: messagesOf(value.messages),
  };
  return { policy, handlers };
}

function handlersOf(on: unknown): Map<EventName, Handler> {
  if (!isRecord(on)) throw new Error("`on` should hold the events it looks at, each with a function");
  const handlers = new Map<EventName, Handler>();
  for (const [name, handler] of Object.entries(on)) {
    if (!isEventName(name)) throw new Error(`\`${name}\` under \`on\` is no event`);
    if (typeof handler !== "function") throw new Error(`\`${name}\` under \`on\` should be a function`);
    handlers.set(name, handler as Handler);
  }
  return handlers;
}

function kindsOf(filter: unknown): readonly ToolKind[] | undefined {
  if (filter === undefined) return undefined;
  const kinds = isRecord(filter) ? filter.kinds : undefined;
  const isKnown = (kind: unknown): kind is ToolKind => (KINDS as readonly unknown[]).includes(kind);
  if (Array.isArray(kinds) && kinds.every(isKnown)) return [...kinds];
  throw new Error(`\`filter\` should be \`{ kinds: […] }\`, with kinds from ${KINDS.join(", ")}`);
}

function messagesOf(value: unknown): Record<string, string> {
  if (!isRecord(value) || !Object.values(value).every((text) => typeof text === "string")) {
    throw new Error("`messages` should hold its texts, each under a name");
  }
  return { ...value } as Record<string, string>;
}

function requiredText(value: unknown, key: string): string {
  if (typeof value !== "string" || value === "") throw new Error(`\`${key}\` should be a text`);
  return value;
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
