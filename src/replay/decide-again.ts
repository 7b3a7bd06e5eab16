import { countsCalls } from "../core/event.ts";
import { Facts } from "../core/facts.ts";
import type { Frame, Reply } from "../core/frame.ts";
import type { PolicyResult } from "../core/pipeline.ts";
import type { Ruling } from "../core/ruling.ts";
import type { Config } from "../core/settings/config.ts";
import type { ConfigCache } from "../engine/config/config-cache.ts";
import { type DecisionSources, prepareDecision } from "../engine/decide/decision.ts";
import { RecentCalls } from "../engine/decide/recent-calls.ts";
import type { SnapshotMaker } from "../engine/decide/snapshots.ts";
import { PASS_REPLY, type PreparedEvent, prepare } from "../engine/receive/receive.ts";
import { writeEvent } from "../engine/record/write-event.ts";
import { append, maskedReply } from "../state/journal.ts";
import { MASK } from "../state/masking.ts";
import type { Origin } from "../state/origins.ts";
import { isWhole } from "../state/recorded-body.ts";
import { ensureSession, takeSnapshot } from "../state/sessions.ts";
import { type SessionRef, sessionScope } from "../state/stores.ts";
import { homeAt } from "../system/home.ts";
import { closedPorts } from "./closed-ports.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import type { ScratchState } from "./scratch-state.ts";

/** Why an event cannot be decided again, whatever the configuration. */
export const NOT_REPLAYABLE = {
  content: "their content was not kept",
  secret: "a secret in them was masked",
  origin: "an older build recorded them",
  unreadable: "they can no longer be read",
} as const;
export type NotReplayable = keyof typeof NOT_REPLAYABLE;

export type DecidedAgain =
  | { readonly kind: "not-replayable"; readonly why: NotReplayable }
  /** The decision would need what was not recorded: facts, or state that something else has changed. */
  | { readonly kind: "undecidable"; readonly missing: readonly string[] }
  | {
      readonly kind: "decided";
      readonly ruling: Ruling;
      readonly reply: Reply;
      readonly results: readonly PolicyResult[];
      readonly config: Config;
    };

/** What is the same for all events of a replay. */
export type ReplaySources = Omit<
  DecisionSources,
  "home" | "ports" | "policyWorker" | "isResident" | "recentCalls" | "config"
> & {
  /** The configuration to decide an event with. */
  configFor(recorded: RecordedEvent): ConfigCache;
  /** The profiles that take the place of those of the registrations. */
  readonly profiles: readonly string[];
};

/** Nobody waits for the answer. */
const BUDGET_MS = 60_000;
const ALL = ["session", "project", "home"] as const;

/** Decides one recorded event in `state`, and writes there what it would have written. */
export async function decideAgain(
  recorded: RecordedEvent,
  state: ScratchState,
  sources: ReplaySources,
): Promise<DecidedAgain> {
  const { grounds, origin } = recorded;
  const ref: SessionRef = recorded;
  if (!recorded.assumesUsual) {
    if (grounds) state.meet(ref, grounds.revision, grounds.isFirst === true);
    else state.lose(ref, ALL);
  }
  const prepared = preparedEvent(recorded, sources.profiles);
  if (typeof prepared === "string" || origin === undefined) {
    passBy(recorded, state);
    return { kind: "not-replayable", why: typeof prepared === "string" ? prepared : "origin" };
  }
  // Notes that wait, calls that were counted: everything that is decided in a session depends on its state.
  const scope = sessionScope(ref);
  if (state.isLost(scope)) {
    passBy(recorded, state);
    return { kind: "undecidable", missing: [`state:${scope}`] };
  }
  const missing = new Set<string>();
  const onMissing = (name: string): void => void missing.add(name);
  const facts = factsOf(recorded);
  state.watch(onMissing, facts);
  try {
    return await decide(prepared, { recorded, ref, origin, facts, missing, onMissing }, state, sources);
  } finally {
    state.unwatch();
  }
}

interface Again {
  readonly recorded: RecordedEvent;
  readonly ref: SessionRef;
  readonly origin: Origin;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly missing: ReadonlySet<string>;
  onMissing(name: string): void;
}

