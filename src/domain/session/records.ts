import path from "node:path";
import type { AnyEvent, Json } from "../../core/event.ts";
import { isObject } from "../../core/json.ts";
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
export function whoseEvent(event: AnyEvent, env: (name: string) => string | undefined): Identity {
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
export function openSessions(table: Table) {
  const get = (dir: string): SessionState | undefined => {
    const value = table.get(STATE + dir);
    return isObject(value) ? value : undefined;
  };
  /** Every policy of an event asks for the same one, and most agents are in none. */
  const nobody = new Set<string>();
  const at = (mark: string): Found | undefined => {
    if (nobody.has(mark)) return undefined;
    const dir = table.get(mark);
    const state = typeof dir === "string" ? get(dir) : undefined;
    if (state && typeof dir === "string") return { dir, state };
    nobody.add(mark);
    return undefined;
  };
  const unmark = (dir: string, marks: readonly string[]): void => {
    for (const mark of marks) if (table.get(mark) === dir) table.delete(mark);
  };
  return {
    get,
    dirs: (): string[] =>
      table
        .keys()
        .filter((key) => key.startsWith(STATE))
        .map((key) => key.slice(STATE.length)),
    /** The session this agent is in, whatever its lifecycle. */
    find: ({ session, pid }: Identity): Found | undefined =>
      (session === "" ? undefined : at(`agent:${session}`)) ?? (pid === undefined ? undefined : at(`pid:${pid}`)),
    ofPane: (pane: string): Found | undefined => (pane === "" ? undefined : at(`pane:${pane}`)),
    save(dir: string, state: SessionState): void {
      nobody.clear();
      const marks = marksOf(state);
      unmark(
        dir,
        marksOf(get(dir) ?? {}).filter((mark) => !marks.includes(mark)),
      );
      for (const mark of marks) table.set(mark, dir);
      table.set(STATE + dir, state);
    },
    remove(dir: string): void {
      unmark(dir, marksOf(get(dir) ?? {}));
      table.delete(STATE + dir);
    },
    /** Anything else that belongs to the project's sessions: rules, what is broken, counts to put back. */
    other: (key: string): Json | undefined => table.get(`other:${key}`),
    setOther: (key: string, value: Json): void => table.set(`other:${key}`, value),
    deleteOther: (key: string): void => table.delete(`other:${key}`),
  };
}

export type Sessions = ReturnType<typeof openSessions>;

/** What a policy or a command needs to write a session down: the store, and its file for others. */
export interface Keeper {
  mirror(parts: readonly [string, ...string[]], value: Json | undefined): void;
}

export function keep(store: Sessions, keeper: Keeper, dir: string, state: SessionState): void {
  store.save(dir, state);
  keeper.mirror([dir, STATE_FILE], state);
}
