import type { Reply } from "../core/frame.ts";

const CIPHER = "aes-256-gcm";
const SALT = 16;
const NONCE = 12;
const TAG = 16;

/**
 * Encrypts an answer with a key made from the body of its event. A retry has to get exactly the bytes of the first
 * answer (a rewritten input with a mask in it would be a wrong input), and no secret may be stored in clear. A retry
 * sends the body again, and the database does not contain it.
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

/** Not a plain hash of the body: the journal may contain that hash in place of the body. */
function keyFor(body: Uint8Array, head: Buffer): Uint8Array {
  const { hkdfSync } = process.getBuiltinModule("node:crypto");
  return new Uint8Array(hkdfSync("sha256", body, head.subarray(0, SALT), "hookwright reply", 32));
}
