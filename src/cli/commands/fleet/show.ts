import { HookwrightError } from "../../../core/errors.ts";
import { shownAddress } from "../../../fleet/connection/address.ts";
import { FleetClient } from "../../../fleet/connection/client.ts";
import { assertConnection, type FleetConnection } from "../../../fleet/connection/files.ts";
import { type FleetMachine, type FleetStatus, readStatus, staleSince } from "../../../fleet/status.ts";
import { table } from "../../terminal/style.ts";
import { formatTime } from "../journal/time-format.ts";
import type { FleetCall } from "./run.ts";

const TRY_MS = 3_000;

/** Exit code 1 when the server cannot be reached now. */
export async function showStatus(call: FleetCall): Promise<number> {
  const connection = assertConnection(call.folder);
  const status = readStatus(call.folder);
  const problem = await problemNow(connection);
  const { machine, address } = connection;
  const since = status && staleSince(status, Date.now());
  if (call.options.json) {
    const { waiting = null, bundle = null, foreignClaims = null } = status ?? {};
    const shown = { machine, server: shownAddress(address), tls: address.tls, reached: problem === "", problem };
    const staleAt = since === undefined ? null : new Date(since).toISOString();
    call.out(
      JSON.stringify({ ...shown, link: status !== undefined, staleSince: staleAt, waiting, bundle, foreignClaims }),
    );
    return problem === "" ? 0 : 1;
  }
  call.out(
    table([
      ["machine", machine],
      ["server", `${shownAddress(address)}, ${problem === "" ? "answers" : `does not answer: ${problem}`}`],
      ...linkRows(status, since),
    ]),
  );
  return problem === "" ? 0 : 1;
}

function linkRows(status: FleetStatus | undefined, since: number | undefined): string[][] {
  if (!status) return [["link", "has not begun; the daemon starts it, and the next hook starts the daemon"]];
  const { waiting, bundle, foreignClaims, lastContact, problem } = status;
  const stale = lastContact === 0 ? "has never reached the server" : `stale since ${formatTime(since ?? 0)}`;
  return [
    ["link", since === undefined ? "up to date" : `${stale}${problem === "" ? "" : `: ${problem}`}`],
    ["journal", waiting === 0 ? "copied" : `${waiting} entries wait to be copied`],
    ["claims", `${foreignClaims} files are held by other machines`],
    ["bundle", `${bundleText(bundle)}${bundle.problem === "" ? "" : `. ${bundle.problem}`}`],
  ];
}

function bundleText({ revision, signer }: FleetStatus["bundle"]): string {
  return revision === 0 ? "none in force" : `revision ${revision}, signed by ${signer}, is in force`;
}

async function problemNow({ address }: FleetConnection): Promise<string> {
  const client = new FleetClient(address, TRY_MS);
  try {
    await client.rows("SELECT 1");
    return "";
  } catch (error) {
    if (error instanceof HookwrightError) return error.message;
    throw error;
  } finally {
    await client.close();
  }
}

/** From the file of the link, so that it works without the server too. */
export async function showMachines(call: FleetCall): Promise<void> {
  assertConnection(call.folder);
  const status = readStatus(call.folder);
  const machines = status?.machines ?? [];
  const since = status ? staleSince(status, Date.now()) : 0;
  if (call.options.json) {
    call.out(JSON.stringify({ machines, staleSince: since === undefined ? null : new Date(since).toISOString() }));
    return;
  }
  if (machines.length === 0) {
    call.out("Nothing is known yet. `hookwright fleet status` says whether the server is reached.");
    return;
  }
  const rows = machines.map((machine) => {
    const seen = machine.lastSeen === 0 ? "never" : formatTime(machine.lastSeen);
    return [machine.name, stateOf(machine), seen, String(machine.sessions)];
  });
  call.out(table([["machine", "state", "last seen", "sessions"], ...rows]));
  if (since !== undefined) call.out(`\nStale since ${since === 0 ? "the beginning" : formatTime(since)}.`);
}

function stateOf({ isResting, isStale }: FleetMachine): string {
  if (isResting) return "no daemon";
  return isStale ? "not seen" : "connected";
}
