import { isObject, type Json } from "../../../core/event.ts";
import type { NotificationOptions } from "../../../domain/notifications/notification.ts";
import { type RecordedCall, traceRequest } from "../../../domain/notifications/spans.ts";
import type { Database } from "../../../state/database.ts";
import type { Row } from "../../../state/driver.ts";
import { openTable, PERSON_SCOPE } from "../../../state/stores.ts";
import { post, readSecret } from "./post.ts";

const STORE = "exported-spans";
const LAST = "last";
const BATCH = 500;
const OUTCOMES: Readonly<Record<string, RecordedCall["outcome"]>> = {
  "tool.after": "succeeded",
  "tool.failed": "failed",
  "tool.before": "denied",
};

/** Entries with which a call ends, after the last one that was sent. */
const ENDED = `SELECT id, at, event, tool, tool_use_id, agent, session, agent_id, project, ruling, verdicts FROM journal
  WHERE id > ? AND at >= ? AND tool_use_id <> ''
    AND (event IN ('tool.after', 'tool.failed') OR (event = 'tool.before' AND ruling = 'deny'))
  ORDER BY id LIMIT ${BATCH}`;
const BEFORE = `SELECT at, ruling, verdicts FROM journal
  WHERE tool_use_id = ? AND event = 'tool.before' AND session = ? ORDER BY id LIMIT 1`;

/** Sends what the journal has and was not sent yet. When a batch fails, the next try begins with it. */
export async function exportSpans(
  args: Json,
  { endpoint, headersFile }: NonNullable<NotificationOptions["otlp"]>,
  db: Database,
  build: string,
): Promise<void> {
  db.refresh();
  const table = openTable(db, PERSON_SCOPE, STORE, () => undefined);
  const since = isObject(args) ? Number(args.since) : 0;
  const headers = headersFile === undefined ? {} : headersIn(readSecret(headersFile, "the collector"));
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  for (;;) {
    const last = table.get(LAST);
    // Without a place to go on from, nothing that is older than the event which asked for it is sent.
    const rows = db.all(ENDED, Number(last ?? 0), last === undefined ? since : 0);
    const newest = rows.at(-1);
    if (!newest) return;
    const calls = rows.map((row) => callOf(row, db));
    await post(url.href, JSON.stringify(traceRequest(calls, build)), headers, "the collector at");
    db.transaction(() => table.set(LAST, Number(newest.id)));
  }
}

function callOf(row: Row, db: Database): RecordedCall {
  const before = db.get(BEFORE, String(row.tool_use_id), String(row.session));
  const rules = rulesIn(before?.verdicts ?? row.verdicts);
  return {
    tool: String(row.tool),
    useId: String(row.tool_use_id),
    agent: String(row.agent),
    session: String(row.session),
    agentId: String(row.agent_id),
    project: String(row.project),
    outcome: OUTCOMES[String(row.event)] ?? "failed",
    start: Number(before?.at ?? row.at),
    end: Number(row.at),
    ruling: String(before?.ruling ?? "unknown"),
    rules,
  };
}

const STRENGTH = ["deny", "ask"];

/** The policies that said something of a call, a denial first. An entry that is damaged says nothing. */
function rulesIn(verdicts: unknown): RecordedCall["rules"] {
  const results = parsed(String(verdicts));
  const rules = results.flatMap((result) => {
    if (!isObject(result) || !Array.isArray(result.verdicts)) return [];
    const kinds = result.verdicts.flatMap((one: Json) => (isObject(one) ? [String(one.kind)] : []));
    return kinds.length === 0 ? [] : [{ id: String(result.policy), said: kinds.join(" ") }];
  });
  const rank = ({ said }: { said: string }): number => (STRENGTH.indexOf(said.split(" ")[0] ?? "") + 3) % 3;
  return rules.sort((a, b) => rank(a) - rank(b));
}

function parsed(text: string): readonly Json[] {
  try {
    const value = JSON.parse(text) as Json;
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Lines such as `authorization: Bearer …`. */
function headersIn(text: string): Record<string, string> {
  const lines = text.split("\n").flatMap((line) => {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(lines);
}
