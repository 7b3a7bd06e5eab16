import path from "node:path";
import { isObject, type Json } from "../../core/event.ts";
import { type EditClaim, editedFiles } from "../../domain/claims/edited-files.ts";
import { below } from "../../domain/claims/file-names.ts";
import { type FleetClaim, FleetClaims, fleetClaims } from "../../domain/claims/fleet-claims.ts";
import type { Database } from "../../state/database.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { openTable, projectScope } from "../../state/stores.ts";
import { system } from "../../system/system.ts";
import type { FleetClient } from "../connection/client.ts";
import { projectName } from "../project-name.ts";

/** Other machines are told again of claims that go on. */
const TELL_AGAIN_MS = 60_000;
/** A claim is written into the mirror again when its end has moved by more than this. */
const MOVED_MS = 30_000;
const MOST_CLAIMS = 5_000;
/** A session without an event for this long edits nothing. Its last event is recorded to the hour. */
const RECENT_MS = 3 * 3_600_000;

interface ForeignClaim {
  readonly project: string;
  readonly path: string;
  readonly machine: string;
  readonly agent: string;
  readonly session: string;
  readonly heldForMs: number;
  readonly leaseMs: number;
}

/** Tells the server which files are edited here, and mirrors what other machines hold in the same projects. */
export class ClaimExchange {
  readonly #client: FleetClient;
  readonly #db: Database;
  #told = { text: "[]", at: 0, isContested: false };

  constructor(client: FleetClient, db: Database) {
    this.#client = client;
    this.#db = db;
  }

  /** `isChanged`: another machine has claimed or released something, so a file that is wanted here may be free now. */
  async tell(now: number, isChanged: boolean): Promise<void> {
    const rows = this.#ownClaims(now);
    const text = JSON.stringify(rows.map(({ leaseMs: _, ...row }) => row));
    const isKnown = text === this.#told.text && (rows.length === 0 || now - this.#told.at < TELL_AGAIN_MS);
    const isFree = isChanged && this.#told.isContested;
    if (isKnown && this.#told.at > 0 && !isFree) return;
    const held = await this.#client.call<number>("claim_paths($1::text::jsonb)", JSON.stringify(rows));
    this.#told = { text, at: now, isContested: held > 0 };
  }

  /** Returns how many files other machines hold. Writes only what has changed. */
  async mirror(now: number): Promise<number> {
    const projects = this.#projects();
    const names = [...new Set(projects.map(({ name }) => name))];
    const list = JSON.stringify(names).replace(/^\[/, "{").replace(/\]$/, "}");
    const claims =
      names.length === 0
        ? []
        : await this.#client.call<readonly ForeignClaim[]>("foreign_claims($1::text::text[])", list);
    for (const { root, real, name } of projects) {
      const wanted = new Map<string, FleetClaim>();
      for (const claim of claims) {
        const file = path.join(real, claim.path);
        // The name comes from another machine: it must not lead out of the project.
        if (claim.project === name && below(real, file) !== undefined) wanted.set(file, here(claim, now));
      }
      this.#write(root, wanted);
    }
    return claims.length;
  }

  #write(root: string, wanted: ReadonlyMap<string, FleetClaim>): void {
    const scope = projectScope({ agent: "", session: "", agentId: "", project: root });
    const known = new FleetClaims(openTable(this.#db, scope, fleetClaims.name)).all();
    const gone = [...known.keys()].filter((file) => !wanted.has(file));
    const changed = [...wanted].filter(([file, claim]) => !isSame(known.get(file), claim));
    if (gone.length + changed.length === 0) return;
    this.#db.transaction(() => {
      const store = new FleetClaims(openTable(this.#db, scope, fleetClaims.name, () => undefined));
      for (const file of gone) store.delete(file);
      for (const [file, claim] of changed) store.set(file, claim);
      bumpRevision(this.#db, scope);
    });
  }

  #ownClaims(now: number) {
    const rows = [];
    for (const { real, name, scope } of this.#projects()) {
      const sql = "SELECT key, value FROM entries WHERE scope = ? AND store = ? ORDER BY key";
      for (const { key, value } of this.#db.all(sql, scope, editedFiles.name)) {
        const place = below(real, String(key));
        const first = claimsIn(JSON.parse(String(value)) as Json)
          .filter(({ expiresAt }) => expiresAt > now)
          .sort((a, b) => a.at - b.at)[0];
        if (place === undefined || !first || rows.length >= MOST_CLAIMS) continue;
        const { agent, owner: session, expiresAt } = first;
        rows.push({ project: name, path: place, agent, session, leaseMs: expiresAt - now });
      }
    }
    return rows;
  }

  /** The projects in which somebody works or has edited something, or for which something is mirrored. */
  #projects() {
    const sql = `
      SELECT DISTINCT scope FROM entries WHERE store IN (?, ?) AND scope LIKE 'project:%'
      UNION SELECT DISTINCT 'project:' || project FROM sessions WHERE last_at > ?`;
    return this.#db.all(sql, editedFiles.name, fleetClaims.name, Date.now() - RECENT_MS).flatMap((row) => {
      const scope = String(row.scope);
      const root = scope.slice("project:".length);
      const name = path.isAbsolute(root) ? projectName(root, system) : undefined;
      return name === undefined ? [] : [{ scope, root, name, real: system.realPath(root) }];
    });
  }
}

function claimsIn(row: Json): readonly EditClaim[] {
  return isObject(row) && Array.isArray(row.claims) ? (row.claims as unknown as EditClaim[]) : [];
}

function here({ machine, agent, session, heldForMs, leaseMs }: ForeignClaim, now: number): FleetClaim {
  return { machine, agent, session, at: now - heldForMs, expiresAt: now + leaseMs };
}

function isSame(known: FleetClaim | undefined, { machine, session, expiresAt }: FleetClaim): boolean {
  return known?.machine === machine && known.session === session && Math.abs(known.expiresAt - expiresAt) < MOVED_MS;
}
