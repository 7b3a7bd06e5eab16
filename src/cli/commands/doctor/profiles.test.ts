import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NO_TERMINAL, typingTerminal } from "../../installation/setup.samples.ts";
import { DoctorWorkspace } from "./doctor.samples.ts";

let practice: DoctorWorkspace;
beforeEach(() => {
  practice = new DoctorWorkspace();
});
afterEach(() => practice.world.dispose());

const config = (): string => path.join(practice.world.home, "config.yml");
const registered = (): string[] => Object.keys(JSON.parse(fs.readFileSync(practice.settings, "utf8")).hooks);

test("the profiles in use are shown, those of the project among them", async () => {
  await practice.install({ profile: "safety,ntm" });
  expect(await practice.ask()).toMatchObject({ code: 0, profiles: ["safety", "ntm"] });
  fs.writeFileSync(path.join(practice.world.project, "hookwright.yml"), "profiles: [plan]\n");
  const { said } = await practice.run({}, NO_TERMINAL);
  expect(said).toMatch(/^info +profiles +safety, ntm, plan,/m);
});

test("events of a profile that was added later are missed, and `init` registers them", async () => {
  await practice.install();
  fs.writeFileSync(config(), "profiles: [safety, teams]\n");
  const missing = await practice.finding("installed");
  expect(missing).toMatchObject({ ok: false, fix: expect.stringContaining("`hookwright init`") });
  expect(missing.detail).toMatch(/has no hook for .*TeammateIdle.*, which the profiles safety, teams need$/);
  await practice.install();
  expect((await practice.finding("installed")).ok).toBe(true);
});

test("so are those that only the profile omc needs", async () => {
  await practice.install();
  expect(registered()).not.toContain("PostToolBatch");
  fs.writeFileSync(config(), "profiles: [safety, omc]\n");
  const { ok, detail } = await practice.finding("installed");
  expect(ok).toBe(false);
  expect(detail).toMatch(/has no hook for .*PostToolBatch.*InstructionsLoaded.*, which the profiles safety, omc need$/);
  await practice.install();
  expect(registered()).toEqual(expect.arrayContaining(["PostToolBatch", "InstructionsLoaded"]));
  expect((await practice.finding("installed")).ok).toBe(true);
});

test("a project's profile needs its events where that project is, and nowhere else", async () => {
  await practice.install();
  fs.writeFileSync(path.join(practice.world.project, "hookwright.yml"), "profiles: [teams]\n");
  expect((await practice.finding("installed")).detail).toContain("TeammateIdle");
  fs.rmSync(path.join(practice.world.project, "hookwright.yml"));
  expect((await practice.finding("installed")).ok).toBe(true);
});

test("profiles that hold for the whole machine are named with their file", async () => {
  practice.places = { ...practice.places, uid: 0 };
  await practice.install({ scope: "managed", profile: "safety,plan" });
  const { ok, detail } = await practice.finding("installed");
  expect(ok).toBe(true);
  expect(detail).toMatch(/managed-settings\.json \(profiles safety, plan, whatever the configuration says\)$/);
});

test("hooks that name profiles themselves are found, and mended without a question about profiles", async () => {
  await practice.install();
  const settings = fs.readFileSync(practice.settings, "utf8");
  fs.writeFileSync(practice.settings, settings.replaceAll('"--event"', '"--profile", "ntm", "--event"'));
  expect((await practice.finding("installed")).detail).toMatch(
    /use the profiles ntm, whatever the configuration says$/,
  );
  await practice.run({ fix: true }, typingTerminal("y\n"));
  expect(fs.readFileSync(practice.settings, "utf8")).not.toContain("--profile");
  expect(fs.readFileSync(config(), "utf8")).toBe("profiles: [ntm]\n");
  expect(await practice.ask()).toMatchObject({ profiles: ["ntm"] });
});
