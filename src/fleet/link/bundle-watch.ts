import type { compileConfig } from "../../config/compile.ts";
import { HookwrightError } from "../../core/errors.ts";
import type { Database } from "../../state/database.ts";
import { recordChange } from "../../state/journal.ts";
import { acceptBundle, isBundle, type KeptBundle, readKeptBundle, restoreContent } from "../bundles/kept-bundle.ts";
import { type Bundle, shortKey } from "../bundles/signature.ts";
import type { FleetClient } from "../connection/client.ts";
import type { FleetConnection } from "../connection/files.ts";
import type { FleetStatus } from "../status.ts";

export interface BundleParts {
  readonly db: Database;
  /** The fleet's folder in our home. */
  readonly folder: string;
  readonly connection: FleetConnection;
  readonly compileConfig: typeof compileConfig;
}

/** Takes over the newest policy bundle, and keeps the last good one when the newest must not be used. */
export class BundleWatch {
  readonly #client: FleetClient;
  readonly #db: Database;
  readonly #folder: string;
  readonly #connection: FleetConnection;
  readonly #compile: typeof compileConfig;
  /** What was refused, so that it is looked at and recorded once. */
  #refused: { readonly bundle?: Bundle; readonly problem: string } = { problem: "" };

  constructor(client: FleetClient, { db, folder, connection, compileConfig }: BundleParts) {
    this.#client = client;
    this.#db = db;
    this.#folder = folder;
    this.#connection = connection;
    this.#compile = compileConfig;
  }

  async look(now: number): Promise<FleetStatus["bundle"]> {
    const kept = readKeptBundle(this.#folder);
    if (kept && restoreContent(this.#folder, kept)) {
      this.#record(
        now,
        `Policy bundle ${kept.revision} was missing or changed on this machine, and is in force again.`,
      );
    }
    if (this.#connection.bundleKey === "") return shown(kept, "");
    const [newest] = await this.#client.rows<Bundle>(
      `SELECT revision::float8 AS revision, signer, key, content, signature FROM fleet.bundles
       ORDER BY fleet.bundles.revision DESC LIMIT 1`,
    );
    if (!newest || (kept && isSame(newest, kept))) return shown(kept, "");
    if (this.#refused.bundle && isSame(newest, this.#refused.bundle)) return shown(kept, this.#refused.problem);
    try {
      if (!isBundle(newest))
        throw new HookwrightError("HW_FLEET_BUNDLE", { detail: "it is not written as a bundle is" });
      await acceptBundle(this.#folder, newest, this.#connection.bundleKey, this.#compile, now);
      const { revision, signer, key } = newest;
      this.#record(now, `Policy bundle ${revision}, signed by ${signer} (key ${shortKey(key)}), is in force now.`);
      return shown(readKeptBundle(this.#folder), "");
    } catch (error) {
      if (!(error instanceof HookwrightError) || error.code !== "HW_FLEET_BUNDLE") throw error;
      this.#refused = { bundle: newest, problem: error.message };
      this.#record(now, error.message);
      return shown(kept, error.message);
    }
  }

  #record(now: number, reason: string): void {
    recordChange(this.#db, { at: now, folder: this.#folder, words: "policy bundle of the fleet", reason });
  }
}

function isSame(one: Bundle, other: Bundle): boolean {
  const { revision, content, signature } = other;
  return one.revision === revision && one.content === content && one.signature === signature;
}

function shown(kept: KeptBundle | undefined, problem: string): FleetStatus["bundle"] {
  return { revision: kept?.revision ?? 0, signer: kept?.signer ?? "", problem };
}
