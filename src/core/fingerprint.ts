const LONG = 512;
const NO_WORDS = new Int32Array(0);

/**
 * A 128-bit fingerprint for keys and caches. Loading node:crypto costs a cold hook about a sixth of its time, and
 * nothing here defends against a chosen collision: a key already contains the agent's own call id.
 */
export function fingerprint(...parts: readonly (string | Uint8Array)[]): string {
  let a = 0x9e3779b1;
  let b = 0x85ebca77;
  let c = 0xc2b2ae3d;
  let d = 0x27d4eb2f;
  for (const part of parts) {
    const whole = typeof part === "string" ? Buffer.from(part) : part;
    // Most of a long one in steps of four bytes, by half as many sums: a command may be a hundred thousand bytes.
    const wordsEnd = whole.length > LONG ? whole.length & ~3 : 0;
    const words = wordsEnd === 0 ? NO_WORDS : new Int32Array(new Uint8Array(whole.subarray(0, wordsEnd)).buffer);
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as number;
      a = Math.imul(a ^ word, 0x01000193);
      a ^= a >>> 15;
      b = (Math.imul(b, 31) + word) | 0;
    }
    c ^= a;
    d ^= b;
    const bytes = wordsEnd === 0 ? whole : whole.subarray(wordsEnd);
    // At the end a separator no UTF-8 text contains, so that ("ab","c") and ("a","bc") differ. No function per byte:
    // this loop goes over every event.
    for (let i = 0; i < bytes.length + 2; i++) {
      const byte = i < bytes.length ? (bytes[i] as number) : i === bytes.length ? 0xff : bytes.length & 0xff;
      a = Math.imul(a ^ byte, 0x01000193);
      b = Math.imul(b ^ byte, 0x5bd1e995);
      b ^= b >>> 15;
      c = (Math.imul(c, 31) + byte) | 0;
      d = Math.imul(d ^ (byte + (a >>> 24)), 0x165667b1);
    }
  }
  const finish = (x: number, y: number): string => {
    let z = x ^ (y >>> 16);
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0).toString(16).padStart(8, "0");
  };
  return finish(a, b) + finish(b, c) + finish(c, d) + finish(d, a);
}
