/**
 * Everything read from outside while deciding. Each is read at most once per event and kept with it, so a second
 * try and a replay see what the first decision saw.
 */
export class Facts {
  readonly #values: Map<string, unknown>;
  readonly #pending = new Map<string, Promise<unknown>>();

  constructor(recorded: Readonly<Record<string, unknown>> = {}) {
    this.#values = new Map(Object.entries(recorded));
  }

  read<T>(name: string, look: () => T): T {
    if (this.#values.has(name)) return this.#values.get(name) as T;
    const value = look();
    this.#values.set(name, value);
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
}
