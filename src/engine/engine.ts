import { projectRoot } from "../core/actor.ts";
import { countsCalls } from "../core/event.ts";
import { Facts } from "../core/facts.ts";
import type { Frame, Reply } from "../core/frame.ts";
import type { Ports } from "../core/ports.ts";
import type { Database } from "../state/database.ts";
import { isCorrupt } from "../state/driver.ts";
import { mirrorOf } from "../state/exported-files.ts";
import { appendOnce, hasGuarded } from "../state/journal.ts";
import { type Snapshot, type SnapshotOf, sessionPart, takeSnapshot } from "../state/sessions.ts";
import { crashPoint } from "../system/crash-point.ts";
import { homeAt } from "../system/home.ts";
import { microseconds } from "../system/stopwatch.ts";
import { homeFolder } from "../system/user-folders.ts";
import type { Chunks } from "./chunks.ts";
import { openConfigCache } from "./config/config-cache.ts";
import { openForeignFormats } from "./config/foreign-formats.ts";
import { policiesOf } from "./decide/active-policies.ts";
import { type World, worldOf } from "./decide/context.ts";
import { judge } from "./decide/judge.ts";
import { RecentCalls } from "./decide/recent-calls.ts";
import { type Keeper, keeperFor } from "./decide/snapshots.ts";
import type { Examination } from "./examination.ts";
import { looksOf } from "./looks.ts";
import { openOutside } from "./project-policies/project-policies.ts";
import { isCoveredBySettings } from "./receive/covered-by-settings.ts";
import { killSwitch } from "./receive/kill-switch.ts";
import { answerOther } from "./receive/not-an-event.ts";
import { isSecondRegistration, keyOf, PASS_REPLY, type Prepared, prepare } from "./receive/prepare.ts";
import { inTurns, oneAtATime } from "./receive/queue.ts";
import { trustedFrame } from "./receive/trusted-frame.ts";
import { type Committed, writeEvent } from "./record/commit.ts";
import { tryToExport } from "./record/env-file.ts";
import { bringUpToDate } from "./record/exports.ts";
import { notRecorded, type OpenState, stateFile, type WhenLocked } from "./record/state-file.ts";
import { syncStores } from "./record/sync-stores.ts";
import { isShownToPerson, onceTold, withWarning, withWarnings } from "./record/warnings.ts";

/** The answer leaves this long before the deadline, so that it still arrives. */
const MARGIN_MS = 300;
const TRIES = 3;
/** Where every event of a session writes, a second try without the lock would mostly be lost too. */
const TRIES_WHEN_BUSY = 2;

export interface EngineOptions extends Chunks, WhenLocked {
  readonly home: string;
  readonly build: string;
  readonly ports: Ports;
  /** The file that a worker for a project's own policies is started from. */
  readonly policyWorker: string;
  /** How long one try for the write lock may block; the daemon tries again without blocking others. */
  busyMs(deadline: number): number;
  /** An event whose turn comes after its deadline is left to the client, which has decided by itself by then. */
  readonly dropsLate?: boolean;
  /** Told the ids of jobs that an event has left behind, once they are committed. */
  onJobs(ids: readonly number[]): void;
  /** Where the state lies instead of in the home: a copy, so that a look leaves no trace on the original. */
  readonly databaseFile?: string;
  /** Keeps nothing on disk beside the state: no cache of the configuration. */
  readonly readOnly?: boolean;
  /** Set in the daemon, which can do work that a hook cannot wait for. */
  readonly isResident?: boolean;
}

export interface Engine {
  decide(frame: Frame): Promise<Reply>;
  /** The same decision without writing anything: what every policy says, and what is answered to the agent. */
  examine(frame: Frame): Promise<Examination>;
  /** Can it no longer record what another process could? */
  isStale(): boolean;
  close(): void;
}

type PreparedEvent = Extract<Prepared, { kind: "event" }>;

