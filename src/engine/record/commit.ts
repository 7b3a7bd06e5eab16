import { promptedArbiter } from "../../core/arbiter.ts";
import { Awake } from "../../core/condition-cache.ts";
import { describe } from "../../core/errors.ts";
import type { AnyEvent, EventName, Json } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { ActivePolicy, PolicyResult } from "../../core/pipeline.ts";
import type { Fate, Policy, SettledContext } from "../../core/policy.ts";
import { afterEvent } from "../../core/session-flags.ts";
import type { Database } from "../../state/database.ts";
import { hasOpenExports } from "../../state/exported-files.ts";
import { abandonedJobs, addJob, isPruneDue, PRUNE } from "../../state/jobs.ts";
import { append, type JournalEntry, storedReply } from "../../state/journal.ts";
import { maskedJson, maskText } from "../../state/masking.ts";
import { markDelivered } from "../../state/outbox.ts";
import { recordedBody } from "../../state/recorded-body.ts";
import {
  bumpRevision,
  hasChanged,
  noteSession,
  type Snapshot,
  type SnapshotOf,
  saveArbiter,
  saveFlags,
  sessionScope,
} from "../../state/sessions.ts";
import { silentLine } from "../../state/silent-policies.ts";
import { openTable } from "../../state/stores.ts";
import { noteStoppedCall } from "../decide/approvals.ts";
import type { World } from "../decide/context.ts";
import { GIVEN, type Judgement, openStore, TOLD } from "../decide/judge.ts";
import { useGrant } from "../decide/use-grants.ts";
import { isGone } from "../jobs/job-holder.ts";
import { type Effects, Settled } from "./settled-context.ts";

const LONGEST_FACTS = 16_000;
/** Microseconds. */
const SLOW = 1_000;

export interface CommitInput {
  readonly db: Database;
  readonly world: World;
  readonly of: SnapshotOf;
  readonly key: string;
  /** The event as it came, which a retry brings again. */
  readonly body: Buffer;
  readonly via: string;
  readonly snapshot: Snapshot;
  readonly judgement: Judgement;
  readonly reply: Reply;
  readonly microseconds: number;
}

/** `changed`: somebody else wrote in between, so the decision has to be made again. */
export type Committed =
  | { readonly kind: "written"; readonly jobs: readonly number[]; readonly hasExports: boolean }
  | { readonly kind: "known"; readonly reply: Reply }
  | { readonly kind: "changed" };

/** Called inside the event's transaction; everything in here is synchronous. */
export function writeEvent(input: CommitInput): Committed {
  const { db, world, of, judgement, snapshot } = input;
  const { event } = world;
  const now = world.facts.read("now", () => world.ports.now());
  const tool = event.tool;
  const toolUseId = tool?.useId ?? "";
  const retry = { key: input.key, session: event.session, toolUseId, event: event.name };
  const known = storedReply(db, retry, now, input.body);
  if (known) return { kind: "known", reply: known };
  if (hasChanged(db, of, snapshot)) return { kind: "changed" };

  const written: string[] = [];
  const effects: Effects = { flags: afterEvent(snapshot.flags, event), jobs: [], written, hasExports: false };
  const settleErrors = settle(input, now, effects);
  if (judgement.told.length > 0) {
    const told = openTable(db, sessionScope(of), TOLD, () => written.push(sessionScope(of)));
    for (const sentence of judgement.told) told.set(sentence, true);
  }
  keepGiven(input, () => written.push(sessionScope(of)));
  if (judgement.stop) {
    saveArbiter(db, of, judgement.stop.next);
    written.push(sessionScope(of));
  } else if (event.name === "prompt.submit" && event.fromPerson) {
    saveArbiter(db, of, promptedArbiter(snapshot.toolCalls));
    written.push(sessionScope(of));
  }
  if (event.name === "session.start" && isPruneDue(db, now)) {
    effects.jobs.push(addJob(db, PRUNE, null, world.env, now));
  }
  noteSession(db, of, snapshot, { at: now, via: input.via });
  if (effects.flags !== snapshot.flags && JSON.stringify(effects.flags) !== JSON.stringify(snapshot.flags)) {
    saveFlags(db, of, effects.flags);
    written.push(sessionScope(of));
  }
  noteStoppedCall(db, of, event, judgement.ruling.outcome, now, written);
  useGrant(db, of, judgement.grant, judgement.ruling, written);
  for (const scope of new Set(written)) bumpRevision(db, scope);
  const noted = judgement.results.filter((result) => isWorthNoting(result, settleErrors));
  const entry: JournalEntry = {
    at: now,
    agent: event.agent,
    session: event.session,
    agentId: event.agentId,
    project: of.project,
    event: event.name,
    agentEvent: event.agentEvent,
    tool: tool?.name ?? "",
    toolUseId,
    ruling: judgement.ruling.outcome,
    policy: judgement.ruling.policy,
    reason: maskText(judgement.ruling.reason),
    microseconds: input.microseconds,
    body: recordedBody(event, input.body),
    verdicts: verdictsText(judgement, noted, settleErrors),
    silent: silentText(judgement, noted),
    facts: recordedFacts(world),
    reply: input.reply,
  };
  const id = append(db, input.key, entry, input.body);
  markDelivered(db, judgement.delivered, id);
  // Whoever was to do them may have been killed; this is the first to come by since.
  effects.jobs.push(...abandonedJobs(db, now, { isGone }));
  return { kind: "written", jobs: effects.jobs, hasExports: effects.hasExports || hasOpenExports(db) };
}

