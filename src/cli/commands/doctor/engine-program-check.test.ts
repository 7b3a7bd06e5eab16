import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { homeAt } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import type { DoctorContext } from "./context.ts";
import { engineProgramFindings } from "./engine-program-check.ts";

let folder: string;
const OURS = '#!/bin/sh\nexec node "/x/hookwright/bin/engine.mjs" "$@"\n';
const WORKS = "#!/bin/sh\nexit 0\n";

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hwd-"));
  for (const name of ["hw/versions/1-a", "bin", "dist", "managed"]) {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
  }
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function look(profiles: string) {
  put("hw/config.yml", `profiles: [${profiles}]\n`);
  const env = { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), PATH: path.join(folder, "bin") };
  const home = homeAt(path.join(folder, "hw"), folder, system.realPath);
  const store = homeAt(path.join(folder, "managed"), folder, system.realPath);
  const dist = path.join(folder, "dist");
  return engineProgramFindings({
    env,
    cwd: folder,
    home,
    dist,
    places: { store },
    packageRoot: "/pkg",
  } as unknown as DoctorContext);
}

function put(name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/** Records hooks of version 1-a with this profile. */
function install(profile: string): void {
  const record = { agent: "claude-code", scope: "user", file: "/s", version: "1-a", existedBefore: false };
  const rest = { originalSha256: null, originalFile: null, writtenSha256: "", createdDirectory: null, at: "" };
  put("hw/installs.json", JSON.stringify([{ ...record, ...rest, profile: [profile] }]));
}

it("says nothing where sessions are not on", async () => {
  install("safety");
  expect(await look("safety")).toEqual([]);
});

it("is a problem when no program is left: not beside the hooks, and not on the PATH", async () => {
  install("session");
  const [finding] = await look("safety");
  expect(finding).toMatchObject({ name: "engine", level: "problem", ok: false });
  expect(finding?.detail).toContain(`${path.join(folder, "hw/versions/1-a/engine")} is missing`);
  expect(finding?.detail).toContain("the gate holds nothing back");
  expect(finding?.fix).toContain("hookwright init");
});

it("is a problem when the program that agents are told of does not run", async () => {
  put("bin/engine", OURS);
  put("dist/engine", "#!/bin/sh\nexit 3\n");
  expect(await look("session")).toMatchObject([
    { level: "problem", detail: expect.stringContaining("dist/engine, which does not run (exit 3)") },
  ]);
});

it("is content with the one beside the hooks, and says when people have none", async () => {
  install("session");
  const own = put("hw/versions/1-a/engine", WORKS);
  const [finding] = await look("safety");
  expect(finding).toMatchObject({ level: "note", ok: true, detail: expect.stringContaining(`told to run ${own}`) });
  expect(finding?.detail).toContain("`engine` is not on the PATH");
  expect(finding?.fix).toContain("/pkg/bin/engine.mjs");
});

it("says when the one on the PATH is another program", async () => {
  put("dist/engine", WORKS);
  const other = put("bin/engine", "#!/bin/sh\necho a search\n");
  expect(await look("session")).toMatchObject([
    { level: "note", detail: expect.stringContaining(`${other} is another program`) },
  ]);
});

it("is content with ours on the PATH", async () => {
  const file = put("bin/engine", OURS);
  expect(await look("session")).toMatchObject([{ name: "engine", level: "ok", detail: `${file} opens sessions` }]);
});
