import type { AnyEvent, EventOf, Json, ToolCall } from "../../core/event.ts";
import { type ActivePolicy, failureVerdict, type PolicyResult } from "../../core/pipeline.ts";
import { APPROVALS_POLICY } from "../../core/settings/approvals.ts";
import { STAGES } from "../../core/stages.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { NoticeVerdict, Verdict } from "../../core/verdict.ts";
import type { Database } from "../../state/database.ts";
import { openTable, type SessionRef, sessionScope } from "../../state/stores.ts";

const STOPPED_CALLS = "stopped-calls";

/** Asks these policies about an event that only stands for another one. */
export type AskAbout = (event: AnyEvent, policies: readonly ActivePolicy[]) => Promise<readonly PolicyResult[]>;
/** The policies that are asked about a call before it runs, of every registration. */
export type PoliciesBefore = (event: EventOf<"tool.before">) => Promise<readonly ActivePolicy[]>;

/**
 * An approval counts only where every policy that looks at the call before it runs has nothing against it now, and where
 * none has stopped this call in this session. Otherwise the agent asks the person, as it does without an approval. The
 * person's own answer also counts where a policy only asks, and such a call is offered to the person with the question.
 */
export async function withCheckedApprovals(
  event: AnyEvent,
  results: readonly PolicyResult[],
  policiesBefore: PoliciesBefore,
  askAbout: AskAbout,
  db: Database,
  ref: SessionRef,
  isAnswered: () => boolean,
): Promise<readonly PolicyResult[]> {
  if (event.name !== "permission.request" && event.name !== "permission.denied") return results;
  if (!results.some(({ verdicts }) => verdicts.some((one) => approves(one) || waits(one)))) return results;
  const objections = await objectionsTo(event, policiesBefore, askAbout);
  const ofLists = wasStopped(db, ref, event.tool) ? "this call was stopped before in this session" : objections[0]?.why;
  const ofPerson = objections.find(({ question }) => question === undefined)?.why;
  const checked = (verdict: Verdict, id: string): readonly Verdict[] => {
    if (waits(verdict)) {
      const asks = objections.flatMap(({ question }) => question ?? []);
      return ofPerson === undefined ? [{ ...verdict, text: asks.join("\n") }] : [];
    }
    const isPersons = id === APPROVALS_POLICY && isAnswered();
    const objection = isPersons ? ofPerson : ofLists;
    return [approves(verdict) && objection !== undefined ? refusal(objection, isPersons) : verdict];
  };
  return results.map((result) => ({ ...result, verdicts: result.verdicts.flatMap((one) => checked(one, result.id)) }));
}

/** Called inside the event's transaction when a call was denied or asked about: the session remembers it. */
export function noteStoppedCall(db: Database, ref: SessionRef, event: AnyEvent, now: number, written: string[]): void {
  if (event.tool === undefined) return;
  const table = openTable(db, sessionScope(ref), STOPPED_CALLS, () => written.push(sessionScope(ref)));
  table.set(keyOfCall(event.tool), now);
}

function wasStopped(db: Database, ref: SessionRef, tool: ToolCall): boolean {
  return openTable(db, sessionScope(ref), STOPPED_CALLS).get(keyOfCall(tool)) !== undefined;
}

/** A permission request has no id of its call, so a call is known by its name and its input. Inputs may be nested deeply. */
export function keyOfCall({ name, kind, input }: ToolCall): string {
  // The model describes the same command in other words when it tries again.
  if (kind === "shell" && typeof input.command === "string") return fingerprint(name, input.command);
  const parts = [name];
  const values: Json[] = [input];
  while (values.length > 0) {
    const value = values.pop() as Json;
    if (typeof value !== "object" || value === null) {
      parts.push(`${typeof value} ${value}`);
      continue;
    }
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    parts.push(`object ${entries.length}`);
    for (const [key, inner] of entries) {
      parts.push(key);
      values.push(inner);
    }
  }
  return fingerprint(parts.join("\0"));
}

interface Objection {
  readonly why: string;
  /** What a person may say yes to; undefined for what nobody may. */
  readonly question: string | undefined;
}

async function objectionsTo(
  request: EventOf<"permission.request" | "permission.denied">,
  policiesBefore: PoliciesBefore,
  askAbout: AskAbout,
): Promise<readonly Objection[]> {
  const call: EventOf<"tool.before"> = { ...request, name: "tool.before" };
  const results = await askAbout(call, await policiesBefore(call));
  return results.flatMap((result) => (result.mode === "enforce" ? (objectionIn(result, call) ?? []) : []));
}

function objectionIn(result: PolicyResult, call: AnyEvent): Objection | undefined {
  const { id, stage, verdicts, error } = result;
  const { onError, verdicts: legal } = STAGES[stage];
  const [question] = [...verdicts.filter(asks), ...verdicts.filter(warns)].map(({ text }) => `${text} [${id}]`);
  if (verdicts.some(stops)) return { why: `${id} would stop it`, question: undefined };
  if (verdicts.some(changes)) return { why: `${id} would change it`, question: undefined };
  if (verdicts.some(asks)) return { why: `${id} would stop it`, question };
  if (onError !== "nothing" && question !== undefined) return { why: `${id} has something to say about it`, question };
  // Elsewhere the failure of such a policy lets a call pass; here nobody would be asked any more.
  if (error === undefined || !(legal as readonly string[]).includes("deny")) return undefined;
  const failure = failureVerdict(result, call);
  const unchecked = failure?.kind === "deny" ? undefined : (failure?.text ?? `${id} could not check this call.`);
  return { why: `${id} could not check it`, question: unchecked };
}

function refusal(objection: string, isPersons: boolean): NoticeVerdict {
  const what = isPersons ? "Your yes was not carried out" : "This call was not approved without asking you";
  const text = `${what}, because ${objection}.`;
  return { kind: "notice", message: "not-approved", data: { objection }, text };
}

function approves({ kind }: Verdict): boolean {
  return kind === "approve";
}

function waits({ kind }: Verdict): boolean {
  return kind === "wait";
}

function asks({ kind }: Verdict): boolean {
  return kind === "ask";
}

function stops({ kind }: Verdict): boolean {
  return kind === "deny" || kind === "end";
}

function changes({ kind }: Verdict): boolean {
  return kind === "rewrite";
}

function warns({ kind }: Verdict): boolean {
  return kind === "note";
}
