import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { homeAt } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import type { DoctorContext } from "./context.ts";
import { teamFindings } from "./team-checks.ts";

let folder: string;
let server: net.Server | undefined;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hwd-"));
});
afterEach(() => {
  server?.close();
  server = undefined;
  fs.rmSync(folder, { recursive: true, force: true });
});

async function findings() {
  const dist = path.join(folder, "dist");
  fs.mkdirSync(dist, { recursive: true });
  fs.writeFileSync(path.join(dist, "build.json"), '{"version":"1.0.0","build":"test"}');
  const env = { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), XDG_RUNTIME_DIR: path.join(folder, "run") };
  const home = homeAt(path.join(folder, "hw"), folder, system.realPath);
  return teamFindings({ env, cwd: folder, home, dist } as unknown as DoctorContext);
}

it("says nothing where there is nothing of agent-team-mail", async () => {
  expect(await findings()).toEqual([]);
});

it("names the project's team", async () => {
  fs.writeFileSync(path.join(folder, ".atm.toml"), '[core]\ndefault_team = "dev"\nidentity = "bob"\n');
  expect(await findings()).toMatchObject([
    { name: "team file", level: "ok", detail: expect.stringContaining("team dev, identity bob") },
    { name: "team socket", level: "ok", detail: expect.stringContaining("when a session starts") },
  ]);
});

it("says that a file that cannot be read counts as absent, and where it is wrong", async () => {
  fs.writeFileSync(path.join(folder, ".atm.toml"), '[core]\ndefault_team = dev"\n');
  const [file] = await findings();
  expect(file).toMatchObject({ name: "team file", level: "note", detail: expect.stringContaining("line 2") });
  expect(file?.fix).toContain("hooks ignore the file");
});

it.each([
  [
    "another daemon",
    '{"version":1,"request_id":"x","status":"error","error":{"code":"UNKNOWN_COMMAND","message":"?"}}\n',
    "belongs to another daemon",
  ],
  ["somebody silent", "", "does not answer"],
])("says when %s has the socket", async (_name, answer, detail) => {
  const place = path.join(folder, ".claude/daemon");
  fs.mkdirSync(place, { recursive: true });
  server = net.createServer((connection) => {
    connection.on("error", () => undefined);
    connection.on("data", () => void (answer !== "" && connection.end(answer)));
  });
  await new Promise<void>((resolve) => server?.listen(path.join(place, "atm-daemon.sock"), resolve));
  expect(await findings()).toMatchObject([
    { name: "team socket", level: "note", detail: expect.stringContaining(detail) },
  ]);
});
