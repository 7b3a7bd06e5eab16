import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { HookwrightError } from "../../core/errors.ts";
import type { FleetAddress } from "../connection/address.ts";
import type { FleetClient } from "../connection/client.ts";

const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;
const LONGEST_ROLE = 63;

export function assertMachineName(name: string): void {
  if (!NAME.test(name)) throw new HookwrightError("HW_FLEET_MACHINE", { detail: `\`${name}\` cannot name a machine` });
}

/** Who a role is: the name of its machine, or whether it may make roles for machines. */
export interface Standing {
  readonly machine: string | null;
  readonly isAdministrator: boolean;
}

export async function standingOf(client: FleetClient): Promise<Standing> {
  const [row] = await client.rows<Standing>(
    `SELECT (SELECT name FROM fleet.machines WHERE role = session_user) AS machine,
      (SELECT (rolcreaterole OR rolsuper) AND pg_has_role('hookwright_owner', 'MEMBER') FROM pg_roles
        WHERE rolname = session_user) AS "isAdministrator"`,
  );
  return row ?? { machine: null, isAdministrator: false };
}

/**
 * Makes a role for a machine, as an administrator, and returns the address with which the machine connects. With
 * `isReplaced` a machine that is known gets a new password, which locks out whoever has the old one.
 */
export async function addMachine(admin: FleetClient, name: string, isReplaced = false): Promise<FleetAddress> {
  assertMachineName(name);
  const [known] = await admin.rows<{ role: string }>("SELECT role FROM fleet.machines WHERE name = $1::text", name);
  if (known && !isReplaced) {
    const detail = `There is a machine \`${name}\` in the fleet already; --replace gives it a new password`;
    throw new HookwrightError("HW_FLEET_MACHINE", { detail });
  }
  // Roles belong to the whole cluster, which may hold several fleets.
  const user = known?.role ?? `${admin.address.database}_${name}`.slice(-LONGEST_ROLE);
  const password = randomBytes(24).toString("base64url");
  const secret = `LOGIN PASSWORD '${verifierOf(password)}'`;
  const quoted = `"${user.replaceAll('"', '""')}"`;
  await admin.transaction(
    known
      ? [`ALTER ROLE ${quoted} ${secret}`]
      : [
          `CREATE ROLE ${quoted} ${secret}`,
          `GRANT hookwright_machine TO ${quoted}`,
          "SET LOCAL ROLE hookwright_owner",
          `SELECT fleet.add_machine('${name}', '${user.replaceAll("'", "''")}')`,
        ],
  );
  return { ...admin.address, user, password };
}

const ROUNDS = 4_096;

/** The password as PostgreSQL stores it, so that the password itself is in no log of the server. */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, "sha256");
  const hmac = (text: string): Buffer => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(hmac("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString("base64")}$${stored}:${hmac("Server Key").toString("base64")}`;
}
