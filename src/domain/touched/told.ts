import { defineStore, type Table } from "../../core/store.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";

/** What an agent is told once: rule files by path and by content, and the folders and files that were touched. */
export type ToldKind = "rule" | "rule-text" | "rule-target" | "readme" | "readme-folder";

/** Of files that the agent has loaded by itself; its subagents get them as well. */
const LOADED = "loaded";
/** Files that could not be used, of which the person was told. */
const PROBLEM = "problem";

/** What the agents of one session know. A subagent has a context of its own. */
export class Told {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  has(agentId: string, kind: ToldKind, name: string): boolean {
    return !this.#table.isEmpty() && this.#table.get(keyOf(kind, agentId, name)) !== undefined;
  }

  add(agentId: string, kind: ToldKind, names: readonly string[]): void {
    for (const name of names) this.#table.set(keyOf(kind, agentId, name), 1);
  }

  /** After a compaction the agent does not know it any more. */
  forget(agentId: string, kinds: readonly ToldKind[]): void {
    const prefixes = kinds.map((kind) => prefixOf(kind, agentId));
    for (const key of this.#table.keys())
      if (prefixes.some((prefix) => key.startsWith(prefix))) this.#table.delete(key);
  }

  isLoaded(file: string): boolean {
    return !this.#table.isEmpty() && this.#table.get(keyOf(LOADED, "", file)) !== undefined;
  }

  addLoaded(file: string): void {
    this.#table.set(keyOf(LOADED, "", file), 1);
  }

  isReported(file: string): boolean {
    return this.#table.get(keyOf(PROBLEM, "", file)) !== undefined;
  }

  addReported(file: string): void {
    this.#table.set(keyOf(PROBLEM, "", file), 1);
  }
}

function prefixOf(kind: string, agentId: string): string {
  return `${kind} ${agentId === "" ? "main" : fingerprint(agentId)} `;
}

function keyOf(kind: string, agentId: string, name: string): string {
  return prefixOf(kind, agentId) + fingerprint(name);
}

export const told = defineStore({ name: "touched", scope: "session", open: (table) => new Told(table) });
