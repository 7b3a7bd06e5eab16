import os from "node:os";
import { compileConfig } from "../../../config/compile.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { assertContent, type KeptBundle, readKeptBundle } from "../../../fleet/bundles/kept-bundle.ts";
import { assertBundle, readPrivateKey, shortKey, signBundle } from "../../../fleet/bundles/signature.ts";
import { assertConnection } from "../../../fleet/connection/files.ts";
import { formatTime } from "../journal/time-format.ts";
import { addressIn, type FleetCall, readFile, textOption, usageError, withServer } from "./run.ts";

export async function publishBundle(call: FleetCall): Promise<void> {
  const keyFile = textOption(call, "key");
  if (keyFile === undefined) throw usageError("`bundle publish` needs --key FILE, the private key.");
  const url = textOption(call, "url");
  if (url === undefined)
    throw usageError("`bundle publish` needs --url URL, of a role that may publish. No machine's may.");
  const content = readFile(call.words[0] ?? "");
  await assertContent(content, compileConfig);
  const key = readPrivateKey(readFile(keyFile), keyFile);
  const bundle = await withServer(addressIn(call, url), async (client) => {
    const [row] = await client.rows<{ last: number }>(
      "SELECT coalesce(max(revision), 0)::float8 AS last FROM fleet.bundles",
    );
    const signer = textOption(call, "signer") ?? os.userInfo().username;
    const made = signBundle((row?.last ?? 0) + 1, signer, content, key);
    await client.run(
      "publish_bundle($1::bigint, $2::text, $3::text, $4::text, $5::text)",
      ...[made.revision, made.signer, made.key, made.content, made.signature],
    );
    return made;
  });
  const { revision, signer } = bundle;
  if (call.options.json) call.out(JSON.stringify({ revision, signer, key: bundle.key }));
  else call.out(`Published bundle ${revision}, signed by ${signer} with the key ${shortKey(bundle.key)}.`);
}

export async function showBundle(call: FleetCall): Promise<void> {
  const { revision, signer, key, acceptedAt, content } = assertKept(call);
  if (call.options.json) {
    call.out(JSON.stringify({ revision, signer, key, acceptedAt: new Date(acceptedAt).toISOString(), content }));
    return;
  }
  call.out(
    `Bundle ${revision}, signed by ${signer} (key ${shortKey(key)}), in force since ${formatTime(acceptedAt)}.\n`,
  );
  call.out(content.trimEnd());
}

/** Throws, and so ends with exit code 1, for anything that is wrong. */
export async function verifyBundle(call: FleetCall): Promise<void> {
  const [file] = call.words;
  if (file !== undefined) {
    await assertContent(readFile(file), compileConfig);
    call.out(call.options.json ? JSON.stringify({ file, ok: true }) : `${file} has no mistake and can be published.`);
    return;
  }
  const kept = assertKept(call);
  assertBundle(kept, assertConnection(call.folder).bundleKey, 0);
  const { revision, signer, key } = kept;
  if (call.options.json) call.out(JSON.stringify({ revision, signer, key, ok: true }));
  else call.out(`Bundle ${revision} is as ${signer} signed it, with the pinned key ${shortKey(key)}.`);
}

function assertKept({ folder }: FleetCall): KeptBundle {
  assertConnection(folder);
  const kept = readKeptBundle(folder);
  if (!kept) throw new HookwrightError("HW_FLEET_BUNDLE", { detail: "there is none on this machine yet" });
  return kept;
}
