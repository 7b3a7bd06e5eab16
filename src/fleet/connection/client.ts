import { checkServerIdentity, type PeerCertificate } from "node:tls";
import postgres from "postgres";
import { describe, HookwrightError } from "../../core/errors.ts";
import { type FleetAddress, shownAddress } from "./address.ts";

/** A call that the server has not answered by then is given up, together with its connection. */
const LIMIT_MS = 10_000;

type Parameter = string | number | boolean | null;
type Sql = ReturnType<typeof openSql>;

/** One connection to the server of a fleet, opened with the first call and again after it was lost. */
export class FleetClient {
  readonly address: FleetAddress;
  readonly #limitMs: number;
  #sql: Sql | undefined;

  constructor(address: FleetAddress, limitMs = LIMIT_MS) {
    this.address = address;
    this.#limitMs = limitMs;
  }

  /** Calls one of our functions, such as `board_end($1::text)`, and returns its result as JSON. */
  async call<T>(expression: string, ...parameters: readonly Parameter[]): Promise<T> {
    const [row] = await this.rows<{ readonly value: T }>(
      `SELECT to_jsonb(fleet.${expression}) AS value`,
      ...parameters,
    );
    return row?.value as T;
  }

  /** For functions without a result. */
  async run(expression: string, ...parameters: readonly Parameter[]): Promise<void> {
    await this.rows(`SELECT fleet.${expression}`, ...parameters);
  }

  async rows<R>(statement: string, ...parameters: readonly Parameter[]): Promise<readonly R[]> {
    this.#sql ??= openSql(this.address, this.#limitMs);
    const sql = this.#sql;
    return this.#limited(
      sql,
      () => sql.unsafe(statement, [...parameters], { prepare: true }) as unknown as Promise<readonly R[]>,
    );
  }

  /** Runs statements without parameters, all or none: what is sent together is one transaction. */
  async transaction(statements: readonly string[]): Promise<void> {
    this.#sql ??= openSql(this.address, this.#limitMs);
    const sql = this.#sql;
    await this.#limited(sql, () => sql.unsafe(statements.join(";\n")).simple());
  }

  async close(): Promise<void> {
    const sql = this.#sql;
    this.#sql = undefined;
    await sql?.end({ timeout: 0 });
  }

  async #limited<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const detail = `no answer for ${this.#limitMs / 1_000} seconds`;
      timer = setTimeout(() => reject(unreachable(this.address, detail)), this.#limitMs);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      const known = explained(this.address, error);
      // What a lost connection was doing is unknown, so nothing more is sent over it.
      if (isUnreachable(known) && this.#sql === sql) {
        this.#sql = undefined;
        sql.end({ timeout: 0 }).catch(() => undefined);
      }
      throw known;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Every option is given, because the library would else look for it in the environment. */
export function openSql({ host, port, database, user, password, tls, ca }: FleetAddress, limitMs = LIMIT_MS) {
  const verified = {
    rejectUnauthorized: true,
    // Said here, because the library leaves out a host that is an address, and another name would be compared then.
    checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
    ...(ca === "" ? {} : { ca }),
  };
  return postgres({
    host,
    port,
    database,
    user,
    password,
    ssl: tls === "none" ? false : tls === "verified" ? verified : { rejectUnauthorized: false },
    max: 1,
    connect_timeout: Math.ceil(limitMs / 1_000),
    idle_timeout: 0,
    keep_alive: 30,
    prepare: true,
    fetch_types: false,
    debug: false,
    target_session_attrs: undefined,
    connection: { application_name: "hookwright", statement_timeout: limitMs },
    onnotice: () => undefined,
  });
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof HookwrightError && error.code === "HW_FLEET_UNREACHABLE";
}

function unreachable(address: FleetAddress, detail: string, cause?: unknown): HookwrightError {
  return new HookwrightError("HW_FLEET_UNREACHABLE", { server: shownAddress(address), detail }, cause);
}

/** Codes of PostgreSQL for a server that starts, stops or has no room, after which a later call may work. */
const PASSING = /^(?:57P0[123]|53300|08\d{3}|40001|40P01)$/;

function explained(address: FleetAddress, error: unknown): unknown {
  if (error instanceof HookwrightError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const isOfServer = error.name === "PostgresError";
  if (!isOfServer || PASSING.test(code)) return unreachable(address, describe(error) || code, error);
  return new HookwrightError("HW_FLEET_REFUSED", { server: shownAddress(address), detail: describe(error) }, error);
}
