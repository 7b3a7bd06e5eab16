import type { Json } from "../../../core/event.ts";
import type { Reply } from "../../../core/frame.ts";
import type { PolicyResult } from "../../../core/pipeline.ts";
import type { Fate } from "../../../core/policy.ts";
import type { Attributed } from "../../../core/ruling.ts";
import { STAGES, type StageName } from "../../../core/stages.ts";
import type { Examination } from "../../../engine/examine.ts";
import { maskJson } from "../../../state/masking.ts";
import type { JournalObject } from "../journal/entry.ts";

export interface ExplainedPolicy {
  readonly id: string;
  readonly stage: string;
  readonly order: number;
  readonly mode: string;
  readonly fate: string;
  readonly microseconds: number;
  readonly verdicts: readonly { readonly kind: string; readonly message: string; readonly text: string }[];
  readonly error?: string;
}

/** What `explain --json` prints. */
export interface Explanation {
  readonly event: string;
  readonly agentEvent: string;
  readonly session: string;
  readonly tool: string;
  readonly ruling: {
    readonly outcome: string;
    readonly policy: string;
    readonly reason: string;
    readonly notes: readonly Attributed[];
    readonly notices: readonly Attributed[];
    readonly rewrite?: { readonly policy: string; readonly value: unknown };
  };
  readonly policies: readonly ExplainedPolicy[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly reply: Reply;
  /** False: the event was not stored completely, so this is the recorded decision and not a new one. */
  readonly examined: boolean;
  /** When the event was not stored completely: the newest entry that was. */
  readonly newestWhole?: number;
  /** What has switched Hookwright off; then hooks let everything pass, whatever the ruling. */
  readonly switchedOff?: string;
  readonly recorded?: {
    readonly id: number;
    readonly at: string;
    readonly outcome: string;
    readonly policy: string;
    readonly reason: string;
    /** The build that decided, and the hash of the configuration that was in force. */
    readonly build: string;
    readonly config: string;
  };
}

export function fromExamination(examination: Examination): Explanation {
  const { switchedOff } = examination;
  return { ...explanationOf(examination), ...(switchedOff === "" ? {} : { switchedOff }) };
}

function explanationOf({ prepared, judgement, reply, facts }: Examination): Explanation {
  const nothing = { policies: [], facts: {}, reply, examined: true, session: "", tool: "" };
  if (prepared.kind === "answered") {
    return { ...nothing, event: "unreadable", agentEvent: "", ruling: plainRuling(reply) };
  }
  if (prepared.kind === "other") {
    const { decoded, args } = prepared;
    const about =
      decoded.kind === "unknown"
        ? { event: "unknown", agentEvent: decoded.agentEvent, session: decoded.session }
        : { event: "unreadable", agentEvent: args.event };
    return { ...nothing, ...about, ruling: plainRuling(reply) };
  }
  const { event } = prepared;
  const ruling = judgement?.ruling;
  const attributed = ({ policy, text }: Attributed): Attributed => ({ policy, text });
  return {
    event: event.name,
    agentEvent: event.agentEvent,
    session: event.session,
    tool: event.tool?.name ?? "",
    ruling: {
      outcome: ruling?.outcome ?? "pass",
      policy: ruling?.policy ?? "",
      reason: ruling?.reason ?? "",
      notes: (ruling?.notes ?? []).map(attributed),
      notices: (ruling?.notices ?? []).map(attributed),
      ...(ruling?.rewrite ? { rewrite: ruling.rewrite } : {}),
    },
    policies: (judgement?.results ?? []).map((result) => explained(result, ruling?.fates[result.id] ?? "silent")),
    // Masked, because facts may contain whole files of other programs and people paste explanations into reports.
    facts: maskJson(facts as { [key: string]: Json }) as Readonly<Record<string, unknown>>,
    reply,
    examined: true,
  };
}

function explained(result: PolicyResult, fate: Fate): ExplainedPolicy {
  const { id, stage, mode, microseconds, verdicts, error } = result;
  const base = { id, stage, order: STAGES[stage].order, mode, fate, microseconds, verdicts };
  return error === undefined ? base : { ...base, error };
}

/** The ruling for input that is not a known event: no policy was asked. */
function plainRuling(reply: Reply): Explanation["ruling"] {
  const outcome = reply.stdout === "" ? "pass" : "deny";
  return { outcome, policy: "", reason: reply.stderr.trim(), notes: [], notices: [] };
}

/** The recorded decision in the form of an explanation. */
export function fromJournal(entry: JournalObject): Explanation {
  return {
    event: entry.event,
    agentEvent: entry.agentEvent,
    session: entry.session,
    tool: entry.tool,
    ruling: { outcome: entry.ruling, policy: entry.policy, reason: entry.reason, notes: [], notices: [] },
    policies: listOf(entry.verdicts).map(recordedPolicy).sort(inOrder),
    facts: objectOf(entry.facts),
    reply: replyOf(entry.reply),
    examined: false,
    recorded: recordedOf(entry),
  };
}

export function recordedOf(entry: JournalObject): NonNullable<Explanation["recorded"]> {
  const { id, at, ruling, policy, reason, build, config } = entry;
  return { id, at, outcome: ruling, policy, reason, build, config };
}

/** Sorts by the order in which policies are asked; silent policies were recorded after the others. */
function inOrder(a: ExplainedPolicy, b: ExplainedPolicy): number {
  return a.order - b.order || (a.id < b.id ? -1 : 1);
}

function recordedPolicy(value: unknown): ExplainedPolicy {
  const { policy, stage, mode, fate, microseconds, verdicts, error, settleError } = objectOf(value);
  const failure = error ?? settleError;
  return {
    id: text(policy),
    stage: text(stage),
    order: Object.hasOwn(STAGES, text(stage)) ? STAGES[text(stage) as StageName].order : 0,
    mode: text(mode),
    fate: text(fate),
    microseconds: Number(microseconds ?? 0),
    verdicts: listOf(verdicts).map((verdict) => {
      const { kind, message, text: said } = objectOf(verdict);
      return { kind: text(kind), message: text(message), text: text(said) };
    }),
    ...(failure === undefined ? {} : { error: text(failure) }),
  };
}

function replyOf(value: unknown): Reply {
  const { exit, stdout, stderr } = objectOf(value);
  return { exit: Number(exit ?? 0), stdout: text(stdout), stderr: text(stderr) };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