/** One event in, one answer out. Daemon, cold client and command line all come through here. */
export function createEngine(options: EngineOptions): Engine {
  const { dropsLate, loadPatterns, busyMs, isResident = false } = options;
  const userHome = homeFolder();
  const { glance, folders, quiet, ports } = looksOf(options.ports, isResident);
  const home = homeAt(options.home, userHome, ports.realPath);
  const config = openConfigCache(home, options.build, options.compileConfig, options.readOnly, folders);
  const formats = openForeignFormats(home, options, options.readOnly);
  const surroundings = { ports, formats, isResident, policyWorker: options.policyWorker };
  const outside = openOutside(home, options.policyWorker, glance, folders);
  const guarded = new RecentCalls();
  const offBy = killSwitch(home.root, glance, folders);
  const inTurn = inTurns();
  const lock = oneAtATime();
  const stateOf = stateFile(options.databaseFile ?? home.database, busyMs, isResident, glance, folders, home.database);

  async function decide(received: Frame): Promise<Reply> {
    const started = microseconds();
    const { frame, notice } = trustedFrame(received, ports, userHome);
    if (frame.home !== home.root) throw new Error(`this frame is for ${frame.home}`);
    if (offBy(frame.env) !== "") return PASS_REPLY;
    const prepared = prepare(frame);
    switch (prepared.kind) {
      case "answered":
        return prepared.reply;
      case "event": {
        if (prepared.args.isSupplement && (await isCoveredBySettings(prepared, frame, ports, config)))
          return PASS_REPLY;
        return inTurn(`${prepared.event.agent}:${prepared.event.session}`, () => {
          if (dropsLate && ports.now() > frame.deadline) throw new Error("nobody waits for the answer any more");
          return stateOf.use(frame.deadline, (state) => decideEvent(prepared, frame, state, started, notice));
        });
      }
      case "other": {
        const { reply, entry } = answerOther(prepared, frame, await profilesOf(prepared, frame), ports);
        return stateOf.use(frame.deadline, async ({ db, unrecorded, replaced }) => {
          const write = (): Committed => {
            appendOnce(db, frame.nonce, entry, frame.body);
            return { kind: "written", jobs: [], hasExports: false };
          };
          const committed = await commit(db, write, frame.deadline);
          const listener = { frame, session: entry.session, isShown: false };
          const news = onceTold(typeof committed === "string" ? committed : unrecorded, ports.uid, listener);
          return withWarning(reply, `${replaced}${news}`);
        });
      }
    }
  }

  async function profilesOf(prepared: Exclude<Prepared, { kind: "answered" }>, frame: Frame) {
    return prepared.args.profiles ?? (await config.load(frame.cwd, projectRoot(frame.cwd, ports))).profiles;
  }

  async function decideEvent(
    prepared: PreparedEvent,
    frame: Frame,
    state: OpenState,
    started: number,
    notice: string,
  ): Promise<Reply> {
    const { db, unrecorded, replaced } = state;
    const { event } = prepared;
    const decision = await startDecision(prepared, frame, db, notice);
    const key = keyOf(prepared.event, frame, prepared.args);
    const keep = keeperFor(home, key, decision.remaining);
    for (let attempt = 1; ; attempt = Math.min(attempt + 1, decision.tries)) {
      const unlock = attempt === decision.tries ? await beginLast(db) : undefined;
      try {
        const snapshot = takeSnapshot(db, decision.of, countsCalls(prepared.event));
        if (isSecondRegistration(prepared.event, prepared.args, snapshot.via)) {
          if (unlock) db.exec("ROLLBACK");
          return PASS_REPLY;
        }
        crashPoint(home.root, "after-read");
        const { judgement, world, reply } = await decision.deliberate(snapshot, keep);
        const elapsed = microseconds() - started;
        const write = (): Committed => {
          const about = { db, world, of: decision.of, key, body: frame.body, via: prepared.args.via, snapshot };
          const result = writeEvent({ ...about, judgement, reply, microseconds: elapsed });
          crashPoint(home.root, "before-commit");
          return result;
        };
        const committed = unlock ? finish(db, write) : await commit(db, write, frame.deadline);
        crashPoint(home.root, "after-commit");
        const warned = (why: string, ...others: string[]): Reply => {
          const listener = { frame, session: event.session, isShown: isShownToPerson(event) };
          return withWarnings(prepared, judgement.ruling, reply, [onceTold(why, ports.uid, listener), ...others]);
        };
        if (typeof committed === "string") return warned(committed);
        if (committed.kind === "known") return prepared.adapter.inForm(event, committed.reply, prepared.args.reply);
        if (committed.kind === "changed") continue;
        guarded.add(event);
        // What follows takes the lock itself.
        unlock?.();
        if (committed.jobs.length > 0) options.onJobs(committed.jobs);
        // After the commit and before the answer, as with every file that others read.
        const failure = tryToExport(frame.env.CLAUDE_ENV_FILE, judgement.ruling.environment);
        return warned(
          unrecorded,
          replaced,
          failure,
          committed.hasExports ? await bringUpToDate(db, lock, ports.uid) : "",
        );
      } catch (error) {
        if (unlock) db.rollBack();
        throw error;
      } finally {
        unlock?.();
      }
    }
  }

  /** What is the same for every try: the facts read so far, the configuration and the policies. */
  async function startDecision({ event, args, adapter }: PreparedEvent, frame: Frame, db: Database, notice: string) {
    const shared = worldOf(event, frame, adapter, home, new Facts(), surroundings);
    const of: SnapshotOf = {
      agent: event.agent,
      session: event.session,
      agentId: event.agentId,
      project: shared.actor.project,
    };
    const current = await glance(`config ${event.cwd}\0${of.project}`, () => config.load(event.cwd, of.project));
    const remaining = (): number => frame.deadline - MARGIN_MS - ports.now();
    const about = { event, project: of.project, config: current, size: frame.body.length, remaining };
    const { policies, policiesBefore, problems: theirs } = await policiesOf(about, args, outside, loadPatterns);
    await syncStores({ db, of, policies, world: shared, lock, glance, quiet });
    const problems = [...current.problems, ...theirs, notice].filter((text) => text !== "");
    const deliberate = async (snapshot: Snapshot, keep: Keeper) => {
      const world: World = {
        ...shared,
        ...sessionPart(snapshot),
        contextPolicy: current.contextPolicy,
        hasGuarded: (useId) => guarded.has(event.session, useId) || hasGuarded(db, event.session, useId),
        mirrorOf: (file) => mirrorOf(db, file),
      };
      const judgement = await judge({
        world,
        policies,
        policiesBefore,
        problems,
        contextBudget: current.contextBudget,
        db,
        of,
        snapshot,
        budget: remaining(),
        keep,
      });
      return { judgement, world, reply: adapter.encode(event, judgement.ruling, args.reply) };
    };
    const tries = policies.some(({ policy }) => policy.uses?.sync) ? TRIES_WHEN_BUSY : TRIES;
    return { of, deliberate, tries, remaining, facts: shared.facts };
  }

  async function examine(received: Frame): Promise<Examination> {
    const { frame, notice } = trustedFrame(received, ports, userHome);
    const prepared = prepare(frame);
    const switchedOff = offBy(frame.env);
    const reply = (given: Reply): Reply => (switchedOff === "" ? given : PASS_REPLY);
    const nothing = { prepared, switchedOff, judgement: undefined, facts: {} };
    if (prepared.kind === "answered") return { ...nothing, reply: reply(prepared.reply) };
    if (prepared.kind === "other")
      return { ...nothing, reply: reply(answerOther(prepared, frame, await profilesOf(prepared, frame), ports).reply) };
    const { db } = stateOf.open(frame.deadline);
    const decision = await startDecision(prepared, frame, db, notice);
    const keep = keeperFor(home, keyOf(prepared.event, frame, prepared.args), decision.remaining, true);
    const said = await decision.deliberate(takeSnapshot(db, decision.of, countsCalls(prepared.event)), keep);
    return { ...nothing, judgement: said.judgement, reply: reply(said.reply), facts: decision.facts.toJSON() };
  }

  /** A sentence instead when the event could not be recorded; the decision stands all the same. */
  async function commit(db: Database, write: () => Committed, deadline: number): Promise<Committed | string> {
    while (true) {
      const unlock = await lock();
      try {
        const done = db.transaction(write);
        if (done) return done.value;
      } catch (error) {
        return unlessCorrupt(error);
      } finally {
        unlock();
      }
      if (ports.now() >= deadline - MARGIN_MS)
        return options.onLocked?.() ?? notRecorded(new Error("the database stayed locked"));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  function finish(db: Database, write: () => Committed): Committed | string {
    try {
      const result = write();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      db.rollBack();
      return unlessCorrupt(error);
    }
  }

  /** What could not be written into a damaged database is written into the one that takes its place. */
  function unlessCorrupt(error: unknown): string {
    if (isCorrupt(error)) throw error;
    stateOf.failed(error);
    return notRecorded(error);
  }

  /** The last try decides while nobody else can write. Without the lock it goes on like the tries before it. */
  async function beginLast(db: Database): Promise<(() => void) | undefined> {
    const unlock = await lock();
    if (db.begin()) return unlock;
    unlock();
    return undefined;
  }

  function close(): void {
    outside.close();
    stateOf.close();
  }

  return { decide, examine, isStale: stateOf.isStale, close };
}
