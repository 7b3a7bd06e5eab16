import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compileConfig, readYaml } from "../config/compile.ts";
import * as patterns from "../config/patterns.ts";
import type { EngineOptions } from "../engine/engine.ts";
import { system } from "../system/system.ts";
import { warmUp } from "./warm-up.ts";

let person: string;

beforeEach(() => {
  person = fs.mkdtempSync(path.join(os.tmpdir(), "hw-warm-"));
});

afterEach(() => fs.rmSync(person, { recursive: true }));

it("leaves nothing behind in the person's folders", async () => {
  const home = path.join(person, ".hookwright");
  fs.mkdirSync(home);
  fs.writeFileSync(path.join(home, "config.yml"), "profiles: [safety, ntm, plan, session, teams]\n");
  const before = fs.readdirSync(person, { recursive: true });
  const options: EngineOptions = {
    home,
    build: "test",
    ports: system,
    busyMs: () => 1_000,
    onJobs: () => expect.unreachable("a job was left behind"),
    policyWorker: path.join(home, "versions/none/outside-worker.cjs"),
    isResident: true,
    compileConfig,
    readYaml,
    loadPatterns: () => patterns,
    readToml: () => ({ problem: "nothing reads TOML here" }),
  };
  await warmUp(options, () => 0);
  expect(fs.readdirSync(person, { recursive: true })).toEqual(before);
});
