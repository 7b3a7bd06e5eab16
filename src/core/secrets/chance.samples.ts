/** Secrets and look-alikes made by chance, the same at every run. */
export interface Sample {
  /** What it is meant to be. */
  readonly shape: string;
  /** As it stands in a file or on a line. */
  readonly text: string;
  /** The part that must never be kept; of a look-alike, the part that looks like one. */
  readonly secret: string;
}

export const DIGITS = "0123456789";
export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER = LOWER.toUpperCase();
export const HEX = "0123456789abcdef";
export const ALNUM = DIGITS + LOWER + UPPER;
const URL_SAFE = `${ALNUM}-_`;
export const BASE64 = `${ALNUM}+/`;

export class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  }
  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }
  of(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[Math.floor(this.next() * alphabet.length)]).join("");
  }
  /** No dash at either end, as in what is really issued. */
  safe(length: number): string {
    return this.of(ALNUM, 1) + this.of(URL_SAFE, length - 2) + this.of(ALNUM, 1);
  }
}

export type Maker = (chance: Chance) => string;
