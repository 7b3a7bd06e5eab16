import fs from "node:fs";
import path from "node:path";
import { describe, HookwrightError } from "../../core/errors.ts";
import { replacePrivateFile } from "../../system/private-file.ts";
import type { FleetAddress } from "./address.ts";

/** How this machine is connected. The file holds the password, so only its owner may read it. */
export interface FleetConnection {
  readonly machine: string;
  readonly address: FleetAddress;
  /** The key that policy bundles must be signed with, as PEM; empty if bundles are not taken. */
  readonly bundleKey: string;
  readonly connectedAt: number;
}

/** `folder`: the fleet's folder in our home. */
export function connectionFile(folder: string): string {
  return path.join(folder, "connection.json");
}

/** Undefined when this machine is not connected. */
export function readConnection(folder: string): FleetConnection | undefined {
  const file = connectionFile(folder);
  const value = readJsonFile(file);
  if (value === undefined) return undefined;
  if (isConnection(value)) return value;
  throw new HookwrightError("HW_FLEET_FILE", { file, detail: "it is not a connection" });
}

export function assertConnection(folder: string): FleetConnection {
  const connection = readConnection(folder);
  if (!connection) throw new HookwrightError("HW_FLEET_NONE");
  return connection;
}

export function writeJsonFile(file: string, value: object, syncs = true): void {
  try {
    replacePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`, syncs);
  } catch (error) {
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  }
}

/** No such file, or a file where one of its folders should be. */
const ABSENT = new Set(["ENOENT", "ENOTDIR"]);

/** Undefined for a file that does not exist. */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && ABSENT.has(String(error.code))) return undefined;
    throw new HookwrightError("HW_READ_FAILED", { file, detail: describe(error) }, error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HookwrightError("HW_FLEET_FILE", { file, detail: "it is not JSON" }, error);
  }
}

function isConnection(value: unknown): value is FleetConnection {
  if (typeof value !== "object" || value === null) return false;
  const { machine, address, bundleKey, connectedAt } = value as Partial<Record<keyof FleetConnection, unknown>>;
  const isText = (one: unknown): boolean => typeof one === "string";
  if (typeof address !== "object" || address === null) return false;
  const { host, port, database, user, password, tls, ca } = address as Partial<Record<keyof FleetAddress, unknown>>;
  return (
    [machine, bundleKey, host, database, user, password, ca].every(isText) &&
    typeof port === "number" &&
    typeof connectedAt === "number" &&
    ["verified", "unverified", "none"].includes(String(tls))
  );
}
