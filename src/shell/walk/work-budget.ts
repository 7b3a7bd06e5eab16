import { Unreadable } from "../parse/syntax.ts";

const MAX_STEPS = 50_000;
/** A command, or a compound one, takes about as long as this many words. */
export const NODE_STEPS = 20;
/** What is known of all variables is noted anew for each. */
export const ASSIGNMENT_STEPS = 20;
const MAX_COPIED = 1024 * 1024;
const MAX_NESTED = 256 * 1024;
const MAX_PASSED = 384 * 1024;
const MAX_ROUNDS = 500;
/** The commands of all those rounds together. */
const MAX_IN_ROUNDS = 800;

/** How much work one line may cost. An agent waits for the answer, and a line may be made to take forever. */
export class WorkBudget {
  #steps = 0;
  #copied = 0;
  #nested = 0;
  #passed = 0;
  #rounds = 0;
  #inRounds = 0;

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > MAX_STEPS) throw new Unreadable("too much to follow");
  }

  /** False when values have been copied often enough. */
  afford(length: number): boolean {
    this.#copied += length;
    return this.#copied <= MAX_COPIED;
  }

  /** Scripts inside scripts are read again at every level. */
  nest(length: number): void {
    this.#nested += length;
    if (this.#nested > MAX_NESTED) throw new Unreadable("too much to follow");
  }

  /** A text goes through a pipe whole, and through every part of it again. */
  pass(length: number): void {
    this.#passed += length;
    if (this.#passed > MAX_PASSED) throw new Unreadable("too much to follow");
  }

  /** Whether the rounds of a loop may be walked one by one; `size` is the number of commands in one of them. */
  mayUnroll(rounds: number, size: number): boolean {
    if (this.#rounds + rounds > MAX_ROUNDS || this.#inRounds + rounds * size > MAX_IN_ROUNDS) return false;
    this.#rounds += rounds;
    this.#inRounds += rounds * size;
    return true;
  }
}
