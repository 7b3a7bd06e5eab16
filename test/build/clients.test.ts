/** The clients that are published for other machines: the same bytes every time, and they answer like the one built here. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeClientPackages } from "../../scripts/release/clients.mjs";
import { CLIENTS } from "../../scripts/release/platforms.mjs";
import { readBuild } from "../../src/cli/installation/version-folder.ts";
import { DIST, World } from "../support/world.ts";

const ROOT = path.dirname(DIST);
const isHere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

describe.each([...CLIENTS])("the client of $packageName", (client) => {
  const missing = [client.compiler, ...(client.emulator ? [client.emulator] : [])].find(
    ({ program }) => !isHere(program),
  );
  if (missing)
    console.log(`skipped: the client for ${client.title} (${missing.program} of ${missing.package} is missing)`);

  it.skipIf(missing)("has the same bytes when it is built elsewhere, and nothing of this machine in them", () => {
    const world = new World();
    onTestFinished(() => world.dispose());
    const elsewhere = path.join(world.root, "another place");
    fs.cpSync(path.join(ROOT, "client"), path.join(elsewhere, "client"), { recursive: true });
    fs.copyFileSync(path.join(ROOT, "LICENSE"), path.join(elsewhere, "LICENSE"));
    const build = readBuild(ROOT);
    const first = writeClientPackages(ROOT, path.join(world.root, "a"), build, [client]);
    const second = writeClientPackages(elsewhere, path.join(world.root, "b"), build, [client]);
    expect(second).toEqual(first);
    expect(first[client.name]?.sha256).toMatch(/^[0-9a-f]{64}$/);
    const program = fs.readFileSync(path.join(world.root, "a", `client-${client.name}`, "hook"));
    expect(program.includes(ROOT)).toBe(false);
    const other = writeClientPackages(ROOT, path.join(world.root, "c"), { ...build, build: "000000000000" }, [client]);
    expect(other).not.toEqual(first);
  });

  it.skipIf(missing)(
    "denies what has to be denied and lets the rest pass, by itself and through a daemon",
    async () => {
      const world = new World();
      onTestFinished(() => world.dispose());
      const folder = path.join(world.root, "version");
      fs.mkdirSync(folder);
      for (const name of fs.readdirSync(DIST)) {
        if (/\.(?:cjs|list|path)$/.test(name)) fs.copyFileSync(path.join(DIST, name), path.join(folder, name));
      }
      fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
      writeClientPackages(ROOT, world.root, readBuild(ROOT), [client]);
      const program = path.join(folder, "hook");
      fs.copyFileSync(path.join(world.root, `client-${client.name}`, "hook"), program);
      const command = [...(client.emulator ? [client.emulator.program] : []), program, "--profile", "safety"];
      const env = { PATH: process.env.PATH ?? "" };
      const decide = (line: string, ...args: string[]) => {
        const event = { hook_event_name: "PreToolUse", session_id: "s", cwd: world.project, tool_name: "Bash" };
        const input = JSON.stringify({ ...event, tool_use_id: "1", tool_input: { command: line } });
        return world.start([...command, ...args], { env, input }).ended;
      };
      const denied = { exit: 2, stdout: expect.stringContaining('"deny"') };
      expect(await decide("rm -rf ~/", "--no-daemon")).toMatchObject(denied);
      expect(await decide("ls", "--no-daemon")).toMatchObject({ exit: 0, stdout: "", stderr: "" });
      await world.startDaemon();
      // Without its engine only the daemon can have answered.
      fs.rmSync(path.join(folder, "engine.cjs"));
      expect(await decide("rm -rf ~/")).toMatchObject(denied);
      expect(await decide("ls")).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    },
  );
});
