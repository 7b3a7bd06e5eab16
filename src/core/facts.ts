import type { Policy } from "./policy.ts";

/**
 * Everything read from outside while deciding. Each is read at most once per event and kept with it, so a second
 * try and a replay see what the first decision saw.
 */
export class Facts {
  readonly #values: Map<string, unknown>;
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #usual = new Set<string>();
  readonly #isReplay: boolean;

  constructor(recorded?: Readonly<Record<string, unknown>>) {
    this.#values = new Map(Object.entries(recorded ?? {}));
    this.#isReplay = recorded !== undefined;
  }

  read<T>(name: string, look: () => T): T {
    if (this.#values.has(name)) return this.#values.get(name) as T;
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

  /** For values that are nearly always `usual`: only others are recorded, and in a replay a missing fact means `usual`. */
  readUnlessUsual<T>(name: string, usual: T, look: () => T): T {
    if (this.#values.has(name)) return this.#values.get(name) as T;
    if (this.#isReplay || this.#usual.has(name)) return usual;
    const value = look();
    if (value === usual) this.#usual.add(name);
    else this.#values.set(name, value);
    return value;
  }

  async readLater<T>(name: string, look: () => Promise<T>): Promise<T> {
    if (this.#values.has(name)) return this.#values.get(name) as T;
    let pending = this.#pending.get(name) as Promise<T> | undefined;
    if (!pending) {
      pending = look().then((value) => {
        this.#values.set(name, value);
        return value;
      });
      this.#pending.set(name, pending);
    }
    return pending;
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