/** What an agent was given in full is no longer before it once its context begins anew or was summarised. */
function keepGiven({ db, world, of, judgement }: CommitInput, onWrite: () => void): void {
  const { name } = world.event;
  const isNewContext = name === "session.start" || name === "compact.after";
  if (judgement.given === undefined && !isNewContext) return;
  const given = openTable(db, sessionScope(of), GIVEN, onWrite);
  if (judgement.given !== undefined) given.set(of.agentId, judgement.given as unknown as Json);
  else if (given.get(of.agentId) !== undefined) given.delete(of.agentId);
}

/** Of who said nothing, in no time, it is enough to know that. */
function isWorthNoting({ id, verdicts, error, microseconds }: PolicyResult, settleErrors: ReadonlyMap<string, string>) {
  return (
    verdicts.length > 0 ||
    error !== undefined ||
    microseconds >= SLOW ||
    (settleErrors.size > 0 && settleErrors.has(id))
  );
}

/** The same policies are mostly silent together. */
const allSilent = new WeakMap<readonly ActivePolicy[], string>();

function silentText({ policies, results }: Judgement, noted: readonly PolicyResult[]): string {
  const known = noted.length === 0 ? allSilent.get(policies) : undefined;
  if (known !== undefined) return known;
  const silent = results.filter((result) => !noted.includes(result));
  const text = silent.map(({ id, stage, mode }) => silentLine(id, stage, mode)).join("");
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

/** Only what a policy says or how it fails can repeat something of the event; the rest is ours. */
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

/** Without those that the row has anyway. */
function recordedFacts(world: World): string {
  const facts = world.facts.without("now", `project:${world.event.cwd}`);
  if (Object.keys(facts).length === 0) return "{}";
  const text = maskedJson(facts);
  return text.length <= LONGEST_FACTS ? text : JSON.stringify({ not_kept: text.length });
}

type Settler = (event: AnyEvent, fate: Fate, ctx: SettledContext, store: never) => void;

interface SettlersAt {
  readonly event: EventName;
  readonly settlers: readonly { readonly active: ActivePolicy; readonly settled: Settler }[];
}

/** Events of one kind have the same list of policies. */
const lists = new WeakMap<readonly ActivePolicy[], SettlersAt>();

function settlersAt(event: EventName, policies: readonly ActivePolicy[]): SettlersAt["settlers"] {
  const known = lists.get(policies);
  if (known?.event === event) return known.settlers;
  const settlers = policies.flatMap((active) => {
    const settled = active.policy.settled?.[event] as Settler | undefined;
    return settled ? [{ active, settled }] : [];
  });
  lists.set(policies, { event, settlers });
  return settlers;
}

/** Each policy writes under a savepoint of its own: one that throws loses only its own writes. */
function settle(input: CommitInput, now: number, effects: Effects): Map<string, string> {
  const { db, world, of, judgement } = input;
  const errors = new Map<string, string>();
  const awake = new Awake();
  // Most policies that could write do not.
  let hasSavepoint = false;
  const onWrite = (scope?: string): void => {
    if (!hasSavepoint) db.exec("SAVEPOINT policy");
    hasSavepoint = true;
    awake.forget();
    if (scope !== undefined) effects.written.push(scope);
  };
  const stores = new Map<unknown, never>();
  const storeOf = ({ uses }: Policy): never => {
    const store = stores.get(uses) ?? openStore(uses, db, of, onWrite);
    stores.set(uses, store);
    return store;
  };
  const contextOf = (active: ActivePolicy): Settled => new Settled(input, active, now, onWrite, effects);
  const settlers = world.event.malformed.length > 0 ? [] : settlersAt(world.event.name, judgement.policies);
  for (const { active, settled } of settlers) {
    const { id, when } = active.policy;
    const { flags, jobs, written, hasExports } = effects;
    const [jobsBefore, writtenBefore] = [jobs.length, written.length];
    try {
      const isAwake =
        when === undefined ||
        (awake.get(when) ?? awake.set(when, when(world.event, contextOf(active), storeOf(active.policy))));
      if (!isAwake) continue;
      const fate = judgement.ruling.fates[id] ?? "silent";
      settled(world.event, fate, contextOf(active), storeOf(active.policy));
      if (hasSavepoint) db.exec("RELEASE policy");
    } catch (error) {
      if (hasSavepoint) db.exec("ROLLBACK TO policy; RELEASE policy");
      jobs.length = jobsBefore;
      written.length = writtenBefore;
      Object.assign(effects, { flags, hasExports });
      // What they remember of the rows may have been undone with them.
      stores.clear();
      awake.forget();
      errors.set(id, describe(error));
    }
    hasSavepoint = false;
  }
  return errors;
}
