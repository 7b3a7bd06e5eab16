import { countsCalls } from "../core/event.ts";
import type { Frame, Reply } from "../core/frame.ts";
import { microseconds } from "../core/pipeline.ts";
import type { PersonAnswer } from "../core/policy.ts";
import { boardCounts } from "../domain/board/counts.ts";
import { endSwarmInHook } from "../domain/board/end-swarm.ts";
import { appendOnce } from "../state/journal.ts";
import { takeSnapshot } from "../state/sessions.ts";
import { crashPoint } from "../system/crash-point.ts";
import { cachedPorts, openFileCache } from "../system/file-cache.ts";
import { homeAt } from "../system/home.ts";
import { homeFolder } from "../system/user-folders.ts";
import { openConfigCache } from "./config/config-cache.ts";
import { openForeignFormats } from "./config/foreign-formats.ts";
import { prepareDecision } from "./decide/decision.ts";
import { RecentCalls } from "./decide/recent-calls.ts";
import { snapshotMaker } from "./decide/snapshots.ts";
import { type Examination, examineFrame } from "./examine.ts";
import { thisProcess } from "./jobs/job-holder.ts";
import type { EngineOptions } from "./options.ts";
import { openProjectPolicies } from "./project-policies/project-policies.ts";
import { isCoveredBySettings } from "./receive/covered-by-settings.ts";
import { answerOther } from "./receive/other-input.ts";
import { openLock, queueByName } from "./receive/queue.ts";
import {
  isSecondRegistration,
  keyOf,
  PASS_REPLY,
  type PreparedEvent,
  type Received,
  receive,
} from "./receive/receive.ts";
import { tryToExport } from "./record/env-file.ts";
import { writeExports } from "./record/exports.ts";
import { originOf } from "./record/origin-of.ts";
import { type OpenState, stateFile } from "./record/state-file.ts";
import { openTransactions } from "./record/transaction.ts";
import { saidOnce, withWarning, withWarnings } from "./record/warnings.ts";
import { writeEvent } from "./record/write-event.ts";
import { type WaitingClient, waitForAnswer } from "./waiting/wait-for-answer.ts";

export type { EngineOptions };

export interface Engine {
  /** `client`: it can be told to wait longer for a person. */
  decide(frame: Frame, client?: WaitingClient): Promise<Reply>;
  /** The same decision without writing anything: the verdicts of every policy and the answer to the agent. */
  examine(frame: Frame): Promise<Examination>;
  /** True when this process can no longer write to the database, although another process could. */
  isStale(): boolean;
  close(): void;
}

/** How long the decision about a person's answer may take. */
const ANSWER_MS = 4_000;

/** What is known of a decision beside its event. */
interface About {
  readonly started: number;
  /** Set where the client can be kept waiting for a person. */
  readonly waits?: { readonly until: number; readonly owner: string } | undefined;
  readonly answered?: { readonly request: number; readonly answer: PersonAnswer };
}

interface Answer {
  readonly reply: Reply;
  /** The permission request whose answer the client is to wait for, and the agent's process. */
  readonly request?: number | undefined;
  readonly agent?: number;
}

