import { Unreadable } from "../parse/syntax.ts";

const MAX_STEPS = 50_000;
/** A simple or compound command takes about as long as this many words. */
export const NODE_STEPS = 20;
/** Each assignment copies the map of all variables. */
export const ASSIGNMENT_STEPS = 20;
const MAX_COPIED = 1024 * 1024;
const MAX_NESTED = 256 * 1024;
const MAX_PIPED = 384 * 1024;
const MAX_ROUNDS = 500;
/** The commands in all those rounds together. */
const MAX_COMMANDS_IN_ROUNDS = 800;

/** Limits the work for one line: the agent waits for the answer, and a line may be written to take forever. */
export class WorkBudget {
  #steps = 0;
  #copied = 0;
  #nested = 0;
  #piped = 0;
  #rounds = 0;
  #commandsInRounds = 0;

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > MAX_STEPS) throw new Unreadable("too much to follow");
  }

  /** Counts copied characters; false beyond the limit. */
  afford(length: number): boolean {
    this.#copied += length;
    return this.#copied <= MAX_COPIED;
  }

  /** Counts the text of nested scripts, which is read again at every level. */
  countNested(length: number): void {
    this.#nested += length;
    if (this.#nested > MAX_NESTED) throw new Unreadable("too much to follow");
  }

  /** Counts text that goes through a pipe: it is read again in every part of the pipeline. */
  countPiped(length: number): void {
    this.#piped += length;
    if (this.#piped > MAX_PIPED) throw new Unreadable("too much to follow");
  }

  /** Whether the rounds of a loop may be read one by one; `size` is the number of commands in one round. */
  mayUnroll(rounds: number, size: number): boolean {
    if (this.#rounds + rounds > MAX_ROUNDS || this.#commandsInRounds + rounds * size > MAX_COMMANDS_IN_ROUNDS)
      return false;
    this.#rounds += rounds;
    this.#commandsInRounds += rounds * size;
    return true;
  }
}
