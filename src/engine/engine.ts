import os from "node:os";
import type { Adapter, Decoded } from "../agents/adapter.ts";
import { claudeCode } from "../agents/claude-code/adapter.ts";
import { projectRoot } from "../core/actor.ts";
import type { Config } from "../core/config.ts";
import { describe, HookwrightError } from "../core/errors.ts";
import { type AnyEvent, toolOf } from "../core/event.ts";
import { Facts } from "../core/facts.ts";
import { fingerprint } from "../core/fingerprint.ts";
import type { Frame, Reply } from "../core/frame.ts";
import { homeAt } from "../core/home.ts";
import { type HookArguments, parseHookArguments } from "../core/hook-arguments.ts";
import type { Ports } from "../core/ports.ts";
import { Database } from "../state/database.ts";
import { append, hasGuarded } from "../state/journal.ts";
import { type SnapshotOf, takeSnapshot } from "../state/sessions.ts";
import { type Committed, writeEvent } from "./commit.ts";
import { type ConfigCompiler, openConfigCache } from "./config-cache.ts";
import { type World, worldOf } from "./context.ts";
import { crashPoint } from "./crash-point.ts";
import { activePolicies, type Judgement, judge } from "./judge.ts";

/** The answer leaves this long before the deadline, so that it still arrives. */
const MARGIN_MS = 300;
const TRIES = 3;

export interface EngineOptions {
  readonly home: string;
  readonly build: string;
  readonly ports: Ports;
  readonly compileConfig: ConfigCompiler;
  /** How long one try for the write lock may block; the daemon tries again without blocking others. */
  busyMs(deadline: number): number;
}

export interface Engine {
  decide(frame: Frame): Promise<Reply>;
  close(): void;
}

const ADAPTERS: Readonly<Record<string, Adapter>> = { [claudeCode.id]: claudeCode };
const PASS_REPLY: Reply = { exit: 0, stdout: "", stderr: "" };

