import { HookwrightError } from "../../core/errors.ts";
import { shownAddress } from "../connection/address.ts";
import type { FleetClient } from "../connection/client.ts";
import { machines } from "./0001-machines.ts";
import { boardTables } from "./0002-board-tables.ts";
import { boardClaims } from "./0003-board-claims.ts";
import { boardChanges } from "./0004-board-changes.ts";
import { claimsAndMessages } from "./0005-claims-messages.ts";
import { journalCopy } from "./0006-journal-copy.ts";
import { bundlesAndApprovals } from "./0007-bundles-approvals.ts";

/** Additive only: machines with an older version go on working with a newer schema. */
const MIGRATIONS: readonly string[] = [
  machines,
  boardTables,
  boardClaims,
  boardChanges,
  claimsAndMessages,
  journalCopy,
  bundlesAndApprovals,
];

/**
 * The roles of every fleet in this cluster. None of them can log in; the owner has the tables, and the functions run with
 * its rights. A role that logs in becomes a member of one of the others.
 */
const ROLES = ["hookwright_owner", "hookwright_machine", "hookwright_auditor", "hookwright_publisher"];

export interface Migrated {
  /** The version of the schema before; 0 for none. */
  readonly from: number;
  readonly to: number;
}

/** Needs a role that may create roles, and a schema in the database; no superuser. */
export async function migrate(client: FleetClient): Promise<Migrated> {
  const lock = "SELECT pg_advisory_xact_lock(hashtextextended('hookwright migrate', 0))";
  await client.transaction([lock, ...ROLES.map(makeRole), "GRANT hookwright_owner TO CURRENT_USER"]);
  const from = await versionOf(client);
  if (from === 0) await client.transaction([lock, START]);
  for (let version = from; version < MIGRATIONS.length; version++) {
    try {
      await client.transaction([lock, "SET LOCAL ROLE hookwright_owner", step(version)]);
    } catch (error) {
      // Another administrator has made this step meanwhile.
      if ((await versionOf(client)) <= version) throw error;
    }
  }
  return { from, to: Math.max(from, MIGRATIONS.length) };
}

/** Throws for a database without our schema, or with an older one. */
export async function assertSchema(client: FleetClient): Promise<void> {
  const found = await versionOf(client);
  if (found >= MIGRATIONS.length) return;
  const data = { server: shownAddress(client.address), found, wanted: MIGRATIONS.length };
  throw new HookwrightError("HW_FLEET_SCHEMA", data);
}

async function versionOf(client: FleetClient): Promise<number> {
  const [{ is_there: isThere } = { is_there: false }] = await client.rows<{ is_there: boolean }>(
    "SELECT to_regclass('fleet.schema_version') IS NOT NULL AS is_there",
  );
  if (!isThere) return 0;
  const [row] = await client.rows<{ version: number }>("SELECT max(version) AS version FROM fleet.schema_version");
  return row?.version ?? 0;
}

function makeRole(name: string): string {
  return `DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${name}') THEN CREATE ROLE ${name} NOLOGIN; END IF;
  END $$`;
}

const START = `CREATE SCHEMA IF NOT EXISTS fleet AUTHORIZATION hookwright_owner;
SET LOCAL ROLE hookwright_owner;
GRANT USAGE ON SCHEMA fleet TO hookwright_machine, hookwright_auditor, hookwright_publisher;
CREATE TABLE IF NOT EXISTS fleet.schema_version (version int PRIMARY KEY, migrated_at timestamptz NOT NULL DEFAULT now());
GRANT SELECT ON fleet.schema_version TO PUBLIC`;

/** Fails when another administrator has taken this number meanwhile. */
function step(version: number): string {
  const sql = MIGRATIONS[version] ?? "";
  return `INSERT INTO fleet.schema_version (version) VALUES (${version + 1});\n${sql};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fleet FROM PUBLIC`;
}