/** One event in, one answer out: receive, decide, record, reply. Daemon, cold client and command line all come here. */
export function createEngine(options: EngineOptions): Engine {
  const { policyWorker, isResident = false } = options;
  const userHome = homeFolder();
  const cached = isResident ? openFileCache() : undefined;
  const ports = cached ? cachedPorts(options.ports, cached) : options.ports;
  const home = homeAt(options.home, userHome, ports.realPath);
  const config = openConfigCache(home, options.build, options.compileConfig, options.readOnly, cached);
  const formats = openForeignFormats(home, options, options.readOnly);
  const projectPolicies = openProjectPolicies(home, policyWorker, cached);
  const recentCalls = new RecentCalls();
  const lock = openLock();
  const inSession = queueByName();
  const state = stateFile(options.databaseFile ?? home.database, options.busyMs, isResident, cached);
  const { onLocked } = options;
  const transactions = openTransactions({ homeRoot: home.root, ports, lock, onLocked, onFailure: state.failed });
  const context = {
    home,
    ports,
    formats,
    config,
    projectPolicies,
    recentCalls,
    lock,
    cached,
    isResident,
    policyWorker,
    boardOf: boardCounts,
    endBoard: endSwarmInHook,
  };
  const sources = { ...context, loadPatterns: options.loadPatterns };

  async function decide(bytes: Frame, client?: WaitingClient): Promise<Reply> {
    const started = microseconds();
    const received = receive(bytes, home.root, ports, userHome);
    const { frame, prepared } = received;
    if (frame.home !== home.root) throw new Error(`this frame is for ${frame.home}`);
    if (received.switchedOff !== "") return PASS_REPLY;
    if (prepared.kind === "answered") return prepared.reply;
    if (prepared.kind === "other") return recordOther(prepared, frame);
    if (await isCoveredBySettings(prepared, frame, ports, config)) return PASS_REPLY;
    const until = ports.now() + prepared.args.waitMs;
    const waits = client && prepared.args.waitMs > 0 ? { until, owner: thisProcess().name } : undefined;
    const inTurn = (about: Received, more: About): Promise<Answer> =>
      inSession(`${prepared.event.agent}:${prepared.event.session}`, () => {
        const { deadline } = about.frame;
        if (options.dropsLate && ports.now() > deadline) throw new Error("nobody waits for the answer any more");
        return state.use(deadline, (opened) => decideEvent(prepared, about, opened, more));
      });
    const { reply, request, agent = 0 } = await inTurn(received, { started, waits });
    if (request === undefined || !client) return reply;
    const answer = await waitForAnswer({ request, client, until, agent }, state, ports);
    if (!answer) return reply;
    // The same event is decided once more, now that the person has answered.
    const again = { ...received, frame: { ...frame, deadline: ports.now() + ANSWER_MS } };
    return (await inTurn(again, { started: microseconds(), answered: { request, answer } })).reply;
  }

  async function decideEvent(
    prepared: PreparedEvent,
    { frame, notice }: Received,
    { db, unrecorded, replaced }: OpenState,
    { started, waits, answered }: About,
  ): Promise<Answer> {
    const { event, args, adapter } = prepared;
    const decision = await prepareDecision(sources, prepared, frame, db, notice, undefined, answered?.answer);
    const key = keyOf(event, frame, args, answered?.request);
    const makeSnapshot = snapshotMaker(home, key, decision.remaining);
    const result = await transactions.decideAndCommit(db, decision.tries, frame.deadline, async () => {
      const snapshot = takeSnapshot(db, decision.ref, countsCalls(event));
      if (isSecondRegistration(event, args, snapshot.via)) return undefined;
      crashPoint(home.root, "after-read");
      const decided = await decision.decideOn(snapshot, makeSnapshot);
      const elapsed = microseconds() - started;
      const origin = originOf(frame, notice, decision.config, context);
      const waiting = { waits, answered: answered?.request };
      const about = { db, ref: decision.ref, key, body: frame.body, via: args.via, snapshot, origin, ...waiting };
      return { decided, write: () => writeEvent({ ...about, ...decided, microseconds: elapsed }) };
    });
    if (!result) return { reply: PASS_REPLY };
    const { decided, committed } = result;
    const answer = { ruling: decided.judgement.ruling, reply: decided.reply };
    if (typeof committed === "string")
      return { reply: withWarnings(prepared, frame, ports.uid, answer, committed, []) };
    if (committed.kind === "known") {
      return { reply: adapter.inForm?.(event, committed.reply, args.reply) ?? committed.reply };
    }
    if (isResident) recentCalls.add(event);
    if (committed.jobs.length > 0) options.onJobs(committed.jobs);
    // Files that others read are written after the commit and before the answer.
    const unset = tryToExport(frame.env.CLAUDE_ENV_FILE, answer.ruling.environment);
    const unwritten = committed.hasExports && !options.readOnly ? await writeExports(db, lock, ports.uid) : "";
    const warnings = [replaced, unset, unwritten, committed.problem ?? ""];
    const reply = withWarnings(prepared, frame, ports.uid, answer, unrecorded, warnings);
    return { reply, request: committed.request, agent: decided.world.actor.pid };
  }

  /** Input that is no event, and events of an unknown name: no policy sees them, and they are journalled. */
  async function recordOther(input: Extract<Received["prepared"], { kind: "other" }>, frame: Frame): Promise<Reply> {
    const { reply, entry } = await answerOther(input, frame, config, ports);
    return state.use(frame.deadline, async ({ db, unrecorded, replaced }) => {
      const write = () => {
        appendOnce(db, frame.nonce, entry, frame.body);
        return { kind: "written", jobs: [], hasExports: false } as const;
      };
      const committed = await transactions.commit(db, write, frame.deadline);
      const recipient = { frame, session: entry.session, isShown: false };
      const news = saidOnce(typeof committed === "string" ? committed : unrecorded, ports.uid, recipient);
      return withWarning(reply, `${replaced}${news}`);
    });
  }

  function close(): void {
    projectPolicies.close();
    state.close();
  }

  const examine = (frame: Frame) => examineFrame(frame, sources, state, userHome);
  return { decide, examine, isStale: state.isStale, close };
}
