const lanes = new Int32Array(4);
const digest = Buffer.alloc(16);

/**
 * A 128-bit fingerprint for keys and caches. Loading node:crypto costs a cold hook about a sixth of its time, and
 * nothing here defends against a chosen collision: a key already contains the agent's own call id.
 */
export function fingerprint(...parts: readonly (string | Uint8Array)[]): string {
  lanes[0] = 0x9e3779b1;
  lanes[1] = 0x85ebca77;
  lanes[2] = 0xc2b2ae3d;
  lanes[3] = 0x27d4eb2f;
  for (const part of parts) {
    // First, so that ("ab", "c") and ("a", "bc") differ.
    mix(part.length);
    if (typeof part === "string") for (let i = 0; i < part.length; i++) mix(part.charCodeAt(i));
    else mixBytes(part);
  }
  const [a = 0, b = 0, c = 0, d = 0] = lanes;
  digest.writeUInt32BE(stirred(a, b), 0);
  digest.writeUInt32BE(stirred(b, c), 4);
  digest.writeUInt32BE(stirred(c, d), 8);
  digest.writeUInt32BE(stirred(d, a), 12);
  return digest.toString("hex");
}

/** Four at a time: this goes over every event, and a command may be a hundred thousand bytes. */
function mixBytes(bytes: Uint8Array): void {
  const end = bytes.length & ~3;
  for (let i = 0; i < end; i += 4) {
    const low = (bytes[i] as number) | ((bytes[i + 1] as number) << 8);
    mix(low | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24));
  }
  for (let i = end; i < bytes.length; i++) mix(bytes[i] as number);
}

function mix(unit: number): void {
  const a = Math.imul((lanes[0] as number) ^ unit, 0x01000193);
  const b = Math.imul((lanes[1] as number) ^ unit, 0x5bd1e995);
  lanes[0] = a ^ (a >>> 15);
  lanes[1] = b ^ (b >>> 13);
  lanes[2] = Math.imul(lanes[2] as number, 31) + unit;
  lanes[3] = Math.imul((lanes[3] as number) ^ (unit + (a >>> 24)), 0x165667b1);
}

function stirred(x: number, y: number): number {
  let z = x ^ (y >>> 16);
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}
