import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { SkillDraft } from "./draft.ts";
import type { SkillScope } from "./places.ts";

export interface SkillUse {
  readonly uses: number;
  /** Epoch milliseconds; 0 when it was never used. */
  readonly last: number;
}

/** Something that an agent found out and that could become a skill. */
export interface KeptMoment {
  readonly id: string;
  readonly draft: SkillDraft;
  readonly at: number;
  readonly session: string;
  /** How often it came up again. */
  readonly repeats: number;
  /** Was the person told of it? */
  readonly isTold: boolean;
}

/** For so many stops after a suggestion there is no other. */
const REST_STOPS = 5;
const MOST_MOMENTS = 50;
const SESSION_KEPT_MS = 30 * 86_400_000;
const NEVER: SkillUse = { uses: 0, last: 0 };

/**
 * What a project remembers of skills: how often each was used, what every session was told, and what could become a
 * skill. Usage is counted by the id of a skill, so it survives when the file is written again.
 */
export class SkillRecords {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  useOf(scope: SkillScope, id: string): SkillUse {
    const value = this.#object(useKey(scope, id));
    if (!value) return NEVER;
    return { uses: Number(value.uses), last: Number(value.last) };
  }

  countUse(scope: SkillScope, id: string, at: number): void {
    this.setUse(scope, id, { uses: this.useOf(scope, id).uses + 1, last: at });
  }

  setUse(scope: SkillScope, id: string, { uses, last }: SkillUse): void {
    this.#table.set(useKey(scope, id), { uses, last });
  }

  /** Ids of the skills that the session was told. */
  toldIn(session: string): readonly string[] {
    return texts(this.#session(session).told);
  }

  addTold(session: string, ids: readonly string[], at: number): void {
    if (ids.length === 0) return;
    this.#change(session, at, { told: [...new Set([...this.toldIn(session), ...ids])] });
  }

  /** Files of which the person was told that they cannot be used. */
  reportedIn(session: string): readonly string[] {
    return texts(this.#session(session).reported);
  }

  addReported(session: string, files: readonly string[], at: number): void {
    if (files.length === 0) return;
    this.#change(session, at, { reported: [...new Set([...this.reportedIn(session), ...files])] });
  }

  /** How many stops of the session have to pass before the next suggestion. */
  restOf(session: string): number {
    return Number(this.#session(session).rest ?? 0);
  }

  beginRest(session: string, at: number): void {
    this.#change(session, at, { rest: REST_STOPS });
  }

  countStop(session: string, at: number): void {
    const rest = this.restOf(session);
    if (rest > 0) this.#change(session, at, { rest: rest - 1 });
  }

  moment(id: string): KeptMoment | undefined {
    const value = this.#object(MOMENT + id);
    return value && (value as unknown as KeptMoment);
  }

  /** The newest first. */
  moments(): KeptMoment[] {
    const ids = this.#table.keys().flatMap((key) => (key.startsWith(MOMENT) ? [key.slice(MOMENT.length)] : []));
    const all = ids.flatMap((id) => this.moment(id) ?? []);
    return all.sort((one, other) => other.at - one.at || one.id.localeCompare(other.id));
  }

  keepMoment(moment: KeptMoment): void {
    this.#table.set(MOMENT + moment.id, moment as unknown as Json);
    for (const { id } of this.moments().slice(MOST_MOMENTS)) this.#table.delete(MOMENT + id);
  }

  forgetMoment(id: string): void {
    if (this.moment(id)) this.#table.delete(MOMENT + id);
  }

  #session(session: string): JsonObject {
    return this.#object(sessionKey(session)) ?? {};
  }

  #change(session: string, at: number, change: JsonObject): void {
    const before = this.#object(sessionKey(session));
    if (!before) this.#forgetOldSessions(at);
    this.#table.set(sessionKey(session), { ...before, ...change, at });
  }

  #forgetOldSessions(now: number): void {
    for (const key of this.#table.keys()) {
      if (!key.startsWith(SESSION)) continue;
      if (Number(this.#object(key)?.at ?? 0) < now - SESSION_KEPT_MS) this.#table.delete(key);
    }
  }

  #object(key: string): JsonObject | undefined {
    const value = this.#table.get(key);
    return isObject(value) ? value : undefined;
  }
}

const SESSION = "session ";
const MOMENT = "moment ";

function sessionKey(session: string): string {
  return SESSION + fingerprint(session);
}

function useKey(scope: SkillScope, id: string): string {
  return `use ${scope} ${id}`;
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one: Json): one is string => typeof one === "string") : [];
}

export const skillRecords = defineStore({
  name: "skills",
  scope: "project",
  open: (table) => new SkillRecords(table),
});
