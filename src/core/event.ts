import type { VerdictKind } from "./verdict.ts";

/**
 * How an agent can be stopped at an event. Adapters turn this into their own dialect.
 * - permission: the call itself is allowed, asked about or denied
 * - prompt: the prompt (or expansion) is refused before the model sees it
 * - continue: the turn goes on instead of ending
 * - refuse: the action (task, compaction, config change, elicitation, …) does not happen
 * - answer: the agent asks for a decision and takes it from the reply body only
 * - none: nothing can be stopped
 */
export type BlockingForm = "permission" | "prompt" | "continue" | "refuse" | "answer" | "none";

interface EventRow {
  readonly blocking: BlockingForm;
  readonly verdicts: readonly VerdictKind[];
}

const row = (blocking: BlockingForm, ...verdicts: VerdictKind[]): EventRow => ({ blocking, verdicts });

/** Every event there is, in our own words. These names are public and never change. */
export const EVENTS = {
  "tool.before": row("permission", "deny", "ask", "note", "notice", "rewrite", "end"),
  "tool.after": row("none", "note", "notice", "rewrite", "end"),
  "tool.failed": row("none", "note", "notice", "end"),
  "batch.after": row("refuse", "deny", "note", "notice", "end"),
  "notification.sent": row("none", "notice"),
  "prompt.submit": row("prompt", "deny", "note", "notice", "end"),
  "prompt.expand": row("prompt", "deny", "note", "notice"),
  "session.start": row("none", "note", "notice", "watch", "environment"),
  "session.end": row("none"),
  "turn.stop": row("continue", "hold", "release", "notice"),
  "turn.failed": row("none"),
  "subagent.start": row("none", "note"),
  "subagent.stop": row("continue", "hold", "release", "notice"),
  "compact.before": row("refuse", "deny", "note"),
  "compact.after": row("none", "notice"),
  "model.before": row("permission", "deny", "ask", "notice"),
  "model.after": row("none", "note", "notice"),
  "permission.request": row("answer", "deny", "approve", "wait", "notice"),
  "permission.denied": row("none", "approve", "notice"),
  "setup.run": row("none", "environment"),
  "teammate.idle": row("continue", "hold", "release", "end"),
  "task.created": row("refuse", "deny"),
  "task.completed": row("continue", "hold", "release", "end"),
  "elicitation.request": row("refuse", "deny", "rewrite"),
  "elicitation.result": row("refuse", "deny", "rewrite"),
  "config.change": row("refuse", "deny", "notice"),
  "worktree.create": row("none", "rewrite"),
  "worktree.remove": row("none"),
  "instructions.loaded": row("none"),
  "cwd.changed": row("none", "notice", "watch", "environment"),
  "file.changed": row("none", "notice", "watch", "environment"),
  "directory.added": row("none", "notice"),
  "message.display": row("none", "rewrite"),
} as const satisfies Record<string, EventRow>;

export type EventName = keyof typeof EVENTS;

export const eventNames = Object.keys(EVENTS) as EventName[];

/** Events where a guard's failure must not become an allow. */
export const GUARDED_EVENTS: readonly EventName[] = ["tool.before"];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a tool does, whatever the agent calls it. `unknown`: the event did not name its tool. */
export type ToolKind = "shell" | "edit" | "read" | "spawn" | "other" | "unknown";

export interface ToolCall {
  readonly name: string;
  readonly kind: ToolKind;
  readonly input: JsonObject;
  readonly useId: string;
  /** Of a shell that does not read as bash does: the language of its commands. */
  readonly dialect?: "powershell";
}

interface EventBase<N extends EventName> {
  readonly name: N;
  /** The event's name in the agent's own words. */
  readonly agentEvent: string;
  readonly agent: string;
  readonly session: string;
  /** Set inside a subagent or teammate. */
  readonly agentId: string;
  readonly agentType: string;
  readonly cwd: string;
  readonly transcript: string;
  readonly promptId: string;
  /** Fields whose type was wrong or that were missing although the event needs them. */
  readonly malformed: readonly string[];
  readonly raw: JsonObject;
}

interface ToolFields {
  readonly tool: ToolCall;
  /** Absolute paths the call would write. */
  readonly writes: readonly string[];
}

interface StopFields {
  /** True when this turn only exists because an earlier stop was held. */
  readonly continued: boolean;
  readonly lastMessage: string;
  /** How many background tasks still run; a subagent's event lists its parent's. */
  readonly backgroundTasks: number;
  /** How many of them are shell commands, such as servers, which may run for ever. */
  readonly backgroundShells: number;
  readonly wakeUps: number;
  /** The agent only plans for now: it may change nothing before a person agrees. */
  readonly planMode: boolean;
}

interface TaskFields {
  readonly taskId: string;
  readonly subject: string;
  readonly description: string;
  readonly teammate: string;
  readonly team: string;
}

interface ModelFields {
  readonly from: string;
  readonly to: string;
  readonly source: string;
}

/** The fields of each event beside the common ones. */
interface Extra {
  "tool.before": ToolFields;
  "tool.after": ToolFields & { readonly response: Json };
  "tool.failed": ToolFields & { readonly error: string; readonly interrupted: boolean };
  /** Includes calls that never reached `tool.before` because their input was invalid. */
  "batch.after": { readonly calls: readonly (ToolCall & { readonly response: Json })[] };
  "notification.sent": { readonly kind: string; readonly message: string };
  "prompt.submit": { readonly prompt: string; readonly fromPerson: boolean };
  "prompt.expand": { readonly command: string; readonly arguments: string; readonly prompt: string };
  "session.start": { readonly source: string; readonly model: string };
  "session.end": { readonly reason: string };
  "turn.stop": StopFields;
  /** `details` is what the agent and the model's service say about the error. */
  "turn.failed": { readonly error: string; readonly details: string };
  "subagent.stop": StopFields;
  "compact.before": { readonly trigger: string; readonly instructions: string };
  "compact.after": { readonly trigger: string; readonly summary: string };
  "model.before": ModelFields;
  "model.after": ModelFields;
  "permission.request": ToolFields;
  "permission.denied": ToolFields & { readonly reason: string };
  "setup.run": { readonly trigger: string };
  "teammate.idle": { readonly teammate: string; readonly team: string };
  "task.created": TaskFields;
  "task.completed": TaskFields;
  "elicitation.request": { readonly server: string; readonly message: string };
  "elicitation.result": { readonly server: string; readonly action: string };
  "config.change": { readonly source: string; readonly file: string };
  "worktree.create": { readonly worktree: string };
  "worktree.remove": { readonly path: string };
  "instructions.loaded": { readonly file: string; readonly reason: string };
  "cwd.changed": { readonly from: string; readonly to: string };
  "file.changed": { readonly file: string; readonly change: string };
  "directory.added": { readonly directory: string };
  "message.display": { readonly text: string; readonly isFinal: boolean };
}

type ToolEvent = { [N in keyof Extra]: Extra[N] extends ToolFields ? N : never }[keyof Extra];

export type EventOf<N extends EventName> = EventBase<N> &
  (N extends keyof Extra ? Extra[N] : unknown) &
  (N extends ToolEvent ? unknown : { readonly tool?: undefined });
export type AnyEvent = { [N in EventName]: EventOf<N> }[EventName];

/** May the agent be kept from stopping at this event? */
export function isStop(event: AnyEvent): boolean {
  return EVENTS[event.name].blocking === "continue";
}

/** Does the answer or its record depend on how many tool calls have run? */
export function countsCalls(event: AnyEvent): boolean {
  return isStop(event) || event.name === "prompt.submit";
}
