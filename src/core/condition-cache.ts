import type { When } from "./policy.ts";

/** Which policies of an event have anything to look at: what a condition said holds for all policies that have it. */
export class Awake {
  #known = new Map<When, boolean>();

  get(when: When): boolean | undefined {
    return this.#known.get(when);
  }

  set(when: When, isAwake: boolean): boolean {
    this.#known.set(when, isAwake);
    return isAwake;
  }

  /** Something was written that a condition may go by. */
  forget(): void {
    this.#known.clear();
  }
}
