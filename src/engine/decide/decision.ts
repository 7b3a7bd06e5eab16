import type { Facts } from "../../core/facts.ts";
import type { Frame, Reply } from "../../core/frame.ts";
import type { PersonAnswer } from "../../core/policy.ts";
import type { Config } from "../../core/settings/config.ts";
import { spendingTable, spentSoFar } from "../../domain/usage/spent-so-far.ts";
import type { Database } from "../../state/database.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { hasGuarded } from "../../state/journal.ts";
import type { Snapshot } from "../../state/sessions.ts";
import type { SessionRef } from "../../state/stores.ts";
import type { CachedRead } from "../../system/file-cache.ts";
import type { Home } from "../../system/home.ts";
import type { PatternLoader } from "../chunks.ts";
import type { ConfigCache } from "../config/config-cache.ts";
import type { ProjectPolicies } from "../project-policies/project-policies.ts";
import type { Lock } from "../receive/queue.ts";
import type { PreparedEvent } from "../receive/receive.ts";
import { policiesOf } from "./active-policies.ts";
import { type Judgement, judge } from "./judge.ts";
import type { RecentCalls } from "./recent-calls.ts";
import type { SnapshotMaker } from "./snapshots.ts";
import { syncStores } from "./sync-stores.ts";
import { ANSWER, surroundingsOf, type World, type WorldSources } from "./world.ts";

/** The answer leaves this long before the deadline, so that it still arrives. */
export const MARGIN_MS = 300;
const TRIES = 3;
/** Where every event of a session writes, a second try without the write lock would mostly be lost too. */
const TRIES_WHEN_BUSY = 2;

/** What decisions are made with, opened once for the life of an engine. */
export interface DecisionSources extends WorldSources {
  readonly home: Home;
  readonly config: ConfigCache;
  readonly projectPolicies: ProjectPolicies;
  readonly loadPatterns: PatternLoader;
  readonly recentCalls: RecentCalls;
  readonly lock: Lock;
  readonly cached: CachedRead | undefined;
}

export interface Decided {
  readonly judgement: Judgement;
  readonly world: World;
  readonly reply: Reply;
}

/** The decision about one event. It may be made several times, each time on another snapshot of the database. */
export interface Decision {
  readonly ref: SessionRef;
  readonly facts: Facts;
  readonly config: Config;
  /** How often it may be made; the last time while nobody else can write. */
  readonly tries: number;
  /** Milliseconds that are left to decide. */
  remaining(): number;
  decideOn(snapshot: Snapshot, makeSnapshot: SnapshotMaker): Promise<Decided>;
}

/** Loads what is the same for every try: the configuration, the policies and the facts read so far. */
export async function prepareDecision(
  sources: DecisionSources,
  { event, args, adapter }: PreparedEvent,
  frame: Frame,
  db: Database,
  notice: string,
  facts?: Facts,
  answer?: PersonAnswer,
): Promise<Decision> {
  const { config, projectPolicies, loadPatterns, recentCalls, lock, cached, ports } = sources;
  const surroundings = surroundingsOf(event, frame, adapter, sources.home, sources, facts);
  if (answer) surroundings.facts.read(ANSWER, () => answer);
  const { project } = surroundings.actor;
  const ref: SessionRef = { agent: event.agent, session: event.session, agentId: event.agentId, project };
  const current = await config.load(event.cwd, project);
  const remaining = (): number => frame.deadline - MARGIN_MS - ports.now();
  const question = { event, project, config: current, env: frame.env, size: frame.body.length, remaining };
  const { policies, policiesBefore, problems } = await policiesOf(question, args, projectPolicies, loadPatterns);
  // Given facts were recorded, and so was what files had brought into the state.
  if (!facts) await syncStores({ db, ref, policies, world: surroundings, lock, cached });
  return {
    ref,
    facts: surroundings.facts,
    config: current,
    tries: policies.some(({ policy }) => policy.uses?.sync) ? TRIES_WHEN_BUSY : TRIES,
    remaining,
    async decideOn(snapshot, makeSnapshot) {
      const world: World = {
        ...surroundings,
        flags: snapshot.flags,
        calls: snapshot.calls,
        contextPolicy: current.contextPolicy,
        hasGuarded: (useId) => recentCalls.has(event.session, useId) || hasGuarded(db, event.session, useId),
        mirrorOf: (file) => mirrorOf(db, file),
        spentBy: (session) => spentSoFar(spendingTable(db, ref.project), session, ports.now()),
      };
      const judgement = await judge({
        world,
        policies,
        policiesBefore,
        problems: [...current.problems, ...problems, notice].filter((text) => text !== ""),
        contextBudget: current.contextBudget,
        db,
        ref,
        snapshot,
        budget: remaining(),
        makeSnapshot,
      });
      return { judgement, world, reply: adapter.encode(event, judgement.ruling, args.reply) };
    },
  };
}
