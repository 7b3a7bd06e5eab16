import { FRESH_ARBITER } from "../core/arbiter.ts";
import { describe, fill } from "../core/errors.ts";
import { type AnyEvent, type Json, toolOf } from "../core/event.ts";
import type { Reply } from "../core/frame.ts";
import type { ActivePolicy, PolicyResult } from "../core/pipeline.ts";
import type { Fate, SettledContext } from "../core/policy.ts";
import { afterEvent, type SessionFlags } from "../core/session-flags.ts";
import type { Database } from "../state/database.ts";
import { addJob, isPruneDue, PRUNE } from "../state/jobs.ts";
import { append, storedReply } from "../state/journal.ts";
import { maskJson, maskText } from "../state/masking.ts";
import { setMirror } from "../state/mirrors.ts";
import { addNote, markDelivered } from "../state/outbox.ts";
import { recordedBody } from "../state/recorded-body.ts";
import {
  bumpRevision,
  countEvent,
  HOME_SCOPE,
  revisionOf,
  type Snapshot,
  type SnapshotOf,
  saveArbiter,
  saveFlags,
  sessionScope,
} from "../state/sessions.ts";
import { openTable } from "../state/stores.ts";
import { declaredEnv, infoOf, pathOf, readMirror, type World } from "./context.ts";
import { type Judgement, openStore, TOLD } from "./judge.ts";

const LONGEST_FACTS = 16_000;

export interface CommitInput {
  readonly db: Database;
  readonly world: World;
  readonly of: SnapshotOf;
  readonly key: string;
  readonly via: string;
  readonly snapshot: Snapshot;
  readonly judgement: Judgement;
  readonly reply: Reply;
  readonly microseconds: number;
}

/** `changed`: somebody else wrote in between, so the decision has to be made again. */
export type Committed =
  | { readonly kind: "written"; readonly jobs: readonly number[] }
  | { readonly kind: "known"; readonly reply: Reply }
  | { readonly kind: "changed" };

/** Called inside the event's transaction; everything in here is synchronous. */
export function writeEvent(input: CommitInput): Committed {
  const { db, world, of, judgement, snapshot } = input;
  const { event } = world;
  const now = world.facts.read("now", () => world.ports.now());
  const known = storedReply(db, input.key, now);
  if (known) return { kind: "known", reply: known };
  if (revisionOf(db, of) !== snapshot.revision) return { kind: "changed" };

  const written = new Set<string>();
  const effects: Effects = { flags: afterEvent(snapshot.flags, event), jobs: [] };
  const settleErrors = settle(input, now, written, effects);
  if (judgement.told.length > 0) {
    const told = openTable(db, sessionScope(of), TOLD, () => written.add(sessionScope(of)));
    for (const sentence of judgement.told) told.set(sentence, true);
  }
  if (judgement.stop) {
    saveArbiter(db, of, judgement.stop.next);
    written.add(sessionScope(of));
  } else if (event.name === "prompt.submit" && event.fromPerson) {
    saveArbiter(db, of, FRESH_ARBITER);
    written.add(sessionScope(of));
  }
  if (event.name === "session.start" && isPruneDue(db, now)) {
    effects.jobs.push(addJob(db, PRUNE, null, world.env, now));
  }
  countEvent(db, of, now, input.via, event.name === "tool.before");
  if (JSON.stringify(effects.flags) !== JSON.stringify(snapshot.flags)) {
    saveFlags(db, of, effects.flags);
    written.add(sessionScope(of));
  }
  for (const scope of written) bumpRevision(db, scope);
  const tool = toolOf(event);
  const id = append(db, input.key, {
    at: now,
    agent: event.agent,
    session: event.session,
    agentId: event.agentId,
    project: of.project,
    event: event.name,
    agentEvent: event.agentEvent,
    tool: tool?.name ?? "",
    toolUseId: tool?.useId ?? "",
    ruling: judgement.ruling.outcome,
    policy: judgement.ruling.policy,
    reason: maskText(judgement.ruling.reason),
    microseconds: input.microseconds,
    body: recordedBody(event),
    verdicts: masked(judgement.results.map((result) => summary(result, judgement, settleErrors))),
    facts: recordedFacts(world),
    reply: maskedReply(input.reply),
  });
  markDelivered(db, judgement.delivered, id);
  return { kind: "written", jobs: effects.jobs };
}

