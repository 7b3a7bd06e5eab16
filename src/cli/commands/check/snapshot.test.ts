/** `hookwright check` with snapshots on: it finds out whether a snapshot could be taken, and takes none. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAUNCHER } from "../../../../test/support/world.ts";

/** Outside the folders for temporary files, in which nothing counts as lost. */
let room: string;
let project: string;

beforeAll(() => {
  room = fs.realpathSync(fs.mkdtempSync(path.join(os.homedir(), "hookwright-trial-")));
  project = path.join(room, "project");
  for (const folder of [project, path.join(room, "state")]) fs.mkdirSync(folder, { mode: 0o700 });
  execFileSync("git", ["-C", project, "init", "--quiet"]);
  const options = "{ onLoss: snapshot, snapshotMegabytes: 1 }";
  fs.writeFileSync(path.join(room, "state/config.yml"), `policies:\n  safety/destructive-command: ${options}\n`);
  fs.writeFileSync(path.join(project, "small.txt"), "work\n");
  fs.writeFileSync(path.join(project, "large.bin"), Buffer.alloc(2_000_000, 1));
});
afterAll(() => fs.rmSync(room, { recursive: true, force: true }));

function check(command: string) {
  const env = { ...process.env, HOME: path.join(room, "home"), HOOKWRIGHT_HOME: path.join(room, "state") };
  const run = spawnSync(process.execPath, [LAUNCHER, "check", "--json", command], { cwd: project, env });
  return JSON.parse(run.stdout.toString());
}

it("passes what could be kept, asks about what could not, and keeps neither", () => {
  const told = check("rm small.txt");
  expect(told).toMatchObject({ verdict: "pass", reason: "", effects: [{ loses: true }] });
  expect(told.notes[0].text).toContain("a snapshot was made of 1 file");
  expect(check("rm large.bin")).toMatchObject({
    verdict: "ask",
    policy: "safety/destructive-command",
    reason: expect.stringContaining("No snapshot could be made of it"),
  });
  expect(fs.readdirSync(path.join(room, "state"))).toEqual(["config.yml"]);
  expect(fs.existsSync(path.join(project, ".git/refs/hookwright"))).toBe(false);
});

it("says nothing of losses where no policy that is on looks at them", () => {
  fs.writeFileSync(path.join(room, "state/config.yml"), "profiles: [ntm]\n");
  expect(check("rm small.txt")).toMatchObject({ verdict: "pass", effects: [{ loses: null }] });
});
