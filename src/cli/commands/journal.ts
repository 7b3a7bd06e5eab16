import fs from "node:fs";
import { HookwrightError } from "../../core/errors.ts";
import { Database } from "../../state/database.ts";
import type { Row } from "../../state/driver.ts";
import { list } from "../../state/journal.ts";
import type { Command } from "../command.ts";
import { homeOf } from "../installation.ts";
import { type Style, styleFor, table } from "../style.ts";

const BUSY_MS = 2_000;

export const journal: Command = {
  name: "journal",
  summary: "Shows what happened: every event and what was answered.",
  usage: "journal [--session S] [--denied] [--limit N] [--json]",
  options: {
    session: { type: "string", value: "S", description: "Only this session." },
    denied: { type: "boolean", description: "Only what was denied." },
    limit: { type: "string", value: "N", description: "The newest N entries (default 50, with --json all)." },
    json: { type: "boolean", description: "One JSON object per line." },
  },
  run({ options, env, out }) {
    const limit = limitOf(options.limit, options.json === true);
    const home = homeOf(env);
    if (!fs.existsSync(home.database)) {
      if (!options.json) out("Nothing is recorded yet.");
      return 0;
    }
    const db = new Database(home.database, BUSY_MS);
    const rows = list(db, {
      limit,
      deniedOnly: options.denied === true,
      ...(typeof options.session === "string" ? { session: options.session } : {}),
    });
    db.close();
    const style = styleFor(env, process.stdout.isTTY === true);
    if (options.json) for (const row of rows) out(JSON.stringify(asObject(row)));
    else out(rows.length === 0 ? "Nothing matches." : table(rows.map((row) => asCells(row, style))));
    return 0;
  },
};

function limitOf(given: unknown, isJson: boolean): number {
  if (typeof given !== "string") return isJson ? -1 : 50;
  const limit = Number(given);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new HookwrightError("HW_USAGE", {
    detail: `--limit takes a whole number above 0, not \`${given}\``,
    command: "journal",
  });
}

export function asObject(row: Row): Record<string, unknown> {
  return {
    id: row.id,
    at: new Date(Number(row.at)).toISOString(),
    session: row.session,
    agent: row.agent,
    agentId: row.agent_id,
    project: row.project,
    event: row.event,
    agentEvent: row.agent_event,
    tool: row.tool,
    toolUseId: row.tool_use_id,
    ruling: row.ruling,
    policy: row.policy,
    reason: row.reason,
    microseconds: row.microseconds,
    body: JSON.parse(String(row.body)),
    verdicts: JSON.parse(String(row.verdicts)),
    facts: JSON.parse(String(row.facts)),
  };
}

function asCells(row: Row, style: Style): string[] {
  const ruling = String(row.ruling);
  const paint = ruling === "pass" ? style.green : ruling === "deny" ? style.red : style.yellow;
  return [
    style.dim(String(row.id)),
    style.dim(new Date(Number(row.at)).toISOString().slice(0, 19).replace("T", " ")),
    String(row.session).slice(0, 8),
    String(row.agent_event),
    String(row.tool),
    paint(ruling),
    String(row.reason).split("\n")[0] ?? "",
  ];
}
