import fs from "node:fs";
import os from "node:os";
import { HookwrightError } from "../../../core/errors.ts";
import { fingerprintOf, publicPem, readPublicKey, shortKey } from "../../../fleet/bundles/signature.ts";
import { type FleetAddress, shownAddress } from "../../../fleet/connection/address.ts";
import type { FleetClient } from "../../../fleet/connection/client.ts";
import { connectionFile, readConnection, writeJsonFile } from "../../../fleet/connection/files.ts";
import { assertSchema } from "../../../fleet/schema/migrate.ts";
import { addMachine, standingOf } from "../../../fleet/schema/roles.ts";
import { homeOf } from "../../installation/current-build.ts";
import { askDaemon, startDaemon } from "../../state/daemon-client.ts";
import { addressIn, type FleetCall, readFile, textOption, usageError, withServer } from "./run.ts";

export async function connect(call: FleetCall): Promise<void> {
  const [url] = call.words;
  const before = readConnection(call.folder);
  if (url === undefined && !before)
    throw usageError("`connect` needs a URL, because this machine is not connected yet.");
  const address = url === undefined && before ? before.address : addressIn(call, url ?? "");
  const { machine, own, bundleKey } = await withServer(address, async (client) => {
    await assertSchema(client);
    return { ...(await ownAddress(call, client)), bundleKey: await bundleKeyFor(call, client) };
  });
  writeJsonFile(connectionFile(call.folder), { machine, address: own, bundleKey, connectedAt: Date.now() });
  const home = homeOf(call.env);
  // A daemon that runs finds the file by itself.
  const daemon = await askDaemon(home, call.env, "status");
  const { running } = daemon.running ? daemon : await startDaemon(home, call.env);
  const server = shownAddress(own);
  const key = bundleKey === "" ? "" : fingerprintOf(readPublicKey(bundleKey, "the pinned key"));
  if (call.options.json) {
    call.out(JSON.stringify({ machine, server, tls: own.tls, bundleKey: key, daemon: running }));
    return;
  }
  const encrypted = {
    verified: "encrypted",
    unverified: "encrypted, without a check of the certificate",
    none: "plain text",
  };
  call.out(`Connected as ${machine} with ${server} (${encrypted[own.tls]}).`);
  call.out(
    key === ""
      ? "No key for policy bundles is known, so none is taken. Connect again with --bundle-key FILE to take them."
      : `Policy bundles must be signed with the key ${shortKey(key)}. Compare it with the publisher's.`,
  );
  if (!running)
    call.err("hookwright: the daemon did not start. The machine is connected when the next hook starts it.");
}

/** The role of this machine: the one that was given, or a new one that an administrator's makes. */
async function ownAddress(
  call: FleetCall,
  client: FleetClient,
): Promise<{ readonly machine: string; readonly own: FleetAddress }> {
  const wanted = textOption(call, "name");
  const { machine, isAdministrator } = await standingOf(client);
  if (machine !== null) {
    if (wanted === undefined || wanted === machine) return { machine, own: client.address };
    const detail = `The role ${client.address.user} belongs to the machine \`${machine}\`, not to \`${wanted}\``;
    throw new HookwrightError("HW_FLEET_MACHINE", { detail });
  }
  if (!isAdministrator) {
    const detail = `The role ${client.address.user} belongs to no machine, and may not make one: an administrator can, with \`hookwright fleet machines add\``;
    throw new HookwrightError("HW_FLEET_MACHINE", { detail });
  }
  const name = wanted ?? hostName();
  return { machine: name, own: await addMachine(client, name, call.options.replace === true) };
}

function hostName(): string {
  return (os.hostname().toLowerCase().split(".")[0] ?? "").replace(/[^a-z0-9._-]/g, "-").slice(0, 40);
}

/** Pinned now: a key that the server offers later changes nothing. */
async function bundleKeyFor(call: FleetCall, client: FleetClient): Promise<string> {
  const file = textOption(call, "bundle-key");
  if (file !== undefined) return publicPem(readPublicKey(readFile(file), file));
  const before = readConnection(call.folder)?.bundleKey ?? "";
  if (before !== "") return before;
  const [offered] = await client.rows<{ public_key: string }>("SELECT public_key FROM fleet.bundle_key");
  return offered ? publicPem(readPublicKey(offered.public_key, "the key that the server offers")) : "";
}

export async function disconnect(call: FleetCall): Promise<void> {
  const connected = fs.existsSync(connectionFile(call.folder));
  fs.rmSync(call.folder, { recursive: true, force: true });
  if (call.options.json) call.out(JSON.stringify({ connected: false, wasConnected: connected }));
  else call.out(connected ? "Disconnected. What was shared stays on the server." : "This machine was not connected.");
}
