import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compileConfig } from "../../config/compile.ts";
import { acceptBundle, bundleContentFile, readKeptBundle, restoreContent } from "./kept-bundle.ts";
import { type Bundle, publicPem, readPrivateKey, readPublicKey, signBundle } from "./signature.ts";

const ada = generateKeyPairSync("ed25519");
const eve = generateKeyPairSync("ed25519");
const pinned = publicPem(ada.publicKey);
const CONTENT = "policies:\n  safety/fleet-file:\n    answer: deny\n";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-bundle-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const signed = (revision: number, content = CONTENT, key = ada.privateKey): Bundle =>
  signBundle(revision, "Ada", content, key);
const accept = (bundle: Bundle): Promise<void> => acceptBundle(folder, bundle, pinned, compileConfig, 1);
const content = (): string => fs.readFileSync(bundleContentFile(folder), "utf8");

describe("a bundle", () => {
  it("that the pinned key has signed is kept, and its content put where the engine reads it", async () => {
    await accept(signed(1));
    expect(readKeptBundle(folder)).toMatchObject({ revision: 1, signer: "Ada", acceptedAt: 1 });
    expect(content()).toBe(CONTENT);
    expect(fs.statSync(bundleContentFile(folder)).mode & 0o777).toBe(0o600);
    await accept(signed(2, "profiles: [safety]\n"));
    expect(content()).toBe("profiles: [safety]\n");
  });

  const good = signed(3);
  it.each([
    ["another content", { ...good, content: `${CONTENT}\n` }, /the signature of revision 3 is wrong/],
    ["another signer", { ...good, signer: "Eve" }, /signature/],
    ["another revision", { ...good, revision: 4 }, /signature/],
    ["no signature", { ...good, signature: "" }, /signature/],
    ["the signature of another bundle", { ...good, signature: signed(9).signature }, /signature/],
    ["another key", signed(3, CONTENT, eve.privateKey), /is signed with the key \w+, and \w+ is pinned/],
    [
      "another key that claims to be the pinned one",
      { ...signed(3, CONTENT, eve.privateKey), key: good.key },
      /signature/,
    ],
    ["the revision in force", signed(2), /revision 2 is not newer than 2, which is in force/],
    ["an older revision", signed(1), /not newer/],
    ["a mistake in its content", signed(3, "profiels: [safety]\n"), /profiels/],
    ["no YAML", signed(3, "a: [\n"), /refused/],
  ])("with %s is refused, and the last good one stays", async (_what, bundle, reason) => {
    await accept(signed(2));
    await expect(accept(bundle)).rejects.toMatchObject({
      code: "HW_FLEET_BUNDLE",
      message: expect.stringMatching(reason),
    });
    expect(readKeptBundle(folder)).toMatchObject({ revision: 2 });
    expect(content()).toBe(CONTENT);
  });

  it("whose content was changed or removed on the machine is put back", async () => {
    await accept(signed(1));
    expect(restoreContent(folder, signed(1))).toBe(false);
    fs.writeFileSync(bundleContentFile(folder), "policies: {}\n");
    expect([restoreContent(folder, signed(1)), content()]).toEqual([true, CONTENT]);
    fs.rmSync(bundleContentFile(folder));
    expect([restoreContent(folder, signed(1)), content()]).toEqual([true, CONTENT]);
  });
});

describe("a key", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  it.each([
    ["no key", () => readPublicKey("nonsense", "key.pub")],
    [
      "a private key of another kind",
      () => readPrivateKey(rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "key.pub"),
    ],
    [
      "a public key of another kind",
      () => readPublicKey(rsa.publicKey.export({ type: "spki", format: "pem" }).toString(), "key.pub"),
    ],
  ])("that is %s is named", (_what, read) => {
    expect(read).toThrow(
      expect.objectContaining({ code: "HW_FLEET_KEY", message: expect.stringContaining("key.pub") }),
    );
  });
});
