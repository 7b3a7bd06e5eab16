import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { homeAt } from "../../../system/home.ts";
import { fleetFindings } from "./fleet-check.ts";

const NOW = 1_800_000_000_000;
const address = {
  host: "db.example.org",
  port: 5432,
  database: "team",
  user: "u",
  password: "secret",
  tls: "none",
  ca: "",
};
const connection = { machine: "ant", address, bundleKey: "", connectedAt: NOW };
const bundle = { revision: 3, signer: "Ada", problem: "" };
const status = {
  machine: "ant",
  at: NOW,
  lastContact: NOW,
  problem: "",
  waiting: 7,
  machines: [],
  foreignClaims: 0,
  bundle,
};

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "hw-fleet-check-"));
  fs.mkdirSync(path.join(root, "fleet"));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const write = (name: string, value: unknown): void =>
  fs.writeFileSync(path.join(root, "fleet", name), typeof value === "string" ? value : JSON.stringify(value));
const found = () => fleetFindings({ home: homeAt(root, root) }, NOW).map(({ level, detail }) => `${level}: ${detail}`);

it("says nothing without a fleet", () => {
  expect(found()).toEqual([]);
});

it.each([
  ["all is well", status, /^ok: ant, connected with db\.example\.org:5432\/team; policy bundle 3$/],
  [
    "the server is gone",
    { ...status, problem: "no answer" },
    /^note: .*stale since .* \(no answer\); 7 journal entries wait$/,
  ],
  ["it was never reached", { ...status, lastContact: 0, problem: "no route" }, /^note: .*: never reached \(no route\)/],
  ["nobody keeps it up to date", { ...status, at: NOW - 60_000 }, /^note: .*stale since .*no daemon runs/],
  ["the link has not begun", undefined, /^note: .*the link has not begun/],
])("when %s", (_when, written, expected) => {
  write("connection.json", connection);
  if (written) write("status.json", written);
  expect(found()).toEqual([expect.stringMatching(expected)]);
  expect(found().join()).not.toContain("secret");
});

it("names a bundle that was refused", () => {
  write("connection.json", connection);
  write("status.json", { ...status, bundle: { ...bundle, problem: "The policy bundle was refused: older." } });
  expect(found()).toEqual([expect.stringMatching(/^ok/), "note: The policy bundle was refused: older."]);
});

it("names a file that cannot be read", () => {
  write("connection.json", "{ half");
  expect(found()).toEqual([expect.stringMatching(/^note: .*connection\.json cannot be used/)]);
});
