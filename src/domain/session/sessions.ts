import path from "node:path";
import type { AnyEvent, Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { When } from "../../core/policy.ts";
import type { Table } from "../../core/store.ts";
import { pidOf, SESSION_STATE_FILE, type SessionState, textIn } from "./state.ts";

/** What identifies an agent: its session id, the process that supervises it, and its tmux pane. */
export interface Identity {
  readonly session: string;
  readonly pid: number | undefined;
  readonly pane: string;
}

export interface FoundSession {
  /** The session's folder, absolute. */
  readonly dir: string;
  readonly state: SessionState;
}

/** Environment variables that identify an agent. */
export const IDENTITY_ENV = ["CLAUDE_SUPERVISOR_PID", "CLAUDE_PID", "TMUX", "TMUX_PANE"];

const known = new WeakMap<AnyEvent, Identity>();

/** The identity behind an event; cached, because every policy of the pack asks for it. */
function identityOfEvent(event: AnyEvent, env: (name: string) => string | undefined): Identity {
  let who = known.get(event);
  if (!who) {
    who = identityOf(event.session, env);
    known.set(event, who);
  }
  return who;
}

export function identityOf(session: string, env: (name: string) => string | undefined): Identity {
  const pid = Number(env("CLAUDE_SUPERVISOR_PID") || env("CLAUDE_PID"));
  const server = env("TMUX")?.split(",")[0] ?? "";
  const pane = env("TMUX_PANE") ?? "";
  return {
    session,
    pid: Number.isInteger(pid) && pid > 0 ? pid : undefined,
    pane: server === "" || pane === "" ? "" : `${server}:${pane}`,
  };
}

export const sessionName = (dir: string): string => path.basename(dir);
export const sessionStateFile = (dir: string): string => path.join(dir, SESSION_STATE_FILE);

export const SESSION_STORE = "session";

const STATE = "state:";

/** The lookup keys of a session: an agent with one of these is in the session. */
function lookupKeysOf(state: SessionState): string[] {
  const marks = [
    ["agent", textIn(state, "sessionId")],
    ["pid", String(pidOf(state) ?? "")],
    ["pane", textIn(state, "tmuxPane")],
  ];
  return marks.filter(([, value]) => value !== "").map(([kind, value]) => `${kind}:${value}`);
}

/** The sessions of one project, with lookup by agent. */
export class Sessions {
  readonly #table: Table;
  /** Keys without a session. Cached, because every policy looks up the same key and most agents are in no session. */
  readonly #nobody = new Set<string>();

  constructor(table: Table) {
    this.#table = table;
  }

  get(dir: string): SessionState | undefined {
    const value = this.#table.get(STATE + dir);
    return isObject(value) ? value : undefined;
  }

  dirs(): string[] {
    const states = this.#table.keys().filter((key) => key.startsWith(STATE));
    return states.map((key) => key.slice(STATE.length));
  }

  /** The session of the event's agent. Fast in the usual case of a project without sessions. */
  of(event: AnyEvent, env: (name: string) => string | undefined): FoundSession | undefined {
    return this.#table.isEmpty() ? undefined : this.find(identityOfEvent(event, env));
  }

  /** The session of this agent, whatever its lifecycle. */
  find({ session, pid }: Identity): FoundSession | undefined {
    const own = session === "" ? undefined : this.#at(`agent:${session}`);
    return own ?? (pid === undefined ? undefined : this.#at(`pid:${pid}`));
  }

  ofPane(pane: string): FoundSession | undefined {
    return pane === "" ? undefined : this.#at(`pane:${pane}`);
  }

  save(dir: string, state: SessionState): void {
    this.#nobody.clear();
    const marks = lookupKeysOf(state);
    const before = lookupKeysOf(this.get(dir) ?? {});
    this.#unmark(
      dir,
      before.filter((mark) => !marks.includes(mark)),
    );
    for (const mark of marks) this.#table.set(mark, dir);
    this.#table.set(STATE + dir, state);
  }

  remove(dir: string): void {
    this.#unmark(dir, lookupKeysOf(this.get(dir) ?? {}));
    this.#table.delete(STATE + dir);
  }

  /** Other data of the project's sessions: rules, broken files, counts to restore. */
  other(key: string): Json | undefined {
    return this.#table.get(`other:${key}`);
  }

  setOther(key: string, value: Json): void {
    this.#table.set(`other:${key}`, value);
  }

  deleteOther(key: string): void {
    this.#table.delete(`other:${key}`);
  }

  #at(mark: string): FoundSession | undefined {
    if (this.#nobody.has(mark)) return undefined;
    const dir = this.#table.get(mark);
    const state = typeof dir === "string" ? this.get(dir) : undefined;
    if (state && typeof dir === "string") return { dir, state };
    this.#nobody.add(mark);
    return undefined;
  }

  #unmark(dir: string, marks: readonly string[]): void {
    for (const mark of marks) if (this.#table.get(mark) === dir) this.#table.delete(mark);
  }
}

/** Is the event's agent in a session? */
export const inSession: When<Sessions> = (event, { env }, store) => store.of(event, env) !== undefined;

/** Exports the session's state to the file that other programs read. */
export interface StateMirror {
  mirror(parts: readonly [string, ...string[]], value: Json | undefined): void;
}

export function saveSession(store: Sessions, keeper: StateMirror, dir: string, state: SessionState): void {
  store.save(dir, state);
  keeper.mirror([dir, SESSION_STATE_FILE], state);
}
