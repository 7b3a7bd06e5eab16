import { promptedArbiter } from "../../core/arbiter.ts";
import type { Json } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { ActivePolicy, PolicyResult } from "../../core/pipeline.ts";
import { afterEvent } from "../../core/session-flags.ts";
import type { Database } from "../../state/database.ts";
import { hasOpenExports } from "../../state/exported-files.ts";
import { groundsText, type ScopeKind } from "../../state/grounds.ts";
import { abandonedJobs, addJob, isPruneDue, PRUNE } from "../../state/jobs.ts";
import { append, type JournalEntry, silentList, storedReply } from "../../state/journal.ts";
import { MASK, maskedJson, maskText } from "../../state/masking.ts";
import { type Origin, originText } from "../../state/origins.ts";
import { markDelivered } from "../../state/outbox.ts";
import { recordedBody } from "../../state/recorded-body.ts";
import { bumpRevision, hasChanged, noteSession, type Snapshot, saveArbiter, saveFlags } from "../../state/sessions.ts";
import { HOME_SCOPE, openTable, projectScope, type SessionRef, sessionScope } from "../../state/stores.ts";
import { closeRequest, openRequest, type RequestState } from "../../state/waiting/permission-requests.ts";
import { keyOfCall, noteStoppedCall } from "../decide/approvals.ts";
import { type Judgement, SENT_TEXTS, TOLD_PROBLEMS } from "../decide/judge.ts";
import { useGrant } from "../decide/use-grants.ts";
import type { World } from "../decide/world.ts";
import { isGone } from "../jobs/job-holder.ts";
import { type Effects, settle } from "./settle.ts";
import type { Written } from "./transaction.ts";

const LONGEST_FACTS = 16_000;
/** Microseconds. */
const SLOW = 1_000;

export interface RecordInput {
  readonly db: Database;
  readonly world: World;
  readonly ref: SessionRef;
  readonly key: string;
  /** The bytes of the event, which a retry sends again. */
  readonly body: Buffer;
  readonly via: string;
  readonly snapshot: Snapshot;
  readonly judgement: Judgement;
  readonly reply: Reply;
  readonly microseconds: number;
  readonly origin?: Origin;
  /** Set where the client can be kept waiting: until when, and by which process. */
  readonly waits?: { readonly until: number; readonly owner: string } | undefined;
  /** The request that this decision answers. */
  readonly answered?: number | undefined;
}

/** Called inside the event's transaction; everything in here is synchronous. */
export function writeEvent(input: RecordInput): Written {
  const { db, world, ref, judgement, snapshot } = input;
  const { event } = world;
  const now = world.facts.read("now", world.ports.now);
  const tool = event.tool;
  const toolUseId = tool?.useId ?? "";
  const retry = { key: input.key, session: event.session, toolUseId, event: event.name };
  const known = storedReply(db, retry, now, input.body);
  if (known) return { kind: "known", reply: known };
  if (hasChanged(db, ref, snapshot)) return { kind: "changed" };

  const written: string[] = [];
  const flags = afterEvent(snapshot.flags, event);
  const effects: Effects = { flags, jobs: [], written, hasExports: false, endsBoard: false };
  const settleErrors = settle(input, now, effects);
  if (judgement.newProblems.length > 0) {
    const told = openTable(db, sessionScope(ref), TOLD_PROBLEMS, () => written.push(sessionScope(ref)));
    for (const sentence of judgement.newProblems) told.set(sentence, true);
  }
  keepSentTexts(input, () => written.push(sessionScope(ref)));
  if (judgement.stop) {
    saveArbiter(db, ref, judgement.stop.next);
    written.push(sessionScope(ref));
  } else if (event.name === "prompt.submit" && event.fromPerson) {
    saveArbiter(db, ref, promptedArbiter(snapshot.toolCalls));
    written.push(sessionScope(ref));
  }
  if (event.name === "session.start" && isPruneDue(db, now)) {
    effects.jobs.push(addJob(db, PRUNE, null, world.env, now));
  }
  noteSession(db, ref, snapshot, { at: now, via: input.via });
  if (effects.flags !== snapshot.flags && JSON.stringify(effects.flags) !== JSON.stringify(snapshot.flags)) {
    saveFlags(db, ref, effects.flags);
    written.push(sessionScope(ref));
  }
  const { outcome } = judgement.ruling;
  if (outcome === "deny" || outcome === "ask") noteStoppedCall(db, ref, event, now, written);
  if (outcome === "pass" && judgement.grant) useGrant(db, ref, judgement.grant, written);
  for (const scope of new Set(written)) bumpRevision(db, scope);
  const noted = judgement.results.filter((result) => isWorthNoting(result, settleErrors));
  const body = recordedBody(event, input.body);
  const entry: JournalEntry = {
    at: now,
    agent: event.agent,
    session: event.session,
    agentId: event.agentId,
    project: ref.project,
    event: event.name,
    agentEvent: event.agentEvent,
    tool: tool?.name ?? "",
    toolUseId,
    ruling: outcome,
    policy: judgement.ruling.policy,
    reason: judgement.ruling.reason === "" ? "" : maskText(judgement.ruling.reason),
    microseconds: input.microseconds,
    body,
    verdicts: verdictsText(judgement, noted, settleErrors),
    silent: silentText(judgement, noted),
    facts: recordedFacts(world),
    ...(input.origin === undefined ? {} : { origin: originText(input.origin) }),
    grounds: groundsOf(input, written, body),
    reply: input.reply,
  };
  const id = append(db, input.key, entry, input.body);
  if (input.answered !== undefined) closeRequest(db, input.answered, ENDS[outcome] ?? "refused");
  const request = waitingRequest(input, now);
  if (judgement.delivered.length > 0) markDelivered(db, judgement.delivered, id);
  // The process that was to run them may have been killed, so any later event looks for such jobs.
  effects.jobs.push(...abandonedJobs(db, now, { isGone }));
  // Before the commit: when this process is killed in between, the mode is still on and can be cancelled again.
  const problem = effects.endsBoard ? world.endBoard(ref.project, now, world.ports.uid) : "";
  return {
    kind: "written",
    request,
    jobs: effects.jobs,
    hasExports: effects.hasExports || hasOpenExports(db),
    problem,
  };
}