/** One event in, one answer out. Daemon, cold client and command line all come through here. */
export function createEngine(options: EngineOptions): Engine {
  const { ports } = options;
  const home = homeAt(options.home, os.homedir());
  const config = openConfigCache(home, options.build, options.compileConfig);
  const sessions = new Map<string, Promise<unknown>>();
  let opened: { db: Database; problem: string } | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  async function decide(frame: Frame): Promise<Reply> {
    const started = performance.now();
    const args = parseHookArguments(frame.args);
    if (typeof args === "string") return usage(args);
    const adapter = ADAPTERS[args.agent];
    if (!adapter) return usage(`the agent \`${args.agent}\` is not known; known: ${Object.keys(ADAPTERS).join(", ")}`);
    if (frame.env.HOOKWRIGHT_DISABLE === "1") return PASS_REPLY;
    const decoded = decodeBody(adapter, frame, args);
    if (decoded.kind === "event") {
      const { event } = decoded;
      return inTurn(`${event.agent}:${event.session}`, () => decideEvent(event, frame, args, adapter, started));
    }
    return decideOther(decoded, frame, args, adapter);
  }

  /** Events of one session are decided one at a time. */
  function inTurn<T>(session: string, work: () => Promise<T>): Promise<T> {
    const before = sessions.get(session) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    sessions.set(session, settled);
    void settled.then(() => sessions.get(session) === settled && sessions.delete(session));
    return mine;
  }

  async function decideEvent(
    event: AnyEvent,
    frame: Frame,
    args: HookArguments,
    adapter: Adapter,
    started: number,
  ): Promise<Reply> {
    const facts = new Facts();
    const { db, problem } = database(frame.deadline);
    const world: World = {
      ...worldOf(event, frame.env, adapter, home, facts, ports),
      hasGuarded: (useId) => hasGuarded(db, event.session, useId),
    };
    const of: SnapshotOf = {
      agent: event.agent,
      session: event.session,
      agentId: event.agentId,
      project: world.actor.project,
    };
    const current = await config.load(event.cwd, of.project);
    const policies = await activePolicies(event, current, args.profiles);
    const key = keyOf(event, frame, args);
    for (let attempt = 1; ; attempt = Math.min(attempt + 1, TRIES)) {
      const unlock = attempt === TRIES ? await beginLast(db) : undefined;
      try {
        const snapshot = takeSnapshot(db, of);
        if (isSecondRegistration(event, args, snapshot.via)) {
          if (unlock) db.exec("ROLLBACK");
          return PASS_REPLY;
        }
        crashPoint(home.root, "after-read");
        const budget = frame.deadline - MARGIN_MS - ports.now();
        const judgement = await judge({ world, policies, problems: current.problems, db, of, snapshot, budget });
        const reply = replyOf(adapter, event, judgement, args, problem);
        const microseconds = Math.round((performance.now() - started) * 1000);
        const input = { db, world, of, key, via: args.via, snapshot, judgement, reply, microseconds };
        const write = (): Committed => {
          const result = writeEvent(input);
          crashPoint(home.root, "before-commit");
          return result;
        };
        const committed = unlock ? finish(db, write) : await commit(db, write, frame.deadline);
        crashPoint(home.root, "after-commit");
        if (typeof committed === "string") return withWarning(reply, committed);
        if (committed.kind === "known") return committed.reply;
        if (committed.kind === "written") return problem === "" ? reply : withWarning(reply, problem);
      } finally {
        unlock?.();
      }
    }
  }

  /** A sentence instead when the event could not be recorded; the decision stands all the same. */
  async function commit(db: Database, write: () => Committed, deadline: number): Promise<Committed | string> {
    while (true) {
      const unlock = await lock();
      try {
        const done = db.transaction(write);
        if (done) return done.value;
      } catch (error) {
        return notRecorded(error);
      } finally {
        unlock();
      }
      if (ports.now() >= deadline - MARGIN_MS) return notRecorded(new Error("the database stayed locked"));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The last try decides while nobody else can write. Without the lock it goes on like the tries before it. */
  async function beginLast(db: Database): Promise<(() => void) | undefined> {
    const unlock = await lock();
    if (db.begin()) return unlock;
    unlock();
    return undefined;
  }

  /** One transaction at a time on this connection. */
  async function lock(): Promise<() => void> {
    const before = writing;
    let release: () => void = () => undefined;
    writing = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  function database(deadline: number): { db: Database; problem: string } {
    if (opened) return opened;
    const busy = options.busyMs(deadline);
    try {
      const db = new Database(home.database, busy);
      opened = { db, problem: "" };
      if (db.recovered) return { db, problem: `${db.recovered.message} ${db.recovered.fix}` };
    } catch (error) {
      // A decision is still due. It is made on empty state, and the person learns that nothing is recorded.
      return { db: new Database(":memory:", busy), problem: notRecorded(error) };
    }
    return opened;
  }

  function decideOther(
    decoded: Exclude<Decoded, { kind: "event" }>,
    frame: Frame,
    args: HookArguments,
    adapter: Adapter,
  ): Promise<Reply> | Reply {
    const now = ports.now();
    const record = (event: string, session: string, cwd: string, reply: Reply, detail: string): Reply => {
      const entry = {
        at: now,
        agent: args.agent,
        session,
        agentId: "",
        project: projectRoot(cwd, ports),
        event,
        agentEvent: args.event,
        tool: "",
        toolUseId: "",
        ruling: reply.stdout === "" ? "pass" : "deny",
        policy: "",
        reason: detail,
        microseconds: 0,
        body: "{}",
        verdicts: "[]",
        facts: "{}",
        reply,
      };
      try {
        database(frame.deadline).db.transaction(() => append(database(frame.deadline).db, frame.nonce, entry));
        return reply;
      } catch (error) {
        return withWarning(reply, notRecorded(error));
      }
    };
    if (decoded.kind === "unknown") return record("unknown", decoded.session, decoded.cwd, PASS_REPLY, "");
    const error = new HookwrightError("HW_STDIN_UNREADABLE", { detail: decoded.detail });
    const text = `${error.message} ${error.fix}`;
    return config.load(frame.cwd, projectRoot(frame.cwd, ports)).then((current: Config) => {
      const isGuarded = adapter.isGuarded(args.event) && (args.profiles ?? current.profiles).includes("safety");
      const reply = isGuarded
        ? adapter.encodeUnreadable(args.event, text, args.reply)
        : { ...PASS_REPLY, stderr: `${text}\n` };
      return record("unreadable", "", frame.cwd, reply, decoded.detail);
    });
  }

  return { decide, close: () => opened?.db.close() };
}

function finish(db: Database, write: () => Committed): Committed | string {
  try {
    const result = write();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    db.exec("ROLLBACK");
    return notRecorded(error);
  }
}

function usage(detail: string): Reply {
  return { exit: 1, stdout: "", stderr: `hookwright hook: ${detail}. Run \`hookwright hook --help\`.\n` };
}

function notRecorded(error: unknown): string {
  return `Hookwright decided, but could not record it: ${describe(error)}.`;
}

function withWarning(reply: Reply, warning: string): Reply {
  return { ...reply, stderr: `${reply.stderr}${warning}\n` };
}

function decodeBody(adapter: Adapter, frame: Frame, args: HookArguments): Decoded {
  if (frame.cut === "too-large") return { kind: "unreadable", detail: "it is larger than 64 MB" };
  const decoded = adapter.decode({ body: frame.body, namedEvent: args.event, cwd: frame.cwd });
  if (decoded.kind === "unreadable" && frame.cut === "timeout") {
    return { kind: "unreadable", detail: "the pipe was not closed in time" };
  }
  return decoded;
}

function replyOf(adapter: Adapter, event: AnyEvent, judgement: Judgement, args: HookArguments, problem: string): Reply {
  const { ruling } = judgement;
  const isMoment = event.name === "session.start" || event.name === "prompt.submit";
  if (problem === "" || !isMoment) return adapter.encode(event, ruling, args.reply);
  return adapter.encode(
    event,
    { ...ruling, notices: [...ruling.notices, { policy: "core/state", text: problem }] },
    args.reply,
  );
}

/**
 * The same call retried gets the ruling it had. Without a call id nothing tells a retry from a repetition but the
 * client's nonce, which a retry keeps.
 */
export function keyOf(event: AnyEvent, frame: Frame, args: HookArguments): string {
  const useId = toolOf(event)?.useId ?? "";
  const who = [event.agent, event.session, event.agentId, event.name, (args.profiles ?? []).join(",")];
  return useId === "" ? fingerprint(...who, frame.nonce) : fingerprint(...who, useId, frame.body);
}

/** Two registrations (person and project) report an event without a call id twice; the first one seen counts. */
function isSecondRegistration(event: AnyEvent, args: HookArguments, firstVia: string): boolean {
  return args.via !== "" && firstVia !== "" && firstVia !== args.via && (toolOf(event)?.useId ?? "") === "";
}
