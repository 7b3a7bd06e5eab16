import fs from "node:fs";
import { describe } from "../../core/errors.ts";
import { system } from "../../system/system.ts";
import { FleetClient, isUnreachable } from "../connection/client.ts";
import { connectionFile, writeJsonFile } from "../connection/files.ts";
import { projectName } from "../project-name.ts";
import { type FleetMachine, type FleetStatus, STALE_MS, STATUS_EVERY_MS, statusFile } from "../status.ts";
import { type BundleParts, BundleWatch } from "./bundle-watch.ts";
import { ClaimExchange } from "./claim-exchange.ts";
import { type CopiedEntries, JournalCopy } from "./journal-copy.ts";
import { Listener } from "./listener.ts";

/** Between two looks at our own database; each costs the server nothing when nothing has happened. */
const LOOK_MS = 500;
const GAPS_EVERY_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 10_000;
/** Sessions with an event in this time are shown with their machine. */
const ACTIVE_MS = 3_600_000;
const GOODBYE_MS = 1_000;

export interface LinkParts extends BundleParts {
  readonly build: string;
  /** A call that takes longer is given up. */
  readonly limitMs?: number;
}

/** Keeps this machine in touch with the server of its fleet. It waits for the server so that nobody else has to. */
export class FleetLink {
  readonly #parts: LinkParts;
  readonly #client: FleetClient;
  readonly #journal: JournalCopy;
  readonly #claims: ClaimExchange;
  readonly #bundles: BundleWatch;
  readonly #listener: Listener;
  #status: FleetStatus;
  #gapsAt = 0;
  #isStopped = false;
  #wake: () => void = () => undefined;

  constructor(parts: LinkParts) {
    const { connection, db, limitMs } = parts;
    this.#parts = parts;
    this.#client = new FleetClient(connection.address, limitMs);
    this.#journal = new JournalCopy(this.#client, db);
    this.#claims = new ClaimExchange(this.#client, db);
    this.#bundles = new BundleWatch(this.#client, parts);
    this.#listener = new Listener(connection.address, () => this.#wake());
    this.#status = {
      machine: connection.machine,
      at: 0,
      lastContact: 0,
      problem: "not connected yet",
      waiting: 0,
      machines: [],
      foreignClaims: 0,
      bundle: { revision: 0, signer: "", problem: "" },
    };
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    for (let failures = 0; !this.#isStopped && this.#isConnected(); ) {
      try {
        await this.#round();
        failures = 0;
      } catch (error) {
        failures++;
        this.#note({ problem: describe(error), at: system.now() });
      }
      const backoff = Math.min(LONGEST_PAUSE_MS, LOOK_MS * 2 ** failures) * (0.75 + Math.random() / 2);
      await this.#pause(failures === 0 ? LOOK_MS : backoff);
    }
    await this.#goodbye();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** What is due. The journal comes in each round, the rest when it was asked for or has not been looked at for long. */
  async #round(): Promise<void> {
    const now = system.now();
    if (now - this.#gapsAt > GAPS_EVERY_MS) {
      await this.#journal.refillGaps();
      this.#gapsAt = now;
    }
    for (let copied = await this.#journal.copyBatch(); copied.length > 0 && !this.#isStopped; ) {
      await this.#reportSessions(copied);
      copied = await this.#journal.copyBatch();
    }
    const asked = this.#listener.takeNews();
    await this.#claims.tell(now, asked.has("claims"));
    const isDue = now - this.#status.at >= STATUS_EVERY_MS || this.#status.problem !== "";
    let news: Partial<FleetStatus> = {};
    if (isDue || asked.has("claims")) news = { foreignClaims: await this.#claims.mirror(now) };
    if (isDue || asked.has("bundle")) news = { ...news, bundle: await this.#bundles.look(now) };
    if (isDue) {
      await this.#client.run("heartbeat($1::text, $2::bigint, false)", this.#parts.build, this.#journal.waiting);
      news = { ...news, machines: await this.#machines(), at: now, lastContact: system.now(), problem: "" };
    }
    if (Object.keys(news).length > 0) this.#note(news);
  }

  async #machines(): Promise<readonly FleetMachine[]> {
    const rows = await this.#client.rows<{ name: string; ago: number | null; sessions: number; is_resting: boolean }>(
      `SELECT name, (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS ago, is_resting,
        (SELECT count(*)::int FROM fleet.sessions WHERE machine = name AND last_at > fleet.now_ms() - $1::bigint) AS sessions
       FROM fleet.machines ORDER BY name`,
      ACTIVE_MS,
    );
    const now = system.now();
    return rows.map(({ name, ago, sessions, is_resting: isResting }) => ({
      name,
      lastSeen: ago === null ? 0 : Math.round(now - ago),
      sessions,
      isResting,
      isStale: !isResting && (ago === null || ago > STALE_MS),
    }));
  }

  async #reportSessions(entries: CopiedEntries): Promise<void> {
    const seen = new Map<string, object>();
    for (const { agent, session, project, at } of entries) {
      if (session === "" || agent === "") continue;
      const key = `${agent}\0${session}`;
      const firstAt = (seen.get(key) as { firstAt?: number } | undefined)?.firstAt ?? at;
      const root = String(project);
      seen.set(key, { agent, session, project: projectName(root, system) ?? root, firstAt, lastAt: at });
    }
    if (seen.size > 0) await this.#client.run("report_sessions($1::text::jsonb)", JSON.stringify([...seen.values()]));
  }

  /** After `fleet disconnect` nothing may be written into the folder again. */
  #isConnected(): boolean {
    return fs.existsSync(connectionFile(this.#parts.folder));
  }

  #note(news: Partial<FleetStatus>): void {
    this.#status = { ...this.#status, ...news, waiting: this.#journal.waiting };
    if (this.#isConnected()) writeJsonFile(statusFile(this.#parts.folder), this.#status, false);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wake = end;
      if (this.#isStopped) end();
    });
  }

  async #goodbye(): Promise<void> {
    await this.#listener.close();
    await this.#client.close();
    const last = new FleetClient(this.#parts.connection.address, GOODBYE_MS);
    try {
      await last.run("heartbeat($1::text, $2::bigint, true)", this.#parts.build, this.#journal.waiting);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    } finally {
      await last.close();
    }
  }
}
