import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import { EDIT_ERRORS, type EditError, type RejectedEdit } from "./edit-errors.ts";
import type { Refusal } from "./refused-conversation.ts";

const MOST_FILES = 50;
const REFUSALS = "refusals";
/** A refusal that comes later than this after another one is a first one again. */
const SAME_TROUBLE_MS = 5 * 60_000;
const MOST_TOLD = 2;

/** A refusal that the agent is still to be told, with its number. */
export type UntoldRefusal = Refusal & { readonly attempt: number };

/** What the agents of one session are told about edits and turns that failed. */
export class Troubles {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Those of these errors that the agent was not told since it last read the file. */
  untold(agentId: string, edits: readonly RejectedEdit[]): RejectedEdit[] {
    if (edits.length === 0) return [];
    const told = this.#told(agentId);
    return edits.filter(({ file, error }) => !told.some((one) => one.file === file && one.error === error));
  }

  addTold(agentId: string, edits: readonly RejectedEdit[]): void {
    this.#save(agentId, [...this.#told(agentId), ...edits].slice(-MOST_FILES));
  }

  forgetFile(agentId: string, file: string): void {
    const told = this.#told(agentId);
    const others = told.filter((one) => one.file !== file);
    if (others.length < told.length) this.#save(agentId, others);
  }

  /** The refusal that the next prompt tells. */
  untoldRefusal(): UntoldRefusal | undefined {
    const { untold } = this.#refusals();
    return isObject(untold) ? (untold as unknown as UntoldRefusal) : undefined;
  }

  addRefusal(refusal: Refusal, now: number): void {
    const { attempts, at } = this.#refusals();
    const isSame = typeof at === "number" && now - at <= SAME_TROUBLE_MS;
    const attempt = isSame ? Number(attempts) + 1 : 1;
    const untold = attempt <= MOST_TOLD ? { untold: { ...refusal, attempt } } : {};
    this.#table.set(REFUSALS, { attempts: attempt, at: now, ...untold });
  }

  markRefusalTold(): void {
    const { untold: _told, ...kept } = this.#refusals();
    this.#table.set(REFUSALS, kept);
  }

  /** After a compaction there is room again. */
  forgetRefusals(): void {
    if (this.#table.get(REFUSALS) !== undefined) this.#table.delete(REFUSALS);
  }

  #refusals(): { readonly [key: string]: Json } {
    const row = this.#table.isEmpty() ? undefined : this.#table.get(REFUSALS);
    return isObject(row) ? row : {};
  }

  #told(agentId: string): readonly RejectedEdit[] {
    const rows = this.#table.isEmpty() ? undefined : this.#table.get(keyOf(agentId));
    return Array.isArray(rows) ? rows.flatMap(editIn) : [];
  }

  #save(agentId: string, told: readonly RejectedEdit[]): void {
    if (told.length === 0) this.#table.delete(keyOf(agentId));
    else this.#table.set(keyOf(agentId), told as unknown as Json);
  }
}

function editIn(row: Json): RejectedEdit[] {
  const { file, error } = isObject(row) ? row : {};
  const isKnown = EDIT_ERRORS.includes(error as EditError);
  return typeof file === "string" && isKnown ? [{ file, error: error as EditError }] : [];
}

const keyOf = (agentId: string): string => `edits:${agentId}`;

export const troubles = defineStore({ name: "recovery", scope: "session", open: (table) => new Troubles(table) });
