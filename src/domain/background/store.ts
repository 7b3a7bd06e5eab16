import type { AnyEvent, Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { SettledContext } from "../../core/policy.ts";
import { defineStore, type Table } from "../../core/store.ts";
import { tasksAfter } from "./follow-tasks.ts";
import { NO_TASKS, type SessionTasks } from "./session-tasks.ts";

const MOST_SESSIONS = 20;

/** The background tasks of all sessions of one project, because the next session may have to tell of them. */
export class BackgroundTasks {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  of(session: string): SessionTasks {
    const row = this.#table.isEmpty() ? undefined : this.#table.get(session);
    const isWhole = isObject(row) && Array.isArray(row.tasks) && Array.isArray(row.said);
    return isWhole ? (row as unknown as SessionTasks) : NO_TASKS;
  }

  sessions(): readonly string[] {
    return this.#table.isEmpty() ? [] : this.#table.keys();
  }

  save(session: string, state: SessionTasks): void {
    if (session === "") return;
    this.#table.set(session, state as unknown as Json);
    const others = this.sessions().filter((one) => one !== session);
    if (others.length < MOST_SESSIONS) return;
    const age = (one: string): number => Math.max(0, ...this.of(one).tasks.map(({ startedAt }) => startedAt));
    const [oldest] = others.toSorted((a, b) => age(a) - age(b));
    if (oldest !== undefined) this.#table.delete(oldest);
  }

  remove(session: string): void {
    this.#table.delete(session);
  }
}

/** Stores what an event says about the background tasks of its session. Several policies may do so at one event. */
export function followTasks(event: AnyEvent, _fate: unknown, ctx: SettledContext, store: BackgroundTasks): void {
  const before = store.of(event.session);
  const after = tasksAfter(before, event, { outcome: ctx.outcome, now: ctx.now(), pid: ctx.actor.pid });
  if (after !== before) store.save(event.session, after);
}

export const backgroundTasks = defineStore({
  name: "background",
  scope: "project",
  open: (table) => new BackgroundTasks(table),
});
