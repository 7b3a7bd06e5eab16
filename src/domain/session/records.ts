import path from "node:path";
import type { AnyEvent, Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { When } from "../../core/policy.ts";
import type { Table } from "../../core/store.ts";
import { pidOf, type SessionState, STATE_FILE, textIn } from "./state.ts";

/** Who is asking: the agent's session, the process that supervises it and the tmux pane it runs in. */
export interface Identity {
  readonly session: string;
  readonly pid: number | undefined;
  readonly pane: string;
}

export interface Found {
  /** The session's folder, absolute. */
  readonly dir: string;
  readonly state: SessionState;
}

/** The environment that says who somebody is. */
export const IDENTITY_ENV = ["CLAUDE_SUPERVISOR_PID", "CLAUDE_PID", "TMUX", "TMUX_PANE"];

const known = new WeakMap<AnyEvent, Identity>();

/** Whose event it is; asked by every policy of the pack. */
function whoseEvent(event: AnyEvent, env: (name: string) => string | undefined): Identity {
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

export const nameOf = (dir: string): string => path.basename(dir);
export const stateFile = (dir: string): string => path.join(dir, STATE_FILE);

export const SESSION_STORE = "session";

const STATE = "state:";

/** Where sessions can be found by: whoever has one of these is in it. */
function marksOf(state: SessionState): string[] {
  const marks = [
    ["agent", textIn(state, "sessionId")],
    ["pid", String(pidOf(state) ?? "")],
    ["pane", textIn(state, "tmuxPane")],
  ];
  return marks.filter(([, value]) => value !== "").map(([kind, value]) => `${kind}:${value}`);
}

/** The sessions of one project, and which agent is in which. */
export class Sessions {
  readonly #table: Table;
  /** Every policy of an event asks for the same one, and most agents are in none. */
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

  /** The session of whoever this event is about. Most projects have none at all. */
  of(event: AnyEvent, env: (name: string) => string | undefined): Found | undefined {
    return this.#table.isEmpty() ? undefined : this.find(whoseEvent(event, env));
  }

  /** The session this agent is in, whatever its lifecycle. */
  find({ session, pid }: Identity): Found | undefined {
    const own = session === "" ? undefined : this.#at(`agent:${session}`);
    return own ?? (pid === undefined ? undefined : this.#at(`pid:${pid}`));
  }

  ofPane(pane: string): Found | undefined {
    return pane === "" ? undefined : this.#at(`pane:${pane}`);
  }

  save(dir: string, state: SessionState): void {
    this.#nobody.clear();
    const marks = marksOf(state);
    const before = marksOf(this.get(dir) ?? {});
    this.#unmark(
      dir,
      before.filter((mark) => !marks.includes(mark)),
    );
    for (const mark of marks) this.#table.set(mark, dir);
    this.#table.set(STATE + dir, state);
  }

  remove(dir: string): void {
    this.#unmark(dir, marksOf(this.get(dir) ?? {}));
    this.#table.delete(STATE + dir);
  }

  /** Anything else that belongs to the project's sessions: rules, what is broken, counts to put back. */
  other(key: string): Json | undefined {
    return this.#table.get(`other:${key}`);
  }

  setOther(key: string, value: Json): void {
    this.#table.set(`other:${key}`, value);
  }

  deleteOther(key: string): void {
    this.#table.delete(`other:${key}`);
  }

  #at(mark: string): Found | undefined {
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

/** Is whoever this event is about in a session? */
export const inSession: When<Sessions> = (event, { env }, store) => store.of(event, env) !== undefined;

/** What a policy or a command needs to write a session down: the store, and its file for others. */
export interface Keeper {
  mirror(parts: readonly [string, ...string[]], value: Json | undefined): void;
}

export function keep(store: Sessions, keeper: Keeper, dir: string, state: SessionState): void {
  store.save(dir, state);
  keeper.mirror([dir, STATE_FILE], state);
}
