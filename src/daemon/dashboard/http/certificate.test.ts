import { createPrivateKey, X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { certificateFor, makeCertificate } from "./certificate.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const DAY = 86_400_000;
let folder: string;
beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "hw-tls-")), "private");
});
afterEach(() => fs.rmSync(path.dirname(folder), { recursive: true, force: true }));

describe("a certificate", () => {
  it.each([
    ["192.168.1.20", "IP Address:192.168.1.20"],
    ["fe80::1", "IP Address:FE80:0:0:0:0:0:0:1"],
    ["2001:db8:0:0:1::5", "IP Address:2001:DB8:0:0:1:0:0:5"],
    ["1:2:3:4:5:6:7:8", "IP Address:1:2:3:4:5:6:7:8"],
    ["box.local", "DNS:box.local"],
    [`${"a".repeat(63)}.${"b".repeat(63)}.local`, `DNS:${"a".repeat(63)}.${"b".repeat(63)}.local`],
  ])("for %s is valid by Node's own reading, for a year and this host alone", (host, name) => {
    const { key, cert, fingerprint } = makeCertificate(host, NOW);
    const read = new X509Certificate(cert);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(read.checkIssued(read)).toBe(true);
    expect(read.subjectAltName).toBe(name);
    expect([Date.parse(read.validFrom), Date.parse(read.validTo)]).toEqual([NOW - DAY, NOW + 365 * DAY]);
    expect([read.ca, read.keyUsage, fingerprint]).toEqual([false, ["1.3.6.1.5.5.7.3.1"], read.fingerprint256]);
  });

  it("is made once, and kept where nobody else reads it", () => {
    const made = certificateFor("box.local", folder, NOW);
    expect(certificateFor("box.local", folder, NOW + 300 * DAY)).toEqual(made);
    const [file = ""] = fs.readdirSync(folder);
    expect([fs.statSync(folder).mode & 0o777, fs.statSync(path.join(folder, file)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  it("is made again for another host, shortly before it ends, and where the file is no certificate", () => {
    const { fingerprint } = certificateFor("box.local", folder, NOW);
    const other = certificateFor("192.168.1.20", folder, NOW).fingerprint;
    const late = certificateFor("192.168.1.20", folder, NOW + 364.5 * DAY).fingerprint;
    const [file = ""] = fs.readdirSync(folder);
    fs.writeFileSync(path.join(folder, file), "nothing");
    const again = certificateFor("192.168.1.20", folder, NOW).fingerprint;
    expect(new Set([fingerprint, other, late, again]).size).toBe(4);
  });

  it("does not follow a link that stands in the place of its file", () => {
    certificateFor("box.local", folder, NOW);
    const [file = ""] = fs.readdirSync(folder);
    const elsewhere = path.join(path.dirname(folder), "elsewhere");
    fs.renameSync(path.join(folder, file), elsewhere);
    fs.symlinkSync(elsewhere, path.join(folder, file));
    const before = fs.readFileSync(elsewhere, "utf8");
    certificateFor("box.local", folder, NOW);
    expect(fs.readFileSync(elsewhere, "utf8")).toBe(before);
    expect(fs.lstatSync(path.join(folder, file)).isFile()).toBe(true);
  });
});
