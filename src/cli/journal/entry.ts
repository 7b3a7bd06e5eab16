import type { Row, Value } from "../../state/driver.ts";

/** One entry as `journal --json` prints it. Scripts read these names. */
export interface JournalObject {
  readonly id: number;
  readonly at: string;
  readonly session: string;
  readonly agent: string;
  readonly agentId: string;
  readonly project: string;
  readonly event: string;
  readonly agentEvent: string;
  readonly tool: string;
  readonly toolUseId: string;
  readonly ruling: string;
  readonly policy: string;
  readonly reason: string;
  readonly microseconds: number;
  readonly body: unknown;
  readonly verdicts: unknown;
  readonly facts: unknown;
  readonly reply: unknown;
}

export function asObject(row: Row): JournalObject {
  return {
    id: Number(row.id),
    at: new Date(Number(row.at)).toISOString(),
    session: String(row.session),
    agent: String(row.agent),
    agentId: String(row.agent_id),
    project: String(row.project),
    event: String(row.event),
    agentEvent: String(row.agent_event),
    tool: String(row.tool),
    toolUseId: String(row.tool_use_id),
    ruling: String(row.ruling),
    policy: String(row.policy),
    reason: String(row.reason),
    microseconds: Number(row.microseconds),
    body: parsed(row.body),
    verdicts: parsed(row.verdicts),
    facts: parsed(row.facts),
    reply: parsed(row.reply),
  };
}

/** One damaged entry must not hide all the others, so what is no JSON is shown as the text it is. */
function parsed(value: Value | undefined): unknown {
  const text = String(value ?? "");
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
