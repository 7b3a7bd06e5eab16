import type { IncomingMessage, ServerResponse } from "node:http";
import { describe } from "../../core/errors.ts";
import type { AtmEnvironment } from "../../domain/team/atm-paths.ts";
import type { Database } from "../../state/database.ts";
import type { Row } from "../../state/driver.ts";
import { markFalseAlarm } from "../../state/false-alarms.ts";
import { entryWithId } from "../../state/journal-query.ts";
import type { ChangeRequest, DashboardActions } from "./actions.ts";
import type { MarkFalseAlarm, ReplayProgress } from "./api.ts";
import { answerApproval, approveWithRule } from "./approvals.ts";
import { cannotAllow, commandOf, decisionDetail } from "./decision-detail.ts";
import { type Decisions, wholeNumber } from "./decisions.ts";
import type { EventStream } from "./event-stream.ts";
import { beginStream, RequestError, readJson, sendJson } from "./http/replies.ts";
import type { NowBuilder } from "./now.ts";
import { bodyOf, textIn } from "./rows.ts";
import type { StateFile } from "./state-file.ts";
import type { Statistics } from "./statistics.ts";
import { performancePage, policyRows } from "./statistics-pages.ts";
import { timelineOf } from "./timeline.ts";
import { workPage } from "./work.ts";

const MODES = ["off", "observe", "enforce"] as const;
const MOST_DAYS = 30;
const MOST_HOURS = 168;

export interface RouteParts {
  readonly state: StateFile;
  readonly now: NowBuilder;
  readonly stream: EventStream;
  readonly statistics: Statistics;
  readonly decisions: Decisions;
  readonly actions: DashboardActions;
  readonly where: AtmEnvironment;
}

/** Answers a request to `/api/…`. False for a path that is none. */
export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  parts: RouteParts,
): Promise<boolean> {
  const [, , name = "", id, action, ...more] = url.pathname.split("/");
  if (more.length > 0) return false;
  if (request.method === "POST") return post(request, response, { name, id, action }, parts);
  if (action !== undefined || (id !== undefined && name !== "decisions")) return false;
  const { state, now, statistics, actions, where, stream } = parts;
  const query = url.searchParams;
  const at = Date.now();
  const db = state.current;
  switch (name) {
    case "now":
      if (db) now.live.advance(db, at);
      if (db) now.readTranscripts(db, at);
      sendJson(response, now.page(db, at));
      return true;
    case "decisions":
      if (id === undefined) sendJson(response, await parts.decisions.page(db, query, at));
      else {
        const { row, db: file } = entryOf(state, id);
        sendJson(response, await decisionDetail(file, row, actions));
      }
      return true;
    case "timeline":
      sendJson(response, timelineOf(db, query.get("session") ?? "", wholeNumber(query, "before")));
      return true;
    case "policies": {
      const days = Math.min(wholeNumber(query, "days") ?? 7, MOST_DAYS);
      sendJson(
        response,
        await policyRows(db, statistics, actions, { days, cwd: query.get("project") ?? "/", now: at }),
      );
      return true;
    }
    case "work": {
      if (db) now.live.advance(db, at);
      const projects = [...new Set(now.live.all.map(({ project }) => project))];
      sendJson(response, workPage(db, projects, actions, where, at));
      return true;
    }
    case "performance": {
      const hours = Math.min(wholeNumber(query, "hours") ?? 24, MOST_HOURS);
      sendJson(response, await performancePage(db, statistics, hours, at));
      return true;
    }
    case "events": {
      const last = request.headers["last-event-id"] ?? query.get("after") ?? undefined;
      stream.add(response, Array.isArray(last) ? last[0] : last);
      return true;
    }
    default:
      return false;
  }
}

interface Target {
  readonly name: string;
  readonly id: string | undefined;
  readonly action: string | undefined;
}

async function post(
  request: IncomingMessage,
  response: ServerResponse,
  { name, id, action }: Target,
  { state, actions, stream }: RouteParts,
): Promise<boolean> {
  const body = await readJson(request);
  if (name === "policies" && id === "mode" && action === undefined) {
    const mode = MODES.find((one) => one === body.mode);
    if (mode === undefined) throw new RequestError(400, `A mode is ${MODES.join(", ")}.`);
    sendJson(response, await actions.setMode(textOf(body, "id"), mode, changeOf(body)));
    return true;
  }
  if (name === "replay" && id === undefined) {
    await streamReplay(response, body, actions);
    return true;
  }
  if (name === "approvals" && id !== undefined && (action === undefined || action === "rule")) {
    const isRule = action === "rule";
    sendJson(
      response,
      isRule ? await approveWithRule(state, id, changeOf(body), actions) : await answerApproval(state, id, body),
    );
    stream.poll();
    return true;
  }
  if (name !== "decisions" || id === undefined) return false;
  const { row, db } = entryOf(state, id);
  switch (action) {
    case "explain":
      sendJson(response, await actions.explain(Number(row.id)));
      return true;
    case "allow": {
      const problem = cannotAllow(row);
      if (problem !== "") throw new RequestError(409, problem);
      sendJson(response, actions.allowOnce(commandOf(row), String(row.project)));
      break;
    }
    case "rule": {
      const [command, cwd] = [commandOf(row), textIn(bodyOf(row), "cwd") || String(row.project)];
      if (command === "") throw new RequestError(409, "A narrow rule can be written for commands only.");
      const reason = typeof body.reason === "string" && body.reason !== "" ? body.reason : "Allowed in the dashboard.";
      sendJson(response, await actions.allowLosses(command, cwd, reason, changeOf(body)));
      return true;
    }
    case "false-alarm": {
      const isFalseAlarm = body.isFalseAlarm === true;
      if (!markFalseAlarm(db, row, isFalseAlarm)) throw new RequestError(503, "The database is busy. Try again.");
      sendJson(response, { isFalseAlarm } satisfies MarkFalseAlarm);
      break;
    }
    default:
      return false;
  }
  actions.record(["dashboard", action, id]);
  stream.poll();
  return true;
}

function entryOf(state: StateFile, id: string): { readonly db: Database; readonly row: Row } {
  const db = state.current;
  const row = db && /^\d{1,15}$/.test(id) ? entryWithId(db, Number(id)) : undefined;
  if (!db || !row) throw new RequestError(404, `There is no entry ${id.slice(0, 20)} in the journal.`);
  return { db, row };
}

/** A change is written only when that is asked for explicitly. */
function changeOf(body: Readonly<Record<string, unknown>>): ChangeRequest {
  return { isPreview: body.isPreview !== false, isReplayed: body.isReplayed === true };
}

function textOf(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw new RequestError(400, `\`${name}\` is missing.`);
}

async function streamReplay(
  response: ServerResponse,
  body: Readonly<Record<string, unknown>>,
  actions: DashboardActions,
): Promise<void> {
  const optional = (name: string): string | undefined =>
    typeof body[name] === "string" ? String(body[name]) : undefined;
  const asked = { since: optional("since") ?? "7d", policy: optional("policy"), profile: optional("profile") };
  beginStream(response, "application/x-ndjson; charset=utf-8");
  const write = (progress: ReplayProgress): void => {
    if (response.destroyed) throw new Error("Nobody reads this any more.");
    response.write(`${JSON.stringify(progress)}\n`);
  };
  try {
    await actions.replay({ ...asked, config: optional("config") }, write);
  } catch (error) {
    if (!response.destroyed) write({ kind: "failed", error: describe(error) });
  }
  response.end();
}
