import type { Database } from "../../../state/database.ts";
import type { Row, Value } from "../../../state/driver.ts";
import { silentIn } from "../../../state/journal.ts";
import { originIn } from "../../../state/origins.ts";
import { subjectOf, subjectText } from "../../../state/subject.ts";

/** One entry as `journal --json` prints it. Scripts rely on these names. */
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
  /** The subject of the entry in one line: the tool with its command or path, or the text of a prompt. */
  readonly subject: string;
  readonly ruling: string;
  readonly policy: string;
  readonly reason: string;
  readonly microseconds: number;
  /** The build that decided, and the hash of the configuration that was in force; empty where neither was recorded. */
  readonly build: string;
  readonly config: string;
  readonly body: unknown;
  readonly verdicts: unknown;
  readonly facts: unknown;
  readonly reply: unknown;
}

export function journalObject(db: Database, row: Row): JournalObject {
  const body = parsed(row.body);
  const origin = originIn(db, row);
  const about = {
    event: String(row.event),
    agentEvent: String(row.agent_event),
    tool: String(row.tool),
    project: String(row.project),
  };
  return {
    id: Number(row.id),
    at: new Date(Number(row.at)).toISOString(),
    session: String(row.session),
    agent: String(row.agent),
    agentId: String(row.agent_id),
    ...about,
    toolUseId: String(row.tool_use_id),
    subject: subjectText(subjectOf(about, body)),
    ruling: String(row.ruling),
    policy: String(row.policy),
    reason: String(row.reason),
    microseconds: Number(row.microseconds),
    build: origin?.build ?? "",
    config: origin?.config ?? "",
    body,
    verdicts: allVerdicts(db, row),
    facts: allFacts(row, body),
    reply: parsed(row.reply),
  };
}

/** The recorded verdicts, followed by the policies that said nothing. */
function allVerdicts(db: Database, row: Row): unknown {
  const noted = parsed(row.verdicts);
  if (!Array.isArray(noted)) return noted;
  const silent = silentIn(db, row).map((one) => ({ ...one, fate: "silent", microseconds: 0, verdicts: [] }));
  return [...noted, ...silent];
}

/** The recorded facts, with the two that are stored as columns of the row. */
function allFacts(row: Row, body: unknown): unknown {
  const facts = parsed(row.facts);
  const cwd = body instanceof Object && "cwd" in body ? body.cwd : undefined;
  if (!(facts instanceof Object) || typeof cwd !== "string") return facts;
  return { now: Number(row.at), [`project:${cwd}`]: row.project, ...facts };
}

/** Parses JSON; invalid JSON is returned as text, because one damaged entry must not hide all others. */
function parsed(value: Value | undefined): unknown {
  const text = String(value ?? "");
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
