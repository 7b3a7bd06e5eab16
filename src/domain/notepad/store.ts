import type { Json } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { RememberedNote } from "./remember-tags.ts";

const MOST_KEPT = 200;

/** What a session was told of the notepad, and which notes of its subagents were kept. */
export class NotepadSession {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The fingerprint of what the session was told last. */
  get told(): string {
    return this.#text("told");
  }

  set told(fingerprintOfText: string) {
    this.#table.set("told", fingerprintOfText);
  }

  /** The problem that the person was told of. */
  get problem(): string {
    return this.#text("problem");
  }

  set problem(problem: string) {
    this.#table.set("problem", problem);
  }

  /** Those of these notes that were not kept in this session before. */
  newOf(notes: readonly RememberedNote[]): RememberedNote[] {
    const known = new Set(this.#kept());
    return notes.filter((note) => !known.has(keyOf(note)));
  }

  keep(notes: readonly RememberedNote[]): void {
    this.#table.set("kept", [...this.#kept(), ...notes.map(keyOf)].slice(-MOST_KEPT));
  }

  #kept(): readonly string[] {
    const kept = this.#table.get("kept");
    return Array.isArray(kept) ? kept.filter((one: Json): one is string => typeof one === "string") : [];
  }

  #text(key: string): string {
    const value = this.#table.get(key);
    return typeof value === "string" ? value : "";
  }
}

function keyOf({ isPriority, text }: RememberedNote): string {
  return fingerprint(String(isPriority), text);
}

export const notepadSession = defineStore({
  name: "notepad",
  scope: "session",
  open: (table) => new NotepadSession(table),
});
