import fs from "node:fs";
import { describe, expect } from "vitest";
import { daemonPid } from "../support/frames.ts";
import { rulings } from "../support/records.ts";
import { ANY_CLIENT, doctor, eventually, expectGuarded, test, USABLE_CLIENTS } from "../support/surroundings.ts";
import type { World } from "../support/world.ts";

async function killedDaemon(world: World): Promise<number> {
  const daemon = await world.startDaemon();
  await expectGuarded(world, "before");
  daemon.kill("SIGKILL");
  await daemon.ended;
  return daemon.pid;
}

describe.concurrent("a daemon that was killed", () => {
  test("leaves a socket that keeps nobody from an answer, and the next daemon takes its name", async ({
    makeWorld,
  }) => {
    const world = makeWorld();
    const killed = await killedDaemon(world);
    const report = await doctor(world);
    expect([report.state, report.says("left behind")]).toEqual([
      "absent",
      expect.stringMatching(/^note: [0-9a-f]{12}\.sock$/),
    ]);
    await expectGuarded(world, "after");
    for (const client of USABLE_CLIENTS) {
      expect(rulings(world, `after-${client}-denied`)).toEqual(["deny"]);
      expect(rulings(world, `after-${client}-passed`)).toEqual(["pass"]);
    }
    expect(await eventually("a new daemon", () => daemonPid(world))).not.toBe(killed);
    const later = await doctor(world);
    expect([later.state, later.says("left behind")]).toEqual(["running", "nothing"]);
  });

  test("is tidied up after by doctor", async ({ makeWorld }) => {
    const world = makeWorld();
    await killedDaemon(world);
    const mended = await world.hookwright("doctor", "--fix", "--json");
    expect(mended.stdout).toMatch(/Removed files that ended daemons left behind: [0-9a-f]{12}\.sock/);
    expect(fs.existsSync(world.socket)).toBe(false);
    await expectGuarded(world, "mended", { clients: [ANY_CLIENT], daemon: false });
  });
});
