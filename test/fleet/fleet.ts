/** A fleet of a test: a migrated database, and machines with a role each. */
import fs from "node:fs";
import path from "node:path";
import { expect, vi } from "vitest";
import { addressText, type FleetAddress } from "../../src/fleet/connection/address.ts";
import { FleetClient } from "../../src/fleet/connection/client.ts";
import { migrate } from "../../src/fleet/schema/migrate.ts";
import { addMachine } from "../../src/fleet/schema/roles.ts";
import { type FleetStatus, readStatus } from "../../src/fleet/status.ts";
import { openConnection } from "../../src/state/driver.ts";
import { DOCTOR_SESSION } from "../../src/state/journal.ts";
import type { Answer, Running, StartOptions } from "../support/processes.ts";
import { isMissing, LAUNCHER, type Payload, World } from "../support/world.ts";
import type { Cable } from "./network.ts";
import type { PostgresServer } from "./server.ts";

export interface CopiedEntry {
  readonly seq: number;
  readonly event: string;
  readonly session: string;
  readonly agent_event: string;
  readonly body: string;
}

export class TestFleet {
  readonly server: PostgresServer;
  readonly admin: FleetClient;
  readonly #clients: FleetClient[] = [];

  private constructor(server: PostgresServer, address: FleetAddress) {
    this.server = server;
    this.admin = this.client(address);
  }

  static async make(server: PostgresServer, database: string): Promise<TestFleet> {
    const fleet = new TestFleet(server, await server.makeDatabase(database));
    await migrate(fleet.admin);
    return fleet;
  }

  /** Closed at the end of the test. */
  client(address: FleetAddress): FleetClient {
    const client = new FleetClient(address);
    this.#clients.push(client);
    return client;
  }

  addMachine(name: string): Promise<FleetAddress> {
    return addMachine(this.admin, name);
  }

  /** Runs statements as the owner of the tables. */
  asOwner(...statements: readonly string[]): Promise<void> {
    return this.admin.transaction(["SET LOCAL ROLE hookwright_owner", ...statements]);
  }

  copyOf(machine: string): Promise<readonly CopiedEntry[]> {
    return this.admin.rows(
      `SELECT seq::int AS seq, event, session, agent_event, body FROM fleet.journal
       WHERE machine = $1::text AND session <> '${DOCTOR_SESSION}' ORDER BY seq`,
      machine,
    );
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
  }
}

/** A machine of a fleet: a home, projects and a daemon of its own. */
export class Machine extends World {
  readonly name: string;
  /** With one, its daemon and its commands run at the other end. Hooks reach the daemon through a socket all the same. */
  readonly cable: Cable | undefined;

  constructor(name: string, cable?: Cable, origin = "git@example.org:acme/shop.git") {
    super();
    this.name = name;
    this.cable = cable;
    fs.writeFileSync(path.join(this.project, ".git/config"), `[remote "origin"]\n\turl = ${origin}\n`);
  }

  /** Runs the built command line; fails unless it succeeds. */
  async run(...args: string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.hookwright(...args);
    expect([exit, stderr], args.join(" ")).toEqual([0, ""]);
    return stdout;
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.run(...args, "--json")) as T;
  }

  /** Entries as `TestFleet.copyOf` returns them. What doctor has sent is removed again, before or after it was copied. */
  journal(): readonly CopiedEntry[] {
    const db = openConnection(this.database);
    try {
      const sql = `SELECT id AS seq, event, session, agent_event, body FROM journal WHERE session <> '${DOCTOR_SESSION}' ORDER BY id`;
      return db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }) as unknown as CopiedEntry);
    } finally {
      db.close();
    }
  }

  status(): FleetStatus | undefined {
    return readStatus(path.join(this.home, "fleet"));
  }

  /** Connects with a role that was prepared, and waits until the link has reached the server. */
  async connect(fleet: TestFleet, ...options: string[]): Promise<void> {
    await this.startDaemon();
    await this.run("fleet", "connect", addressText(this.reached(await fleet.addMachine(this.name))), ...options);
    await vi.waitFor(() => expect(this.status()?.problem).toBe(""), { timeout: 30_000, interval: 100 });
  }

  /** The same server as this machine sees it. */
  reached(address: FleetAddress): FleetAddress {
    return this.cable ? { ...address, host: this.cable.address } : address;
  }

  override start(command: readonly string[], options: Partial<StartOptions> = {}): Running {
    const isFar = command.some((word) => word === LAUNCHER || word.endsWith("daemon.cjs"));
    return super.start([...(isFar ? (this.cable?.prefix ?? []) : []), ...command], options);
  }

  edit(session: string, file: string, event = "PostToolUse"): Payload {
    return {
      ...{ hook_event_name: event, session_id: session, cwd: this.project, tool_name: "Edit" },
      tool_use_id: `toolu_${++calls}`,
      tool_input: { file_path: path.join(this.project, file), old_string: "a", new_string: "b" },
      ...(event === "PostToolUse" ? { tool_response: { filePath: file } } : {}),
    };
  }

  bash(session: string, command: string): Payload {
    const call = { tool_name: "Bash", tool_use_id: `toolu_${++calls}`, tool_input: { command } };
    return { hook_event_name: "PreToolUse", session_id: session, cwd: this.project, ...call };
  }

  async hook(payload: Payload): Promise<Answer> {
    return this.send(payload, { client: isMissing("c") ? "node" : "c", daemon: true });
  }
}

let calls = 0;