/** What policies caused beyond their stores. */
interface Effects {
  flags: SessionFlags;
  jobs: number[];
}

function summary(result: PolicyResult, judgement: Judgement, settleErrors: ReadonlyMap<string, string>) {
  const settleError = settleErrors.get(result.id);
  return {
    policy: result.id,
    stage: result.stage,
    mode: result.mode,
    fate: judgement.ruling.fates[result.id],
    microseconds: result.microseconds,
    verdicts: result.verdicts.map(({ kind, message, text }) => ({ kind, message, text })),
    ...(result.error === undefined ? {} : { error: result.error }),
    ...(settleError === undefined ? {} : { settleError }),
  };
}

/** Masked before it becomes text: there an escape can hide a secret, and a mask can swallow a quote. */
function masked(value: object): string {
  return JSON.stringify(maskJson(value as Json));
}

/** What a retry gets: the same decision, without the secret that a path or a command in its text may hold. */
function maskedReply({ exit, stdout, stderr }: Reply): Reply {
  const isObject = stdout.startsWith("{");
  return { exit, stdout: isObject ? `${masked(JSON.parse(stdout))}\n` : maskText(stdout), stderr: maskText(stderr) };
}

function recordedFacts(world: World): string {
  const text = masked(world.facts.toJSON());
  return text.length <= LONGEST_FACTS ? text : JSON.stringify({ not_kept: text.length });
}

type Settler = (event: AnyEvent, fate: Fate, ctx: SettledContext, store: never) => void;

/** Each policy writes under a savepoint of its own: one that throws loses only its own writes. */
function settle(input: CommitInput, now: number, written: Set<string>, effects: Effects): Map<string, string> {
  const { db, world, of, judgement } = input;
  const errors = new Map<string, string>();
  for (const active of judgement.policies) {
    const settled = active.policy.settled?.[world.event.name] as Settler | undefined;
    if (!settled || world.event.malformed.length > 0) continue;
    const { id } = active.policy;
    const fate = judgement.ruling.fates[id] ?? "silent";
    const touched = new Set<string>();
    const own: Effects = { flags: effects.flags, jobs: [] };
    db.exec("SAVEPOINT policy");
    try {
      const store = openStore(active, db, of, (scope) => touched.add(scope));
      settled(world.event, fate, settledContext(input, active, now, touched, own), store);
      db.exec("RELEASE policy");
      effects.flags = own.flags;
      effects.jobs.push(...own.jobs);
      for (const scope of touched) written.add(scope);
    } catch (error) {
      db.exec("ROLLBACK TO policy; RELEASE policy");
      errors.set(id, describe(error));
    }
  }
  return errors;
}

function settledContext(
  input: CommitInput,
  active: ActivePolicy,
  now: number,
  touched: Set<string>,
  effects: Effects,
): SettledContext {
  const { db, of, world, judgement } = input;
  const { id, messages } = active.policy;
  return {
    options: active.options,
    actor: world.actor,
    now: () => now,
    env: (name) => declaredEnv(world, active, name),
    info: (file) => infoOf(world, file),
    places: world.places,
    outcome: judgement.ruling.outcome,
    read: (parts, check) => readMirror(world, parts, check),
    said: (message) =>
      judgement.results.find((result) => result.id === id)?.verdicts.find((verdict) => verdict.message === message)
        ?.data,
    later(event, message, data = {}) {
      addNote(db, of, event, id, fill(messages[message] ?? message, data), now);
      touched.add(sessionScope(of));
    },
    job(name, args) {
      effects.jobs.push(addJob(db, name, args, world.env, now));
    },
    mirror(parts, value) {
      setMirror(db, pathOf(parts), value === undefined ? undefined : `${JSON.stringify(value, null, 2)}\n`);
      touched.add(HOME_SCOPE);
    },
    session: {
      cancelHolds() {
        effects.flags = { ...effects.flags, cancelled: true };
      },
      handOver(isOn) {
        const { handingOver: _before, ...others } = effects.flags;
        effects.flags = isOn ? { ...others, handingOver: true } : others;
      },
    },
  };
}
