import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { forbiddenWrite } from "../support/events.ts";
import { daemonPid } from "../support/frames.ts";
import { sized } from "../support/long.ts";
import { rowCount, rulings } from "../support/records.ts";
import {
  ANY_CLIENT,
  doctor,
  eventually,
  expectGuarded,
  runtimeDir,
  stamp,
  test,
  USABLE_CLIENTS,
} from "../support/surroundings.ts";
import { LAUNCHER, type World } from "../support/world.ts";

/** Recorded where it belongs, once each. */
function expectRecorded(world: World, name: string): void {
  for (const client of USABLE_CLIENTS) {
    expect(rulings(world, `${name}-${client}-denied`)).toEqual(["deny"]);
    expect(rulings(world, `${name}-${client}-passed`)).toEqual(["pass"]);
  }
}

describe.concurrent("the daemon's socket is replaced", () => {
  test("by a file: calls are decided right, and a new daemon takes the place of the unreachable one", async ({
    makeWorld,
  }) => {
    const world = makeWorld();
    const daemon = await world.startDaemon();
    // Stopped while it makes its tables it would keep everybody from recording.
    await world.send(forbiddenWrite(world, "first"), { client: ANY_CLIENT, daemon: true });
    // It would soon notice, and leave the place to another, which puts its socket where the file is.
    daemon.kill("SIGSTOP");
    fs.rmSync(world.socket);
    fs.writeFileSync(world.socket, "mine");
    await expectGuarded(world, "file");
    expectRecorded(world, "file");
    expect((await doctor(world)).says("runtime directory")).toBe(
      `problem: ${world.socket} is a file, so no daemon can listen there`,
    );
    daemon.kill("SIGCONT");
    expect((await daemon.ended).exit).toBe(0);
    expect(fs.readFileSync(world.socket, "utf8")).toBe("mine");
    await world.send(forbiddenWrite(world, "last"), { client: ANY_CLIENT, daemon: true });
    expect(await eventually("a new daemon", () => daemonPid(world))).not.toBe(daemon.pid);
    expect((await doctor(world)).state).toBe("running");
  });

  test("by a directory: calls are decided right, and doctor mends it", async ({ makeWorld }) => {
    const world = makeWorld();
    const daemon = await world.startDaemon();
    fs.rmSync(world.socket);
    fs.mkdirSync(world.socket);
    await expectGuarded(world, "directory");
    expectRecorded(world, "directory");
    expect((await doctor(world)).says("runtime directory")).toContain("is a directory, so no daemon can listen there");
    expect((await daemon.ended).exit).toBe(0);
    const mended = await world.hookwright("doctor", "--fix", "--json");
    expect(mended.stdout).toContain("Removed a directory called");
    expect(fs.existsSync(world.socket)).toBe(false);
    // Nobody tries more often than every ten seconds to start what could not start a moment ago.
    fs.rmSync(stamp(world, "starting"), { force: true });
    await world.send(forbiddenWrite(world, "last"), { client: ANY_CLIENT, daemon: true });
    await eventually("a new daemon", () => daemonPid(world));
  });

  test("by a link to the socket of another home: neither home gets the other's events", async ({ makeWorld }) => {
    const [world, other] = [makeWorld(), makeWorld()];
    const daemon = await world.startDaemon();
    await other.startDaemon();
    await other.send(forbiddenWrite(other, "own"), { client: ANY_CLIENT, daemon: true });
    fs.rmSync(world.socket);
    fs.symlinkSync(other.socket, world.socket);
    await expectGuarded(world, "link");
    expectRecorded(world, "link");
    expect(rowCount(other)).toBe(1);
    expect((await doctor(world)).says("runtime directory")).toContain("is a link, so no daemon can listen there");
    expect((await daemon.ended).exit).toBe(0);
    expect(fs.readlinkSync(world.socket)).toBe(other.socket);
    fs.rmSync(world.socket);
  });

  test("by nothing, with its whole folder: the next daemon is not disturbed by the end of the last", async ({
    makeWorld,
  }) => {
    const world = makeWorld();
    const daemon = await world.startDaemon();
    fs.rmSync(runtimeDir(world), { recursive: true });
    await expectGuarded(world, "gone");
    const next = await eventually("a new daemon", () => daemonPid(world));
    expect(next).not.toBe(daemon.pid);
    expect((await daemon.ended).exit).toBe(0);
    expect(await daemonPid(world)).toBe(next);
    await expectGuarded(world, "next");
    expectRecorded(world, "next");
  });
});

describe.concurrent("the runtime directory is no longer private", () => {
  test.for<[string, (directory: string) => void, string]>([
    ["open to everybody", (directory) => fs.chmodSync(directory, 0o777), "its mode is 777"],
    ["replaced by a link", replaceByLink, "it is not a directory"],
  ])("%s: nobody talks through it, and doctor says so", async ([name, spoil, says], { makeWorld }) => {
    const world = makeWorld();
    await world.startDaemon();
    const directory = runtimeDir(world);
    const before = (await daemonPid(world)) ?? 0;
    spoil(directory);
    const files = fs.readdirSync(directory);
    await expectGuarded(world, name.replaceAll(" ", "-"));
    expectRecorded(world, name.replaceAll(" ", "-"));
    // No stamp, no second daemon: what others can reach is left alone.
    expect(fs.readdirSync(directory)).toEqual(files);
    const report = await doctor(world);
    expect([report.state, report.says("runtime directory")]).toEqual([
      "closed",
      `problem: ${directory} cannot be used as a private runtime directory: ${says}.`,
    ]);
    expect(await daemonPid(world)).toBe(before);
  });
});

function replaceByLink(directory: string): void {
  const elsewhere = `${directory}-elsewhere`;
  fs.renameSync(directory, elsewhere);
  fs.symlinkSync(elsewhere, directory);
}

describe.concurrent("one home under many names", () => {
  test.for(USABLE_CLIENTS)("has one daemon, which the command line finds, %s client", async (client, { makeWorld }) => {
    const world = makeWorld();
    fs.mkdirSync(world.home, { mode: 0o700 });
    const link = path.join(world.root, "link");
    fs.symlinkSync(world.home, link);
    const parent = path.join(world.root, "parent");
    fs.symlinkSync(world.root, parent);
    const whole = [world.home, `${world.home}//`, `${link}/`, `${parent}//hw/`, `${world.home}/`, link, `${parent}/hw`];
    const names = whole.slice(0, sized(4, whole.length));
    const daemon = await world.startDaemon({ HOOKWRIGHT_HOME: `${link}//` });
    for (const [index, HOOKWRIGHT_HOME] of names.entries()) {
      const payload = forbiddenWrite(world, `call-${index}`);
      const answer = await world.send(payload, { client, daemon: true }, { env: { HOOKWRIGHT_HOME } });
      expect(answer.exit, HOOKWRIGHT_HOME).toBe(2);
      const command = [process.execPath, LAUNCHER, "daemon", "status", "--json"];
      const status = await world.start(command, { env: { HOOKWRIGHT_HOME } }).ended;
      // One request for every event and every question so far.
      expect(JSON.parse(status.stdout), HOOKWRIGHT_HOME).toMatchObject({ pid: daemon.pid, events: 2 * index + 2 });
    }
    expect(rowCount(world)).toBe(names.length);
    expect(fs.readdirSync(runtimeDir(world)).filter((name) => name.endsWith(".sock"))).toHaveLength(1);
    // It does not carry the name that processes of this world are found by.
    daemon.kill("SIGTERM");
    expect((await daemon.ended).exit).toBe(0);
  });
});
