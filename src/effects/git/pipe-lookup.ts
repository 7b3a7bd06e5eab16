import type { Command } from "../../shell/command.ts";

/** Finds the nearest earlier command in a pipe for which a check succeeds; each part of a pipe is examined once. */
export class PipeLookup<T> {
  readonly #look: (command: Command) => T | undefined;
  readonly #found = new Map<readonly Command[], T | undefined>();

  /** @param commands in the order of the line, so that what stands before in a pipe is known already */
  constructor(commands: readonly Command[], look: (command: Command) => T | undefined) {
    this.#look = look;
    for (const { upstream } of commands)
      if (upstream.length > 0 && !this.#found.has(upstream)) this.#found.set(upstream, this.#nearest(upstream));
  }

  before({ upstream }: Command): T | undefined {
    return this.#found.get(upstream);
  }

  #nearest(upstream: readonly Command[]): T | undefined {
    for (let at = upstream.length - 1; at >= 0; at--) {
      const command = upstream[at];
      const found = command && (this.#look(command) ?? this.#found.get(command.upstream));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
