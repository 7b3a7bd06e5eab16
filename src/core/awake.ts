import type { Policy, When } from "./policy.ts";

/** Which policies of an event have anything to look at. */
export class Awake {
  #known = new Map<When, boolean>();

  /** `ask` only where no policy with the same condition has asked before. */
  has({ when }: Pick<Policy, "when">, ask: (when: When) => boolean): boolean {
    if (when === undefined) return true;
    const known = this.#known.get(when);
    if (known !== undefined) return known;
    const isAwake = ask(when);
    this.#known.set(when, isAwake);
    return isAwake;
  }

  /** Something was written that a condition may go by. */
  forget(): void {
    this.#known.clear();
  }
}
