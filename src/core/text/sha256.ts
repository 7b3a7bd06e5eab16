/** First 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of eight. */
const ROUND = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
/** From here on loading the system's own implementation is cheaper than running this one. */
const LARGE = 8_192;
let hashedHere = 0;

/**
 * SHA-256 as hex. The little that a cold hook has to hash is hashed here: loading node:crypto alone would take it 3 to
 * 5 ms. A process that goes on hashing, as the daemon does, is served by the system, which is much faster.
 */
export function sha256(text: string): string {
  hashedHere += text.length;
  if (hashedHere > LARGE) return process.getBuiltinModule("node:crypto").hash("sha256", text, "hex");
  return plainSha256(Buffer.from(text));
}

export function plainSha256(bytes: Buffer): string {
  const blocks = padded(bytes);
  const schedule = new Int32Array(64);
  const hash = Int32Array.from(START);
  for (let at = 0; at < blocks.length; at += 16) mix(hash, schedule, blocks.subarray(at, at + 16));
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function padded(bytes: Buffer): Int32Array {
  const words = new Int32Array(((bytes.length + 72) >> 6) << 4);
  for (let i = 0; i < bytes.length; i++)
    words[i >> 2] = (words[i >> 2] ?? 0) | ((bytes[i] ?? 0) << (24 - ((i & 3) << 3)));
  const end = bytes.length;
  words[end >> 2] = (words[end >> 2] ?? 0) | (0x80 << (24 - ((end & 3) << 3)));
  words[words.length - 1] = end << 3;
  return words;
}

function mix(hash: Int32Array, schedule: Int32Array, block: Int32Array): void {
  const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    let word = block[i] ?? 0;
    if (i >= 16) {
      const early = schedule[i - 15] ?? 0;
      const late = schedule[i - 2] ?? 0;
      const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      word = ((schedule[i - 16] ?? 0) + s0 + (schedule[i - 7] ?? 0) + s1) | 0;
    }
    schedule[i] = word;
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + word) | 0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) hash[index] = ((hash[index] ?? 0) + word) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}
