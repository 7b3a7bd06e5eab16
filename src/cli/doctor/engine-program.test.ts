import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { homeAt } from "../../core/home.ts";
import { system } from "../../engine/system.ts";
import { engineProgram } from "./engine-program.ts";
import type { DoctorWorld } from "./world.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hwd-"));
  fs.mkdirSync(path.join(folder, "hw"));
  fs.mkdirSync(path.join(folder, "bin"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function look(profiles: string) {
  fs.writeFileSync(path.join(folder, "hw/config.yml"), `profiles: [${profiles}]\n`);
  const env = { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), PATH: path.join(folder, "bin") };
  const home = homeAt(path.join(folder, "hw"), folder, system.realPath);
  return engineProgram({ env, cwd: folder, home, packageRoot: "/pkg" } as unknown as DoctorWorld);
}
const put = (text: string): void => fs.writeFileSync(path.join(folder, "bin/engine"), text);

it("says nothing where sessions are not on", async () => {
  expect(await look("safety")).toEqual([]);
});

it("says when there is no engine, and how to get it", async () => {
  const [finding] = await look("session");
  expect(finding).toMatchObject({
    name: "engine",
    level: "problem",
    detail: expect.stringContaining("not on the PATH"),
  });
  expect(finding?.fix).toContain("/pkg/bin/engine.mjs");
});

it("says when it is another program", async () => {
  put("#!/bin/sh\necho a search engine\n");
  expect(await look("session")).toMatchObject([
    { level: "problem", detail: expect.stringContaining("another program") },
  ]);
});

it("is content with ours", async () => {
  put('#!/bin/sh\nexec node "/x/hookwright/bin/engine.mjs" "$@"\n');
  expect(await look("session")).toMatchObject([{ name: "engine", level: "ok" }]);
});
