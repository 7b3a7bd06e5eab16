import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { makeFolder } from "../../../system/make-folder.ts";

export interface Certificate {
  /** Both as PEM. */
  readonly key: string;
  readonly cert: string;
  /** SHA-256, as browsers show it. */
  readonly fingerprint: string;
}

const FILE = "dashboard-tls.pem";
const DAY_MS = 86_400_000;
/** Phones refuse certificates that are valid for more than some 13 months. */
const VALID_MS = 365 * DAY_MS;

/** The self-signed certificate for this host, made at the first use and again before it ends, or for another host. */
export function certificateFor(host: string, folder: string, now: number): Certificate {
  const file = path.join(folder, FILE);
  const kept = readKept(file, host, now);
  if (kept) return kept;
  const made = makeCertificate(host, now);
  makeFolder(folder, 0o700);
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, made.key + made.cert, { mode: 0o600, flag: "wx" });
  return made;
}

function readKept(file: string, host: string, now: number): Certificate | undefined {
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const text = fs.readFileSync(file, "utf8");
  const at = text.indexOf("-----BEGIN CERTIFICATE");
  if (at <= 0) return undefined;
  const [key, cert] = [text.slice(0, at), text.slice(at)];
  const known = new X509Certificate(cert);
  const isForHost = net.isIP(host) === 0 ? known.checkHost(host) : known.checkIP(host);
  const isValid = Date.parse(known.validTo) - now > DAY_MS;
  return isForHost && isValid ? { key, cert, fingerprint: known.fingerprint256 } : undefined;
}

export function makeCertificate(host: string, now: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid("2.5.4.3"), value(UTF8, Buffer.from("Hookwright dashboard")))));
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const body = sequence(
    value(0xa0, value(INTEGER, Buffer.from([2]))),
    value(INTEGER, serial),
    ECDSA_WITH_SHA256,
    name,
    // A clock that is a little behind takes it as well.
    sequence(time(now - DAY_MS), time(now + VALID_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    value(0xa3, sequence(extension("2.5.29.17", sequence(alternativeName(host))), extension("2.5.29.37", SERVER_AUTH))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]);
  const der = sequence(body, ECDSA_WITH_SHA256, value(BIT_STRING, signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  const cert = `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { key, cert, fingerprint: new X509Certificate(cert).fingerprint256 };
}

// The parts of an X.509 certificate in DER: a tag, a length, and the content.

const [INTEGER, BIT_STRING, OCTET_STRING, OID, UTF8, TIME, SEQUENCE, SET] = [2, 3, 4, 6, 12, 24, 0x30, 0x31] as const;

function value(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const bytes: number[] = [];
  for (let rest = content.length; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff);
  const length = content.length < 0x80 ? [content.length] : [0x80 | bytes.length, ...bytes];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return value(SEQUENCE, ...contents);
}

function set(...contents: readonly Buffer[]): Buffer {
  return value(SET, ...contents);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = rest.flatMap((part) => {
    const digits = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift(0x80 | (left & 0x7f));
    return digits;
  });
  return value(OID, Buffer.from([first * 40 + second, ...bytes]));
}

/** Such as `20260102030405Z`. */
function time(at: number): Buffer {
  return value(TIME, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
}

function extension(name: string, content: Buffer): Buffer {
  return sequence(oid(name), value(OCTET_STRING, content));
}

function alternativeName(host: string): Buffer {
  if (net.isIP(host) === 0) return value(0x82, Buffer.from(host));
  return value(0x87, net.isIPv4(host) ? Buffer.from(host.split(".").map(Number)) : bytesOfIPv6(host));
}

function bytesOfIPv6(host: string): Buffer {
  // The parser of addresses writes out every form of them as groups in hexadecimal.
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const [before = "", after] = new URL(`http://[${host}]`).hostname.slice(1, -1).split("::");
  const [left, right] = [groups(before), groups(after ?? "")];
  const zeros = after === undefined ? [] : Array<string>(8 - left.length - right.length).fill("0");
  return Buffer.from([...left, ...zeros, ...right].map((group) => group.padStart(4, "0")).join(""), "hex");
}

const ECDSA_WITH_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));
const SERVER_AUTH = sequence(oid("1.3.6.1.5.5.7.3.1"));
