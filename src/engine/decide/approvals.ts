import type { AnyEvent, EventOf, Json, ToolCall } from "../../core/event.ts";
import type { ActivePolicy, PolicyResult } from "../../core/pipeline.ts";
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
 * none has stopped this call in this session. Otherwise the agent asks the person, as it does without an approval.
 */
export async function withCheckedApprovals(
  event: AnyEvent,
  results: readonly PolicyResult[],
  policiesBefore: PoliciesBefore,
  askAbout: AskAbout,
  db: Database,
  ref: SessionRef,
): Promise<readonly PolicyResult[]> {
  if (event.name !== "permission.request" && event.name !== "permission.denied") return results;
  if (!results.some(({ verdicts }) => verdicts.some(approves))) return results;
  const objection = wasStopped(db, ref, event.tool)
    ? "this call was stopped before in this session"
    : await objectionTo(event, policiesBefore, askAbout);
  if (objection === undefined) return results;
  return results.map((result) => ({
    ...result,
    verdicts: result.verdicts.map((verdict) => (approves(verdict) ? refusal(objection) : verdict)),
  }));
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
function keyOfCall({ name, kind, input }: ToolCall): string {
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

async function objectionTo(
  request: EventOf<"permission.request" | "permission.denied">,
  policiesBefore: PoliciesBefore,
  askAbout: AskAbout,
): Promise<string | undefined> {
  const call: EventOf<"tool.before"> = { ...request, name: "tool.before" };
  for (const { id, mode, stage, verdicts, error } of await askAbout(call, await policiesBefore(call))) {
    if (mode !== "enforce") continue;
    const { onError, verdicts: legal } = STAGES[stage];
    if (verdicts.some(stops)) return `${id} would stop it`;
    if (verdicts.some(changes)) return `${id} would change it`;
    if (onError !== "nothing" && verdicts.some(warns)) return `${id} has something to say about it`;
    // Elsewhere the failure of such a policy lets a call pass; here nobody would be asked any more.
    if (error !== undefined && (legal as readonly string[]).includes("deny")) return `${id} could not check it`;
  }
  return undefined;
}

function refusal(objection: string): NoticeVerdict {
  const text = `This call was not approved without asking you, because ${objection}.`;
  return { kind: "notice", message: "not-approved", data: { objection }, text };
}

function approves({ kind }: Verdict): boolean {
  return kind === "approve";
}

function stops({ kind }: Verdict): boolean {
  return kind === "deny" || kind === "ask" || kind === "end";
}

function changes({ kind }: Verdict): boolean {
  return kind === "rewrite";
}

function warns({ kind }: Verdict): boolean {
  return kind === "note";
}
