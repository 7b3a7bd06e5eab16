import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { Table } from "../../core/store.ts";
import { DraftTable } from "./draft-table.ts";
import { machineOf } from "./machines.ts";
import { checkRun, type EndedRun, type ModeRun, readRun } from "./mode-run.ts";
import { MODES, type ModeName, runsKey } from "./modes.ts";

const OF_SESSION = runsKey("");
const HISTORY = "history";
const MOST_HISTORY = 50;

const fieldsOf = (mode: ModeName) => machineOf(mode).fields;
const inOrder = (a: ModeRun, b: ModeRun): number => MODES.indexOf(a.mode) - MODES.indexOf(b.mode);

/** The runs of all modes in one project. */
export class ModeRuns {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The same runs; what is written there is seen only there. */
  draft(): ModeRuns {
    return new ModeRuns(new DraftTable(this.#table));
  }

  /** The runs of one session, in the order in which their modes hold a stop. */
  of(session: string): readonly ModeRun[] {
    if (session === "" || this.#table.isEmpty()) return [];
    const rows = this.#table.get(runsKey(session));
    return Array.isArray(rows) ? rows.flatMap((row: Json) => readRun(row, fieldsOf) ?? []).sort(inOrder) : [];
  }

  get(session: string, mode: ModeName): ModeRun | undefined {
    return this.of(session).find((run) => run.mode === mode);
  }

  all(): readonly ModeRun[] {
    const keys = this.#table.keys().filter((key) => key.startsWith(OF_SESSION));
    return keys.flatMap((key) => this.of(key.slice(OF_SESSION.length)));
  }

  save(run: ModeRun): void {
    checkRun(run, fieldsOf(run.mode));
    const others = this.of(run.session).filter(({ mode }) => mode !== run.mode);
    this.#table.set(runsKey(run.session), [...others, run] as unknown as Json);
  }

  remove(run: Pick<ModeRun, "session" | "mode">): void {
    const others = this.of(run.session).filter(({ mode }) => mode !== run.mode);
    if (others.length > 0) this.#table.set(runsKey(run.session), others as unknown as Json);
    else this.#table.delete(runsKey(run.session));
  }

  /** Ended runs, newest first. */
  history(): readonly EndedRun[] {
    const rows = this.#table.get(HISTORY);
    return Array.isArray(rows) ? rows.filter((row: Json) => readRun(row, fieldsOf)).map(asEnded) : [];
  }

  addToHistory(run: EndedRun): void {
    this.#table.set(HISTORY, [run, ...this.history()].slice(0, MOST_HISTORY) as unknown as Json);
  }

  removeFromHistory(run: EndedRun): void {
    const others = this.history().filter(({ mode, session, endedAt }) => {
      return mode !== run.mode || session !== run.session || endedAt !== run.endedAt;
    });
    this.#table.set(HISTORY, others as unknown as Json);
  }

  /** The session whose run of this mode the project's own state file shows. */
  owner(mode: ModeName): string {
    return String(this.#table.get(`owner:${mode}`) ?? "");
  }

  setOwner(mode: ModeName, session: string | undefined): void {
    if (session === undefined) this.#table.delete(`owner:${mode}`);
    else this.#table.set(`owner:${mode}`, session);
  }

  /** Other state of the modes: starts that wait, prompts that were heard, what a person is still to be told. */
  other(key: string): Json | undefined {
    return this.#table.isEmpty() ? undefined : this.#table.get(`other:${key}`);
  }

  setOther(key: string, value: Json | undefined): void {
    if (value !== undefined) this.#table.set(`other:${key}`, value);
    else if (this.#table.get(`other:${key}`) !== undefined) this.#table.delete(`other:${key}`);
  }

  /** Sentences that the person of this session has not been told yet. */
  untold(session: string): readonly string[] {
    const value = this.other(`untold:${session}`);
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
  }

  setUntold(session: string, sentences: readonly string[]): void {
    this.setOther(`untold:${session}`, sentences.length > 0 ? sentences : undefined);
  }
}

function asEnded(row: Json): EndedRun {
  const { outcome, endedAt } = isObject(row) ? row : {};
  const run = row as unknown as ModeRun;
  return { ...run, outcome: String(outcome ?? "ended"), endedAt: Number(endedAt ?? run.seenAt) };
}
