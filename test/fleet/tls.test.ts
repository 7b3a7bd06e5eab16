/** Encrypted connections to a server with a certificate, made here. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FleetAddress } from "../../src/fleet/connection/address.ts";
import { FleetClient } from "../../src/fleet/connection/client.ts";
import { PostgresServer } from "./server.ts";

let folder: string;
let plain: PostgresServer;
let secure: PostgresServer;

/** A certificate for this name that signs itself, and its key, as PEM. */
function certificate(name: string, subject: string): { readonly key: string; readonly certificate: string } {
  const [key, file] = [path.join(folder, `${name}.key`), path.join(folder, `${name}.pem`)];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
      "-keyout",
      key,
    ].concat(["-out", file, "-subj", "/CN=test", "-addext", `subjectAltName=${subject}`]),
    { stdio: "pipe" },
  );
  return { key, certificate: file };
}

beforeAll(async () => {
  folder = fs.mkdtempSync("/tmp/hw-tls-");
  plain = await PostgresServer.start();
  secure = await PostgresServer.start({ certificate: certificate("own", "IP:127.0.0.1") });
});
afterAll(async () => {
  await plain.dispose();
  await secure.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function encryption(address: FleetAddress): Promise<string> {
  const client = new FleetClient(address, 5_000);
  try {
    const [row] = await client.rows<{ version: string | null }>(
      "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
    );
    return row?.version ?? "none";
  } finally {
    await client.close();
  }
}

const own = () => fs.readFileSync(path.join(folder, "own.pem"), "utf8");

it("is encrypted when the certificate comes from the given authority and names the host", async () => {
  expect(await encryption({ ...secure.superuser("postgres"), tls: "verified", ca: own() })).toMatch(/^TLSv1\.[23]$/);
});

it.each([
  ["that Node does not know", () => ({ ca: "" }), /self-signed certificate/],
  [
    "from another authority",
    () => ({ ca: fs.readFileSync(certificate("other", "IP:127.0.0.1").certificate, "utf8") }),
    /certificate/,
  ],
  ["for another host", () => ({ host: "localhost", ca: own() }), /does not match|Hostname/],
])("is refused with a certificate %s", async (_what, about, reason) => {
  const address: FleetAddress = { ...secure.superuser("postgres"), tls: "verified", ...about() };
  await expect(encryption(address)).rejects.toThrow(reason);
});

it("with sslmode=require is encrypted whatever the certificate says", async () => {
  expect(await encryption({ ...secure.superuser("postgres"), tls: "unverified" })).toMatch(/^TLSv1\.[23]$/);
});

it.each(["verified", "unverified"] as const)("never falls back to plain text (%s)", async (tls) => {
  await expect(encryption({ ...plain.superuser("postgres"), tls, ca: own() })).rejects.toThrow();
  expect(await encryption(plain.superuser("postgres"))).toBe("none");
});
