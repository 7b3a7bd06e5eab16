import path from "node:path";
import { HookwrightError } from "../core/errors.ts";
import { readJsonFile } from "./connection/files.ts";

/** Another machine, or this one, as the server knew it at the last contact. */
export interface FleetMachine {
  readonly name: string;
  /** 0 when it has never been seen. */
  readonly lastSeen: number;
  /** Sessions with an event in the last hour. */
  readonly sessions: number;
  /** Its daemon has ended by itself, so it is not expected to be seen. */
  readonly isResting: boolean;
  readonly isStale: boolean;
}

/** What the link to the fleet knows; it writes this into a file for commands and the dashboard. */
export interface FleetStatus {
  readonly machine: string;
  /** When the file was written. */
  readonly at: number;
  /** The last answer of the server; 0 for none yet. */
  readonly lastContact: number;
  /** Why there is no contact now; empty while there is. */
  readonly problem: string;
  /** Entries of the journal that are not copied yet. */
  readonly waiting: number;
  readonly machines: readonly FleetMachine[];
  /** Files that other machines hold in projects of this one. */
  readonly foreignClaims: number;
  readonly bundle: { readonly revision: number; readonly signer: string; readonly problem: string };
}

/** The link writes its status at least this often; without it for three times as long, nobody keeps it up to date. */
export const STATUS_EVERY_MS = 5_000;
/** A machine that has not been seen for this long is stale. */
export const STALE_MS = 3 * STATUS_EVERY_MS;

export function statusFile(folder: string): string {
  return path.join(folder, "status.json");
}

/** Undefined when there is none, or when it cannot be read: then nothing is known. */
export function readStatus(folder: string): FleetStatus | undefined {
  try {
    const value = readJsonFile(statusFile(folder));
    return isStatus(value) ? value : undefined;
  } catch (error) {
    if (error instanceof HookwrightError) return undefined;
    throw error;
  }
}

/** Since when what is known of the fleet may be out of date; undefined while it is not. */
export function staleSince(status: FleetStatus, now: number): number | undefined {
  const isFresh = status.problem === "" && now - status.at < STALE_MS;
  return isFresh ? undefined : status.lastContact;
}

function isStatus(value: unknown): value is FleetStatus {
  return typeof value === "object" && value !== null && "lastContact" in value && "machines" in value;
}
