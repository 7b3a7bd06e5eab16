/** A daemon serves every agent of a person, so nothing of the one that happened to start it may be in it or decide. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { harmlessWrite, toolCall } from "../support/events.ts";
import { daemonPid } from "../support/frames.ts";
import { noProcessList } from "../support/processes.ts";
import { eventually, test, USABLE_CLIENTS } from "../support/surroundings.ts";

const KEPT = ["HOME", "HOOKWRIGHT_HOME", "LANG", "PATH", "TMPDIR", "XDG_RUNTIME_DIR"];

describe.skipIf(noProcessList !== "")("a daemon that a hook started", () => {
  test.for(USABLE_CLIENTS)("by the %s client has nothing of the agent's environment", async (client, { makeWorld }) => {
    const world = makeWorld();
    const env = { ANTHROPIC_API_KEY: "for nobody else", GIT_DIR: "/nowhere", CLAUDECODE: "1", TMUX: "/tmp/t,1,0" };
    await world.send(harmlessWrite(world, "call-1"), { client, daemon: true }, { env });
    const pid = await eventually("a daemon", () => daemonPid(world));
    const names = fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    expect(names.map((one) => one.slice(0, one.indexOf("="))).filter((name) => !KEPT.includes(name))).toEqual([]);
  });

  test.for(USABLE_CLIENTS)("asks git with the environment of each %s hook", async (client, { makeWorld }) => {
    const world = makeWorld();
    const git = (...args: string[]): unknown => execFileSync("git", ["-C", world.project, ...args], { stdio: "pipe" });
    git("init", "-q");
    fs.writeFileSync(path.join(world.project, "kept.txt"), "in a commit");
    git("add", "kept.txt");
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "kept");
    const asked = async (number: number, env: Record<string, string>): Promise<string> => {
      const call = toolCall(world, `call-${number}`, "Bash", { command: `rm kept.txt # ${number}` });
      return (await world.send(call, { client, daemon: true }, { env, args: ["--reply", "json"] })).stdout;
    };
    // There is no git on the daemon's own PATH, so it cannot say that nothing would be lost.
    await world.send(harmlessWrite(world, "call-0"), { client, daemon: true });
    await eventually("a daemon", () => daemonPid(world));
    expect(await asked(1, {})).toContain('"ask"');
    expect(await asked(2, { PATH: process.env.PATH ?? "" })).toBe("");
    expect(await asked(3, {})).toContain('"ask"');
  });
});
