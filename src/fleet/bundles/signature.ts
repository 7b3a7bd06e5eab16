import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { describe, HookwrightError } from "../../core/errors.ts";

/** A configuration that everybody's may only get stricter by. */
export interface Bundle {
  /** Each bundle has a higher one than the bundles before. */
  readonly revision: number;
  /** Who signed it, as the publisher wrote it. */
  readonly signer: string;
  /** The fingerprint of the key. */
  readonly key: string;
  /** YAML, as in a configuration file. */
  readonly content: string;
  readonly signature: string;
}

const LONGEST_SIGNER = 200;

export function signBundle(revision: number, signer: string, content: string, privateKey: KeyObject): Bundle {
  assertSigner(signer);
  const signature = sign(null, signedBytes(revision, signer, content), privateKey).toString("base64");
  return { revision, signer, key: fingerprintOf(createPublicKey(privateKey)), content, signature };
}

/** Throws unless the pinned key has signed exactly this, and it is newer than the bundle in force. */
export function assertBundle(bundle: Bundle, publicKey: string, lastRevision: number): void {
  const key = readPublicKey(publicKey, "the pinned key");
  const pinned = fingerprintOf(key);
  const { revision, signer, content, signature } = bundle;
  if (bundle.key !== pinned) {
    throw refused(
      `revision ${revision} is signed with the key ${shortKey(bundle.key)}, and ${shortKey(pinned)} is pinned`,
    );
  }
  if (!verify(null, signedBytes(revision, signer, content), key, Buffer.from(signature, "base64"))) {
    throw refused(`the signature of revision ${revision} is wrong, so somebody has changed it`);
  }
  if (revision <= lastRevision) {
    throw refused(`revision ${revision} is not newer than ${lastRevision}, which is in force`);
  }
}

export function readPrivateKey(pem: string, file: string): KeyObject {
  return ed25519(() => createPrivateKey(pem), file);
}

export function readPublicKey(pem: string, file: string): KeyObject {
  return ed25519(() => createPublicKey(pem), file);
}

export function publicPem(key: KeyObject): string {
  return key.export({ type: "spki", format: "pem" }).toString();
}

export function fingerprintOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}

export function shortKey(fingerprint: string): string {
  return /^[0-9a-f]{16,}$/.test(fingerprint) ? fingerprint.slice(0, 16) : "of another form";
}

/** As JSON, so that no text can move from one part into another. */
function signedBytes(revision: number, signer: string, content: string): Buffer {
  return Buffer.from(JSON.stringify(["hookwright policy bundle", 1, revision, signer, content]));
}

function assertSigner(signer: string): void {
  if (signer !== "" && signer.length <= LONGEST_SIGNER && !/\p{C}/u.test(signer)) return;
  throw refused(`the name of its signer must have 1 to ${LONGEST_SIGNER} visible characters`);
}

function ed25519(read: () => KeyObject, file: string): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    throw new HookwrightError("HW_FLEET_KEY", { file, detail: describe(error) }, error);
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new HookwrightError("HW_FLEET_KEY", { file, detail: `it is a key of the type ${key.asymmetricKeyType}` });
}

export function refused(detail: string): HookwrightError {
  return new HookwrightError("HW_FLEET_BUNDLE", { detail });
}
