import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { killByPid, processesWith } from "../../../test/support/processes.ts";
import { DoctorWorkspace } from "../commands/doctor/doctor.samples.ts";
import { filesBelow } from "./setup.samples.ts";

const OTHER = 1234;
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log("skipped: the machine's client run by another user (only root can become one)");

let practice: DoctorWorkspace;
let home: string;
beforeEach(() => {
  practice = new DoctorWorkspace();
  home = path.join(practice.world.root, "somebody");
});
afterEach(async () => {
  for (const pid of processesWith(`HOME=${home}`)) killByPid(pid);
  await practice.world.dispose();
});

test.skipIf(!isRoot)(
  "what root installed guards another user, with that user's own home and no right to change it",
  async () => {
    const mask = process.umask(0o077);
    await practice.install({ scope: "managed" }).finally(() => process.umask(mask));
    fs.chmodSync(practice.world.root, 0o755);
    // The parent folders belong to the test; everything below is as the installation created it.
    for (let at = path.dirname(practice.places.store.root); at !== practice.world.root; at = path.dirname(at)) {
      fs.chmodSync(at, 0o755);
    }
    fs.mkdirSync(home);
    fs.chownSync(home, OTHER, OTHER);
    const machine = path.join(practice.world.root, "machine");
    const before = filesBelow(machine);
    const { hooks } = JSON.parse(fs.readFileSync(practice.places.settings, "utf8"));
    const { command, args } = hooks.PreToolUse[0].hooks[0] as { command: string; args: string[] };
    const event = {
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: "/p/.git/config" },
      cwd: "/",
    };
    for (const way of [["--no-daemon"], []]) {
      const answer = spawnSync(command, [...args, ...way], {
        input: JSON.stringify({ ...event, session_id: "s", tool_use_id: `t${way.length}` }),
        env: { HOME: home, PATH: "/usr/bin", XDG_RUNTIME_DIR: home },
        encoding: "utf8",
        cwd: "/",
        uid: OTHER,
        gid: OTHER,
      });
      expect([answer.status, answer.stderr]).toEqual([0, ""]);
      expect(JSON.parse(answer.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
    }
    const state = path.join(home, ".local", "share", "hookwright", "state.db");
    expect(fs.statSync(state).uid).toBe(OTHER);
    expect(filesBelow(machine)).toEqual(before);
    const change = spawnSync(process.execPath, ["-e", `fs.appendFileSync(${JSON.stringify(command)}, "x")`], {
      uid: OTHER,
    });
    expect(change.status).not.toBe(0);
  },
);
