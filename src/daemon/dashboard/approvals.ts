import type { PersonAnswer } from "../../core/policy.ts";
import { isGone } from "../../engine/jobs/job-holder.ts";
import type { Database } from "../../state/database.ts";
import { MASK, maskText } from "../../state/masking.ts";
import { subjectOf } from "../../state/subject.ts";
import {
  answerRequest,
  openRequests,
  openRequestWith,
  type PermissionRequest,
  standingOf,
} from "../../state/waiting/permission-requests.ts";
import type { ChangeRequest, DashboardActions } from "./actions.ts";
import type { ApprovalOutcome, ApprovalRequest, ConfigChange } from "./api.ts";
import { RequestError } from "./http/replies.ts";
import type { StateFile } from "./state-file.ts";

const LONGEST_REASON = 2_000;
/** So long is waited for the daemon to carry an answer out; it looks several times a second. */
const CARRY_OUT_MS = 3_000;
const LOOK_MS = 100;

/** What waits for an answer of the person; a request whose daemon has ended waits for nothing. */
export function approvalRequests(db: Database, at: number): ApprovalRequest[] {
  return openRequests(db, at)
    .filter(({ owner }) => !isGone(owner))
    .map(shown);
}

function shown(request: PermissionRequest): ApprovalRequest {
  const { id, agent, session, agentId, project, tool, input, asks, askedAt, until } = request;
  const about = { event: "permission.request", agentEvent: "", tool, project };
  const given: unknown = JSON.parse(input);
  const subject = subjectOf(about, { tool_input: given }).text;
  const who = { id: String(id), agent, session, agentId, project };
  const text = JSON.stringify(given, null, 2);
  return { ...who, tool, subject, input: text, asks, askedAt, until, hasRule: commandOf(request) !== "" };
}

/** The shell command of a request; empty where there is none, or where a secret in it was masked. */
function commandOf({ input }: PermissionRequest): string {
  const { command } = JSON.parse(input) as { readonly command?: unknown };
  return typeof command === "string" && !input.includes(MASK) ? command : "";
}

/** Answers a request, and says what became of it. The first answer wins. */
export async function answerApproval(
  state: StateFile,
  id: string,
  body: Readonly<Record<string, unknown>>,
): Promise<ApprovalOutcome> {
  if (body.answer !== "yes" && body.answer !== "no") throw new RequestError(400, "An answer is `yes` or `no`.");
  const reason = body.reason ?? "";
  if (typeof reason !== "string" || reason.length > LONGEST_REASON) {
    throw new RequestError(400, `A reason is a text of at most ${LONGEST_REASON} characters.`);
  }
  const request = open(state, id);
  give(state, request, body.answer, body.answer === "no" ? maskText(reason.trim()) : "");
  return outcomeOf(state, request);
}

/** Shows or writes the narrowest rule for the call. Together with writing it the answer is yes. */
export async function approveWithRule(
  state: StateFile,
  id: string,
  change: ChangeRequest,
  actions: DashboardActions,
): Promise<ConfigChange> {
  const request = open(state, id);
  const command = commandOf(request);
  if (command === "") throw new RequestError(409, "A rule can be written for commands without secrets only.");
  const { tool, project, cwd, asks } = request;
  const rule = (how: ChangeRequest): Promise<ConfigChange> =>
    asks === ""
      ? actions.alwaysApprove({ tool, command, project }, how)
      : actions.allowLosses(command, cwd, "Allowed in the dashboard.", how);
  const preview = await rule({ ...change, isPreview: true });
  if (change.isPreview) return preview;
  // The answer first: where somebody else was faster, no rule is written.
  give(state, request, "yes", "");
  return rule(change);
}

function open(state: StateFile, id: string): PermissionRequest {
  const db = state.current;
  const request = db && /^\d{1,15}$/.test(id) ? openRequestWith(db, Number(id), Date.now()) : undefined;
  if (!request || isGone(request.owner)) throw tooLate();
  return request;
}

function tooLate(): RequestError {
  return new RequestError(409, "This request is over: it was answered already, or the agent no longer waits for it.");
}

function give(state: StateFile, { id }: PermissionRequest, says: PersonAnswer["says"], reason: string): void {
  const answer = { says, reason, by: "browser", at: Date.now() } as const;
  const isFirst = state.current && answerRequest(state.current, id, answer);
  if (isFirst === undefined) throw new RequestError(503, "The database is busy. Try again.");
  if (!isFirst) throw tooLate();
}

async function outcomeOf(state: StateFile, { id, tool }: PermissionRequest): Promise<ApprovalOutcome> {
  for (const end = Date.now() + CARRY_OUT_MS; Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const outcome = (state.current && standingOf(state.current, id))?.state ?? "gone";
    const isRefused = outcome === "refused";
    const notDone = isRefused ? `A policy stops this call of ${tool} now, so your yes was not carried out.` : "";
    if (outcome !== "answered") return { outcome, notDone };
  }
  return { outcome: "answered", notDone: "The agent was not told of your answer yet. It may no longer wait." };
}
