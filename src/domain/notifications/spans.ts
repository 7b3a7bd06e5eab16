import type { AnyEvent } from "../../core/event.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";

/** The job that sends the tool calls that were recorded since it ran last to a collector. */
export const EXPORT_SPANS_JOB = "notifications/export-spans";

/** In between, calls are collected, so that not every one of them starts a job. */
const EXPORT_EVERY_MS = 5_000;
const ENDS: readonly AnyEvent["name"][] = ["turn.stop", "turn.failed", "session.end"];

/** Is there a call that is not sent yet? `elapsed` is how long ago the job was added last. */
export function isSpanDue({ name }: AnyEvent, outcome: string, elapsed: number): boolean {
  if (ENDS.includes(name)) return true;
  const isOver = name === "tool.after" || name === "tool.failed" || (name === "tool.before" && outcome === "deny");
  return isOver && (elapsed >= EXPORT_EVERY_MS || elapsed < 0);
}

/** A tool call as the journal has it. */
export interface RecordedCall {
  readonly tool: string;
  readonly useId: string;
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
  readonly outcome: "succeeded" | "failed" | "denied";
  /** In milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly ruling: string;
  /** The policies that said something, the one that decided first. */
  readonly rules: readonly { readonly id: string; readonly said: string }[];
}

type Value = { readonly stringValue: string };
interface Attribute {
  readonly key: string;
  readonly value: Value;
}

const KIND_INTERNAL = 1;
const STATUS_ERROR = 2;

/** The body of a request in OTLP's JSON form. Names are those of the semantic conventions. */
export function traceRequest(calls: readonly RecordedCall[], version: string) {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ "service.name": "hookwright", "service.version": version }) },
        scopeSpans: [{ scope: { name: "hookwright", version }, spans: calls.map((call) => spanOf(call, version)) }],
      },
    ],
  };
}

/** Sent twice after a failure, a span has the same ids, so that the collector can tell. */
function spanOf(call: RecordedCall, version: string) {
  const { tool, useId, agent, session, agentId, project, outcome, start, end, ruling, rules } = call;
  return {
    traceId: fingerprint(agent, session),
    spanId: fingerprint(session, useId, String(start)).slice(0, 16),
    name: `execute_tool ${tool}`,
    kind: KIND_INTERNAL,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": useId,
      "gen_ai.conversation.id": session,
      "gen_ai.agent.id": agentId || agent,
      "gen_ai.agent.name": agent,
      "hookwright.project": project,
      "hookwright.ruling": ruling,
      ...(outcome === "succeeded" ? {} : { "error.type": outcome }),
      ...ruleNames(rules[0]?.id, version),
    }),
    events: rules.map(({ id, said }) => ({
      name: "security_rule",
      timeUnixNano: nanoseconds(start),
      attributes: attributes({ ...ruleNames(id, version), "hookwright.verdict": said }),
    })),
    status: outcome === "succeeded" ? {} : { code: STATUS_ERROR, message: outcome },
  };
}

function ruleNames(id: string | undefined, version: string): Record<string, string> {
  if (id === undefined) return {};
  const [pack = ""] = id.split("/");
  return { "security_rule.name": id, "security_rule.ruleset.name": pack, "security_rule.version": version };
}

function attributes(values: Readonly<Record<string, string>>): Attribute[] {
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return given.map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

/** As text: the number is too large for a JSON number. */
const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;
