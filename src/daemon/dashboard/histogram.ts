/** Four steps for each doubling, so that a time is right within a fifth. */
const STEPS = 4;
const SIZE = 128;

/** Times in microseconds, counted so that a share of them can be found, in memory that does not grow. */
export class Histogram {
  readonly #counts = new Uint32Array(SIZE);
  #count = 0;
  #total = 0;

  get count(): number {
    return this.#count;
  }

  /** The exact sum. */
  get total(): number {
    return this.#total;
  }

  add(microseconds: number): void {
    const index = Math.min(SIZE - 1, Math.floor(STEPS * Math.log2(Math.max(0, microseconds) + 1)));
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#count++;
    this.#total += microseconds;
  }

  addAll(other: Histogram): void {
    for (const [index, count] of other.#counts.entries()) this.#counts[index] = (this.#counts[index] ?? 0) + count;
    this.#count += other.#count;
    this.#total += other.#total;
  }

  /** The time that this share of all is within; 0 without any. */
  share(share: number): number {
    let left = share * this.#count;
    for (const [index, count] of this.#counts.entries()) {
      left -= count;
      if (count > 0 && left <= 0) return Math.round(2 ** ((index + 0.5) / STEPS) - 1);
    }
    return 0;
  }
}