async function decide(
  { event: prepared, frame }: { readonly event: PreparedEvent; readonly frame: Frame },
  { recorded, ref, origin, facts: values, missing, onMissing }: Again,
  state: ScratchState,
  sources: ReplaySources,
): Promise<DecidedAgain> {
  const { grounds, at } = recorded;
  const ports = closedPorts(at, origin, onMissing);
  const { absent = [], usual = [] } = grounds ?? {};
  const facts = new Facts({ values, absent, usual, assumesUsual: recorded.assumesUsual === true, onMissing });
  const all: DecisionSources = {
    ...sources,
    config: sources.configFor(recorded),
    ports,
    home: { ...homeAt(origin.home, origin.userHome), config: origin.personConfig },
    policyWorker: `${origin.programs}/outside-worker.cjs`,
    isResident: origin.isResident,
    recentCalls: new RecentCalls(),
  };
  const decision = await prepareDecision(all, prepared, frame, state, origin.notice, facts);
  const snapshot = takeSnapshot(state, ref, countsCalls(prepared.event));
  const { judgement, world, reply } = await decision.decideOn(snapshot, snapshotsAsRecorded);
  const isDecided = missing.size === 0;
  const written = state.transaction(() =>
    writeEvent({
      db: state,
      world,
      ref,
      key: recorded.key,
      body: Buffer.alloc(0),
      via: prepared.args.via,
      snapshot,
      judgement,
      reply,
      microseconds: 0,
    }),
  );
  // The same event twice: a retry that was recorded as one of its own has the answer of the first.
  if (written?.value.kind !== "written") return { kind: "not-replayable", why: "unreadable" };
  const wroteNow = changedScopes(snapshot.revision, takeSnapshot(state, ref, false).revision);
  state.leave(ref, grounds?.wrote ?? []);
  const failure = recorded.results.find(
    ({ policy, error }) =>
      error !== undefined && !judgement.results.some((one) => one.id === policy && one.error === error),
  );
  if (failure) onMissing(`failure of ${failure.policy}`);
  if (missing.size > 0 && !recorded.assumesUsual)
    state.lose(ref, [...new Set([...(grounds?.wrote ?? []), ...wroteNow, ...(isDecided ? ALL : [])])]);
  if (!isDecided || failure) return { kind: "undecidable", missing: [...missing] };
  const { ruling, results } = judgement;
  return { kind: "decided", ruling, results, reply: maskedReply(reply), config: decision.config };
}

/** The frame and the event that the client sent then. */
function preparedEvent(
  { body, origin, agentEvent, key, at, grounds }: RecordedEvent,
  profiles: readonly string[],
): { readonly event: PreparedEvent; readonly frame: Frame } | NotReplayable {
  if (!isWhole(body) || body.includes('"not_kept":')) return "content";
  if (body.includes(MASK)) return "secret";
  if (origin === undefined) return "origin";
  const frame: Frame = {
    nonce: key,
    build: origin.build,
    home: origin.home,
    deadline: at + BUDGET_MS,
    cwd: "/",
    ppid: grounds?.pid ?? 0,
    cut: "",
    args: profiles.length === 0 ? origin.args : [...withoutProfiles(origin.args), "--profile", profiles.join(",")],
    env: origin.env,
    body: Buffer.from(body),
  };
  const prepared = prepare(frame);
  return prepared.kind === "event" && prepared.event.agentEvent === agentEvent
    ? { event: prepared, frame }
    : "unreadable";
}

function withoutProfiles(args: readonly string[]): string[] {
  return args.filter(
    (word, index) => word !== "--profile" && args[index - 1] !== "--profile" && !/^--profile=/.test(word),
  );
}

/** The facts, with those that are stored as columns. A masked one is not known. */
function factsOf({ facts, at, project, body }: RecordedEvent): Record<string, unknown> {
  const known = Object.entries(facts ?? {}).filter(([, value]) => !JSON.stringify(value).includes(MASK));
  const { cwd } = JSON.parse(body) as { readonly cwd?: unknown };
  return { ...Object.fromEntries(known), now: at, [`project:${String(cwd)}`]: project };
}

/** A snapshot that was made then is a fact; another one cannot be made any more. */
const snapshotsAsRecorded: SnapshotMaker = (_request, _what, world) =>
  world.facts.readLater("snapshot", () => Promise.reject(new Error("no snapshot was made")));

/** An event that cannot be decided still took place, and what it changed is not known. */
function passBy(recorded: RecordedEvent, state: ScratchState): void {
  const { grounds, origin: _origin, ...entry } = recorded;
  state.transaction(() => {
    append(state, recorded.key, {
      ...entry,
      microseconds: 0,
      body: "{}",
      verdicts: "[]",
      facts: "{}",
      grounds: "",
      reply: PASS_REPLY,
    });
    ensureSession(state, recorded, recorded.at);
  });
  state.leave(recorded, grounds?.wrote ?? []);
  state.lose(recorded, grounds?.wrote ?? ALL);
}

function changedScopes(before: string, after: string): (typeof ALL)[number][] {
  const [old, now] = [before.split("."), after.split(".")];
  return ALL.filter((_, index) => old[index] !== now[index]);
}
