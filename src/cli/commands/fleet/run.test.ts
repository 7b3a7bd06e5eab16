/** What needs no server; the rest is in test/fleet. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runFleet } from "./run.ts";

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "hw-fleet-"));
  fs.mkdirSync(path.join(root, "fleet"));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const lines: string[] = [];
async function run(words: string, options: Record<string, string | boolean> = {}): Promise<number> {
  lines.length = 0;
  return runFleet({
    args: words.split(" ").filter(Boolean),
    options,
    cwd: root,
    env: { HOME: root, HOOKWRIGHT_HOME: root },
    out: (text) => lines.push(text),
    err: (text) => lines.push(text),
  });
}

/** Nothing listens on the port. */
const address = {
  host: "127.0.0.1",
  port: 1,
  database: "team",
  user: "u",
  password: "very-secret",
  tls: "none",
  ca: "",
};
const connect = (more: object = {}): void =>
  fs.writeFileSync(
    path.join(root, "fleet/connection.json"),
    JSON.stringify({ machine: "ant", address, bundleKey: "", connectedAt: 1, ...more }),
  );

describe("an action", () => {
  it.each([
    ["", {}, "HW_USAGE", /Give an action: connect/],
    ["statsu", {}, "HW_USAGE", /no action `statsu`.*status/],
    ["bundle", {}, "HW_USAGE", /no action `bundle`/],
    ["status now", {}, "HW_USAGE", /`status` takes no argument, and got 1/],
    ["migrate", {}, "HW_USAGE", /`migrate` takes URL, and got none/],
    ["connect", {}, "HW_USAGE", /needs a URL/],
    ["status", { name: "x" }, "HW_USAGE", /`status` does not take --name/],
    ["bundle publish a.yml", {}, "HW_USAGE", /needs --key FILE/],
    ["bundle publish a.yml", { key: "k" }, "HW_USAGE", /needs --url URL/],
    ["status", {}, "HW_FLEET_NONE", /not connected/],
    ["machines", {}, "HW_FLEET_NONE", /not connected/],
    ["messages", {}, "HW_FLEET_NONE", /not connected/],
    ["bundle show", {}, "HW_FLEET_NONE", /not connected/],
    ["connect nonsense", {}, "HW_FLEET_ADDRESS", /does not begin with `postgres:\/\/`/],
    ["connect postgres://u:p@example.org/d?sslmode=disable", {}, "HW_FLEET_PLAIN_TEXT", /would not be encrypted/],
    ["connect postgres://u@127.0.0.1:1/d", { "password-file": "/nowhere/p" }, "HW_READ_FAILED", /\/nowhere\/p/],
    ["connect postgres://u:very-secret@127.0.0.1:1/d", {}, "HW_FLEET_UNREACHABLE", /^((?!very-secret).)*$/s],
  ])("%j with %j is refused", async (words, options, code, reason) => {
    await expect(run(words, options as Record<string, string>)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(reason),
    });
    expect(fs.existsSync(path.join(root, "fleet/connection.json"))).toBe(false);
  });
});

describe("without an answer of the server", () => {
  it("the status says so, with exit code 1 and without the password", async () => {
    connect();
    expect(await run("status", { json: true })).toBe(1);
    expect(JSON.parse(lines.join())).toMatchObject({ machine: "ant", reached: false, link: false });
    expect(await run("status")).toBe(1);
    expect(lines.join("\n")).toMatch(/127\.0\.0\.1:1\/team, does not answer: [\s\S]*has not begun/);
    expect(lines.join("\n")).not.toContain("very-secret");
  });

  it("the machines of the last contact are shown, and since when that is stale", async () => {
    connect();
    const machines = [{ name: "bee", lastSeen: 1_800_000_000_000, sessions: 2, isResting: false, isStale: true }];
    const bundle = { revision: 0, signer: "", problem: "" };
    const status = { machine: "ant", at: 1, lastContact: 1_800_000_000_000, problem: "", waiting: 0, machines, bundle };
    fs.writeFileSync(path.join(root, "fleet/status.json"), JSON.stringify(status));
    expect(await run("machines", { json: true })).toBe(0);
    expect(JSON.parse(lines.join())).toMatchObject({ machines, staleSince: "2027-01-15T08:00:00.000Z" });
    expect(await run("machines")).toBe(0);
    expect(lines.join("\n")).toMatch(/bee +not seen +2027[\s\S]*Stale since 2027/);
  });
});

it("disconnecting removes the password and the bundle", async () => {
  connect();
  fs.writeFileSync(path.join(root, "fleet/bundle.yml"), "policies: {}\n");
  expect(await run("disconnect")).toBe(0);
  expect(fs.existsSync(path.join(root, "fleet"))).toBe(false);
  expect(await run("disconnect", { json: true })).toBe(0);
  expect(JSON.parse(lines.join())).toEqual({ connected: false, wasConnected: false });
});

it("a damaged connection is named, and disconnecting removes it", async () => {
  connect({ address: { ...address, tls: "perhaps" } });
  await expect(run("status")).rejects.toMatchObject({
    code: "HW_FLEET_FILE",
    message: expect.stringContaining("connection.json"),
  });
  expect(await run("disconnect")).toBe(0);
});
