import type { Reply } from "../core/frame.ts";

const CIPHER = "aes-256-gcm";
const SALT = 16;
const NONCE = 12;
const TAG = 16;

/**
 * An answer that only somebody who brings the same event can read. A retry has to get the very bytes of the first
 * answer (a rewritten input with a mask in it would be a wrong input), and no secret may lie in the database in clear.
 * The event's body is what a retry has and the database has not.
 */
export function seal(reply: Reply, body: Uint8Array): string {
  const crypto = process.getBuiltinModule("node:crypto");
  const head = crypto.randomBytes(SALT + NONCE);
  const cipher = crypto.createCipheriv(CIPHER, keyFor(body, head), head.subarray(SALT));
  const text = Buffer.concat([cipher.update(JSON.stringify(reply), "utf8"), cipher.final()]);
  return Buffer.concat([head, cipher.getAuthTag(), text]).toString("base64");
}

export function unseal(sealed: string, body: Uint8Array): Reply {
  const bytes = Buffer.from(sealed, "base64");
  const [head, rest] = [bytes.subarray(0, SALT + NONCE), bytes.subarray(SALT + NONCE)];
  const decipher = process
    .getBuiltinModule("node:crypto")
    .createDecipheriv(CIPHER, keyFor(body, head), head.subarray(SALT))
    .setAuthTag(rest.subarray(0, TAG));
  const text = Buffer.concat([decipher.update(rest.subarray(TAG)), decipher.final()]);
  return JSON.parse(text.toString("utf8")) as Reply;
}

/** Not a plain hash of the body: the journal may hold that, for a body it did not keep. */
function keyFor(body: Uint8Array, head: Buffer): Uint8Array {
  const { hkdfSync } = process.getBuiltinModule("node:crypto");
  return new Uint8Array(hkdfSync("sha256", body, head.subarray(0, SALT), "hookwright reply", 32));
}
