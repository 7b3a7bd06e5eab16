import type { Policy } from "./policy.ts";

/** What one decision saw of the outside, for deciding the same event again. */
export interface RecordedFacts {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of what was looked at and not there. */
  readonly absent: readonly string[];
  /** Names of what was looked at and as usual; see `readUnlessUsual`. */
  readonly usual: readonly string[];
  /** Counts every unknown fact as usual that mostly is, for events of which no facts were recorded. */
  readonly assumesUsual?: boolean;
  /** Told the name of a fact that is asked for and was not recorded. */
  onMissing(name: string): void;
}

/**
 * Everything read from outside while deciding. Each is read at most once per event and kept with it, so a second
 * try and a replay see what the first decision saw.
 */
export class Facts {
  readonly #values: Map<string, unknown>;
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #usual = new Set<string>();
  readonly #recorded: RecordedFacts | undefined;

  /** With `recorded` nothing is looked at any more: what was not recorded is not known. */
  constructor(recorded?: RecordedFacts) {
    this.#values = new Map(Object.entries(recorded?.values ?? {}));
    this.#recorded = recorded;
    for (const name of recorded?.absent ?? []) this.#values.set(name, undefined);
    for (const name of recorded?.usual ?? []) this.#usual.add(name);
  }

  #mustBeKnown(name: string): void {
    if (!this.#recorded) return;
    this.#recorded.onMissing(name);
    throw new Error(`\`${name}\` was not recorded`);
  }

  read<T>(name: string, look: () => T): T {
    if (this.#values.has(name)) return this.#values.get(name) as T;
    this.#mustBeKnown(name);
    const value = look();
    this.#values.set(name, value);
    return value;
  }

  /** A variable of the hook's environment, if the policy has declared that it reads it. */
  variable({ reads }: Pick<Policy, "reads">, env: Readonly<Record<string, string>>, name: string): string | undefined {
    if (!reads?.env.includes(name)) return undefined;
    const fact = `env:${name}`;
    const known = this.#values.get(fact);
    if (known !== undefined || this.#values.has(fact)) return known as string | undefined;
    this.#values.set(fact, env[name]);
    return env[name];
  }

  /** For values that are nearly always `usual`: of those only the name is recorded. */
  readUnlessUsual<T>(name: string, usual: T, look: () => T): T {
    if (this.#values.has(name)) return this.#values.get(name) as T;
    if (this.#usual.has(name) || this.#recorded?.assumesUsual) return usual;
    this.#mustBeKnown(name);
    const value = look();
    if (value === usual) this.#usual.add(name);
    else this.#values.set(name, value);
    return value;
  }

  async readLater<T>(name: string, look: () => Promise<T>): Promise<T> {
    if (this.#values.has(name)) return this.#values.get(name) as T;
    let pending = this.#pending.get(name) as Promise<T> | undefined;
    if (!pending) {
      this.#mustBeKnown(name);
      pending = look().then((value) => {
        this.#values.set(name, value);
        return value;
      });
      this.#pending.set(name, pending);
    }
    return pending;
  }

  /** What was looked at and not there; variables are recorded with their environment. */
  get absent(): string[] {
    const names: string[] = [];
    for (const [name, value] of this.#values) if (value === undefined && !name.startsWith("env:")) names.push(name);
    return names;
  }

  get usual(): string[] {
    return [...this.#usual];
  }

  toJSON(): Record<string, unknown> {
    return Object.fromEntries(this.#values);
  }

  /** All but some that are known anyway. */
  without(...names: readonly string[]): Record<string, unknown> {
    const facts: Record<string, unknown> = {};
    for (const [name, value] of this.#values) if (!names.includes(name)) facts[name] = value;
    return facts;
  }
}
