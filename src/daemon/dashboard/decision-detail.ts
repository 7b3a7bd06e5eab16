import { unifiedDiff } from "../../core/text/unified-diff.ts";
import { GRANTABLE_POLICIES } from "../../domain/grants/grants.ts";
import type { Database } from "../../state/database.ts";
import type { Row } from "../../state/driver.ts";
import { isFalseAlarm } from "../../state/false-alarms.ts";
import { maskText } from "../../state/masking.ts";
import { ROW_COLUMNS } from "../../state/search/journal-pages.ts";
import type { DashboardActions } from "./actions.ts";
import type { DecisionDetail, DecisionRow } from "./api.ts";
import { bodyOf, decisionRow, textIn } from "./rows.ts";

const MOST_AFTERWARDS = 10;
const LONGEST_EDIT = 200_000;

export async function decisionDetail(db: Database, row: Row, actions: DashboardActions): Promise<DecisionDetail> {
  const shown = decisionRow(row);
  const body = bodyOf(row);
  const command = commandOf(row);
  return {
    ...shown,
    agentEvent: String(row.agent_event),
    ...actions.recorded(db, row),
    effects: command === "" ? [] : await actions.effects(command, textIn(body, "cwd") || shown.project),
    diff: diffOf(bodyOf({ ...row, body: actions.wholeBody(row) })),
    body: String(row.body),
    afterwards: afterwardsOf(db, row),
    isFalseAlarm: isFalseAlarm(db, row),
    cannotAllow: cannotAllow(row),
  };
}

/** The command line of a shell call that is about to run; empty for anything else. */
export function commandOf(row: Row): string {
  return row.event === "tool.before" ? textIn(Reflect.get(bodyOf(row), "tool_input"), "command") : "";
}

/** Why no grant would let this pass; empty when one would. */
export function cannotAllow(row: Row): string {
  if (row.ruling !== "deny" && row.ruling !== "ask") return "It was not stopped.";
  const command = commandOf(row);
  if (command === "") return "Only commands can be allowed once.";
  if (command.includes("[masked]"))
    return "It holds a secret that was not recorded, so nobody knows the whole command.";
  const policy = String(row.policy);
  return GRANTABLE_POLICIES.has(policy) ? "" : `What ${policy} stops cannot be allowed by a grant.`;
}

/** Of an edit whose texts were kept. A secret in them was never recorded, and is not shown either. */
function diffOf(body: Readonly<Record<string, unknown>>): string {
  const input = Reflect.get(body, "tool_input");
  const file = textIn(input, "file_path");
  const [before, after] = [textIn(input, "old_string"), textIn(input, "new_string") || textIn(input, "content")];
  const isKnown = file !== "" && (before !== "" || after !== "") && before.length + after.length < LONGEST_EDIT;
  return isKnown ? maskText(unifiedDiff(file, before, after)) : "";
}

function afterwardsOf(db: Database, row: Row): DecisionDetail["afterwards"] {
  const [id, session, call] = [Number(row.id), String(row.session), String(row.tool_use_id)];
  const ofCall = `SELECT ${ROW_COLUMNS} FROM journal WHERE session = ? AND tool_use_id = ? AND id > ? ORDER BY id LIMIT ?`;
  // What has no call of its own is followed by whatever its thread did next.
  const near = `SELECT ${ROW_COLUMNS} FROM journal NOT INDEXED
    WHERE id > ? AND id <= ? AND session = ? AND agent_id = ? ORDER BY id LIMIT ?`;
  const rows =
    call === ""
      ? db.all(near, id, id + 1_000, session, String(row.agent_id), MOST_AFTERWARDS)
      : db.all(ofCall, session, call, id, MOST_AFTERWARDS);
  const shown = rows.map(decisionRow);
  return { outcome: call === "" ? "" : outcomeOf(String(row.ruling), shown), rows: shown };
}

function outcomeOf(ruling: string, rows: readonly DecisionRow[]): string {
  const has = (event: string): boolean => rows.some((one) => one.event === event);
  if (has("tool.after")) return "kept";
  if (has("tool.failed")) return "failed";
  if (has("permission.denied")) return "refused by the person";
  return ruling === "deny" ? "stopped" : "";
}