/** What became of a request, by the ruling about the answer. */
const ENDS: { readonly [outcome in Judgement["ruling"]["outcome"]]?: RequestState & ("approved" | "denied") } = {
  approve: "approved",
  deny: "denied",
};

/** The id of the request that is now offered to the person; undefined where nothing waits. */
function waitingRequest({ db, world, ref, judgement, waits }: RecordInput, now: number): number | undefined {
  const { event } = world;
  const { wait } = judgement.ruling;
  if (!wait || !waits || event.name !== "permission.request") return undefined;
  const { name: tool, input } = event.tool;
  const about = { agent: ref.agent, session: ref.session, agentId: ref.agentId, project: ref.project, cwd: event.cwd };
  const asked = {
    tool,
    input: maskedJson(input),
    call: keyOfCall(event.tool),
    asks: maskText(wait.text),
    askedAt: now,
  };
  return openRequest(db, { ...about, ...asked, ...waits });
}

/** Texts given in full are no longer in the agent's context once that begins anew or was summarised. */
function keepSentTexts({ db, world, ref, judgement }: RecordInput, onWrite: () => void): void {
  const { name } = world.event;
  const isNewContext = name === "session.start" || name === "compact.after";
  if (judgement.sentTexts === undefined && !isNewContext) return;
  const given = openTable(db, sessionScope(ref), SENT_TEXTS, onWrite);
  if (judgement.sentTexts !== undefined) given.set(ref.agentId, judgement.sentTexts as unknown as Json);
  else if (given.get(ref.agentId) !== undefined) given.delete(ref.agentId);
}

/** Policies that said nothing and were quick are recorded as one list. */
function isWorthNoting({ id, verdicts, error, microseconds }: PolicyResult, settleErrors: ReadonlyMap<string, string>) {
  return (
    verdicts.length > 0 ||
    error !== undefined ||
    microseconds >= SLOW ||
    (settleErrors.size > 0 && settleErrors.has(id))
  );
}

/** Events of one kind have the same list of policies, and mostly all of them say nothing. */
const allSilent = new WeakMap<readonly ActivePolicy[], string>();

function silentText({ policies, results }: Judgement, noted: readonly PolicyResult[]): string {
  const known = noted.length === 0 ? allSilent.get(policies) : undefined;
  if (known !== undefined) return known;
  const text = silentList(results.filter((result) => !noted.includes(result)));
  if (noted.length === 0) allSilent.set(policies, text);
  return text;
}

function verdictsText(
  judgement: Judgement,
  noted: readonly PolicyResult[],
  errors: ReadonlyMap<string, string>,
): string {
  if (noted.length === 0) return "[]";
  return JSON.stringify(noted.map((result) => summary(result, judgement, errors)));
}

/** The texts and errors of a policy may repeat a secret of the event, so they are masked. */
function summary(result: PolicyResult, judgement: Judgement, settleErrors: ReadonlyMap<string, string>) {
  const settleError = settleErrors.get(result.id);
  return {
    policy: result.id,
    stage: result.stage,
    mode: result.mode,
    fate: judgement.ruling.fates[result.id] ?? "silent",
    microseconds: result.microseconds,
    verdicts: result.verdicts.map(({ kind, message, text }) => ({ kind, message, text: maskText(text) })),
    ...(result.error === undefined ? {} : { error: maskText(result.error) }),
    ...(settleError === undefined ? {} : { settleError: maskText(settleError) }),
  };
}

const NO_NAMES = { absent: [], usual: [] };

function lengthOf({ absent, usual }: Pick<World["facts"], "absent" | "usual">): number {
  return [...absent, ...usual].reduce((sum, name) => sum + name.length, 0);
}

function groundsOf({ world, ref, snapshot }: RecordInput, written: readonly string[], body: string): string {
  // The name of a file may hold a part of a masked text, in which nothing tells the secret. Such an event is not replayed.
  // One that is longer than a row may be is not replayed either.
  const isKept = !body.includes(MASK) && lengthOf(world.facts) <= LONGEST_FACTS;
  const { absent, usual } = isKept ? world.facts : NO_NAMES;
  const scopes = { session: sessionScope(ref), project: projectScope(ref), home: HOME_SCOPE };
  const kinds = Object.keys(scopes) as ScopeKind[];
  return groundsText({
    revision: snapshot.revision,
    wrote: written.length === 0 ? [] : kinds.filter((kind) => written.includes(scopes[kind])),
    pid: world.actor.pid,
    ...(snapshot.lastAt === undefined ? { isFirst: true } : {}),
    ...(absent.length === 0 ? {} : { absent }),
    ...(usual.length === 0 ? {} : { usual }),
  });
}

/** Without those facts that the row contains in other columns. */
function recordedFacts(world: World): string {
  const facts = world.facts.without("now", `project:${world.event.cwd}`);
  if (Object.keys(facts).length === 0) return "{}";
  const text = maskedJson(facts);
  return text.length <= LONGEST_FACTS ? text : JSON.stringify({ not_kept: text.length });
}
