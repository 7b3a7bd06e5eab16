import type { Database } from "../../state/database.ts";
import { ROW_COLUMNS } from "../../state/search/journal-pages.ts";
import type { DecisionRow, Span, Timeline } from "./api.ts";
import { bodyOf, decisionRow } from "./rows.ts";

const PAGE = 400;
/** What begins a piece of work of the model, and what ends one. */
const BEGINS_MODEL = new Set(["prompt.submit", "tool.after", "tool.failed"]);
const ENDS_MODEL = new Set(["tool.before", "turn.stop", "turn.failed", "subagent.stop"]);

interface Entry extends DecisionRow {
  readonly call: string;
  /** How long the tool ran, as the agent says; undefined when it does not. */
  readonly ran: number | undefined;
  /** When its hook had answered. */
  readonly answered: number;
}

/** The newest spans of a session, before an entry of the journal. */
export function timelineOf(db: Database | undefined, session: string, before: number | undefined): Timeline {
  if (!db) return { session, spans: [], next: null };
  const ids = "SELECT id FROM journal WHERE session = ? AND id < ? ORDER BY id DESC LIMIT ?";
  const query = `SELECT ${ROW_COLUMNS} FROM journal WHERE id IN (${ids}) ORDER BY id`;
  const rows = db.all(query, session, before ?? Number.MAX_SAFE_INTEGER, PAGE + 1);
  const entries = rows.slice(-PAGE).map((row): Entry => {
    const shown = decisionRow(row);
    const ran = Number(Reflect.get(bodyOf(row), "duration_ms") ?? Number.NaN);
    const answered = shown.at + shown.microseconds / 1_000;
    return { ...shown, call: String(row.tool_use_id), ran: Number.isFinite(ran) ? ran : undefined, answered };
  });
  const next = rows.length > PAGE ? (entries[0]?.id ?? null) : null;
  return { session, spans: spansOf(entries), next };
}

function spansOf(entries: readonly Entry[]): Span[] {
  const spans: Span[] = [];
  const open = new Map<string, Thread>();
  for (const entry of entries) {
    const thread = open.get(entry.agentId) ?? { calls: new Map(), asked: undefined, model: undefined };
    open.set(entry.agentId, thread);
    spans.push(...before(entry, thread), spanOf("hook", entry.at, entry.answered, entry.event, entry));
    follow(entry, thread);
  }
  return spans.sort((a, b) => a.from - b.from);
}

/** What goes on in one thread. */
interface Thread {
  readonly calls: Map<string, Entry>;
  asked: Entry | undefined;
  model: Entry | undefined;
}

/** What ended with this entry. */
function before(entry: Entry, { calls, asked, model }: Thread): Span[] {
  if (model && ENDS_MODEL.has(entry.event)) return [spanOf("model", model.answered, entry.at, "model", entry)];
  const call = calls.get(entry.call);
  if (!call || (entry.event !== "tool.after" && entry.event !== "tool.failed")) return [];
  const label = [call.tool, call.subject].filter((part) => part !== "").join(": ");
  const from =
    entry.ran === undefined ? (asked?.answered ?? call.answered) : Math.max(call.answered, entry.at - entry.ran);
  // Without the agent's own time for the tool, nobody knows when the person answered.
  const waited = asked && spanOf("waiting", asked.answered, entry.ran === undefined ? entry.at : from, label, asked);
  const tool = spanOf("tool", from, entry.at, label, call);
  return waited ? (entry.ran === undefined ? [waited] : [waited, tool]) : [tool];
}

function follow(entry: Entry, thread: Thread): void {
  const { event, ruling, call } = entry;
  if (event === "tool.before" && call !== "" && ruling !== "deny") thread.calls.set(call, entry);
  if (event === "permission.request" ? ruling === "pass" : event === "tool.before" && ruling === "ask") {
    thread.asked ??= entry;
  } else if (event !== "notification.sent") thread.asked = undefined;
  if (event === "tool.after" || event === "tool.failed") thread.calls.delete(call);
  const isDenied = event === "tool.before" && ruling === "deny";
  const isHeld = event === "turn.stop" && ruling === "hold";
  if (isDenied || isHeld || (BEGINS_MODEL.has(event) && ruling !== "deny")) thread.model = entry;
  else if (ENDS_MODEL.has(event)) thread.model = undefined;
}

function spanOf(kind: Span["kind"], from: number, to: number, label: string, entry: Entry): Span {
  const { agentId, id, ruling } = entry;
  return { kind, from, to: Math.max(from, to), label, agentId, decision: id, ruling };
}
