/** Checksums that some makers put into their tokens, so that a look-alike can be told from a token. */

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(text: string): number {
  let value = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    value = (value >>> 8) ^ (CRC_TABLE[(value ^ text.charCodeAt(at)) & 0xff] ?? 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function base62(value: number, width: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text;
  return text.padStart(width, "0");
}

/** `ghp_` and `npm_`: thirty characters and the CRC-32 of them in six. */
export function endsWithCrc(token: string): boolean {
  const body = token.slice(token.indexOf("_") + 1);
  return body.length === 36 && base62(crc32(body.slice(0, 30)), 6) === body.slice(30);
}

const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    GENERATOR.forEach((generator, bit) => {
      if ((top >>> bit) & 1) sum ^= generator;
    });
  }
  return sum >>> 0;
}

/** What `age-keygen` writes: a prefix, a one, and data that ends with its own checksum. */
export function isBech32(text: string): boolean {
  const lower = text.toLowerCase();
  const one = lower.lastIndexOf("1");
  const data = [...lower.slice(one + 1)].map((char) => BECH32.indexOf(char));
  if (one < 1 || data.length < 6 || data.includes(-1)) return false;
  const prefix = [...lower.slice(0, one)].map((char) => char.charCodeAt(0));
  return polymod([...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...data]) === 1;
}
