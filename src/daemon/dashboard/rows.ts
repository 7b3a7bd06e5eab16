import type { Row } from "../../state/driver.ts";
import { subjectOf } from "../../state/subject.ts";
import type { DecisionRow } from "./api.ts";

/** What is shown of an entry in a list; the row needs `ROW_COLUMNS`. */
export function decisionRow(row: Row): DecisionRow {
  const about = {
    event: String(row.event),
    agentEvent: String(row.agent_event),
    tool: String(row.tool),
    project: String(row.project),
  };
  return {
    id: Number(row.id),
    at: Number(row.at),
    agent: String(row.agent),
    session: String(row.session),
    agentId: String(row.agent_id),
    project: about.project,
    event: about.event,
    tool: about.tool,
    subject: subjectOf(about, bodyOf(row)).text,
    ruling: String(row.ruling),
    policy: String(row.policy),
    reason: String(row.reason),
    microseconds: Number(row.microseconds),
  };
}

/** The recorded body; an empty one for what is no object, because one damaged entry must not hide all others. */
export function bodyOf(row: Row): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(row.body));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return {};
}

export function textIn(value: unknown, name: string): string {
  const found = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === "string" ? found : "";
}
