import fs from "node:fs";
import net from "node:net";
import { describe, HookwrightError } from "../../core/errors.ts";

/** Where the server of a fleet is, and how it is reached. */
export interface FleetAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** `verified`: the certificate of the server must be good; `unverified`: any certificate will do. */
  readonly tls: "verified" | "unverified" | "none";
  /** Certificates, as text, that the server's has to come from; empty for those that Node knows. */
  readonly ca: string;
}

export interface AddressOptions {
  readonly allowsPlainText: boolean;
  readonly passwordFile: string | undefined;
  readonly caFile: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const TLS_OF_MODE: Readonly<Record<string, FleetAddress["tls"]>> = {
  disable: "none",
  allow: "none",
  prefer: "none",
  require: "unverified",
  "verify-ca": "verified",
  "verify-full": "verified",
};

/** Reads `postgres://user:password@host:port/database`. Beyond loopback nothing goes over an open line unless told. */
export function readAddress(text: string, options: AddressOptions): FleetAddress {
  const url = urlOf(text);
  const query = new Map(url.searchParams);
  const odd = [...query.keys()].find((key) => key !== "sslmode" && key !== "sslrootcert");
  if (odd !== undefined) throw refused(`the parameter \`${odd}\` is not known; \`sslmode\` and \`sslrootcert\` are`);
  const mode = query.get("sslmode");
  if (mode !== undefined && !Object.hasOwn(TLS_OF_MODE, mode)) throw refused(`there is no sslmode \`${mode}\``);
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1");
  const usual = isLoopback(host) ? "none" : "verified";
  const tls = mode === undefined ? usual : (TLS_OF_MODE[mode] ?? usual);
  const isPlain = tls === "none" && !isLoopback(host);
  if (isPlain && !options.allowsPlainText) throw new HookwrightError("HW_FLEET_PLAIN_TEXT", { host, mode: mode ?? "" });
  const caFile = options.caFile ?? query.get("sslrootcert");
  return {
    host,
    port: Number(url.port || 5432),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    password: passwordOf(url, options),
    tls: mode === undefined && options.allowsPlainText ? "none" : tls,
    ca: caFile === undefined || caFile === "system" ? "" : readText(caFile),
  };
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The text may contain a password, so it is not repeated.
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) throw refused("it does not begin with `postgres://`");
  if (url.hostname === "") throw refused("it names no host");
  if (url.username === "") throw refused("it names no role");
  if (!/^\/[^/]+$/.test(url.pathname)) throw refused("it names no database");
  return url;
}

function passwordOf(url: URL, { passwordFile, env }: AddressOptions): string {
  if (passwordFile !== undefined) return readText(passwordFile).trim();
  return url.password === "" ? (env.PGPASSWORD ?? "") : decodeURIComponent(url.password);
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new HookwrightError("HW_READ_FAILED", { file, detail: describe(error) }, error);
  }
}

function refused(detail: string): HookwrightError {
  return new HookwrightError("HW_FLEET_ADDRESS", { detail });
}

export function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  return net.isIPv4(host) && host.startsWith("127.");
}

/** As messages and the journal show it: without the password. */
export function shownAddress({ host, port, database }: Pick<FleetAddress, "host" | "port" | "database">): string {
  return `${net.isIPv6(host) ? `[${host}]` : host}:${port}/${database}`;
}

export function addressText({ host, port, database, user, password }: FleetAddress): string {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const shown = net.isIPv6(host) ? `[${host}]` : host;
  return `postgres://${credentials}@${shown}:${port}/${encodeURIComponent(database)}`;
}
