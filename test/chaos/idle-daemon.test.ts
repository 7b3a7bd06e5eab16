import fs from "node:fs";
import net from "node:net";
import { describe, expect } from "vitest";
import { forbiddenWrite } from "../support/events.ts";
import { daemonPid, frameFor } from "../support/frames.ts";
import { sleep } from "../support/processes.ts";
import { rulings } from "../support/records.ts";
import { eventually, expectGuarded, test, USABLE_CLIENTS } from "../support/surroundings.ts";
import type { World } from "../support/world.ts";

const IDLE_MS = 1_500;
const SOON = { HOOKWRIGHT_DAEMON_IDLE_MS: String(IDLE_MS) };

function tested(world: World): World {
  world.allowCrashPoints();
  return world;
}

/** A client that connects and says no more than it is told to. */
async function connect(world: World): Promise<{ socket: net.Socket; heard: Promise<Buffer> }> {
  const socket = net.connect(world.socket);
  const chunks: Buffer[] = [];
  const heard = new Promise<Buffer>((resolve, reject) => {
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks)));
    socket.on("error", reject);
  });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return { socket, heard };
}

const socketIsGone = (world: World): Promise<true> =>
  eventually("the end of the socket", () => (fs.existsSync(world.socket) ? undefined : true));

describe.concurrent("a daemon without work", () => {
  test("leaves, and the next client starts another", async ({ makeWorld }) => {
    const world = tested(makeWorld());
    const daemon = await world.startDaemon(SOON);
    expect((await daemon.ended).exit).toBe(0);
    expect(fs.existsSync(world.socket)).toBe(false);
    await expectGuarded(world, "after");
    expect(await eventually("a new daemon", () => daemonPid(world))).not.toBe(daemon.pid);
  });

  test("stays as long as there is some", async ({ makeWorld }) => {
    const world = tested(makeWorld());
    const daemon = await world.startDaemon(SOON);
    for (let i = 0; i < 8; i++) {
      expect(await daemonPid(world)).toBe(daemon.pid);
      await sleep(IDLE_MS / 4);
    }
  });

  test("first answers those who are already connected", async ({ makeWorld }) => {
    const world = tested(makeWorld());
    const daemon = await world.startDaemon(SOON);
    const { socket, heard } = await connect(world);
    const frame = frameFor(world, forbiddenWrite(world, "late"), "nonce-late");
    socket.write(frame.subarray(0, 100));
    await socketIsGone(world);
    socket.write(frame.subarray(100));
    const reply = await heard;
    expect([reply[0], reply.toString("utf8", 5).includes('"deny"')]).toEqual([2, true]);
    expect((await daemon.ended).exit).toBe(0);
    expect(rulings(world, "late")).toEqual(["deny"]);
  });

  test("does not wait for ever for one who never asks", async ({ makeWorld }) => {
    const world = tested(makeWorld());
    const daemon = await world.startDaemon(SOON);
    const { socket, heard } = await connect(world);
    heard.catch(() => undefined);
    await socketIsGone(world);
    const started = performance.now();
    expect((await daemon.ended).exit).toBe(0);
    console.log(`left ${Math.round(performance.now() - started)} ms after its socket, with a silent client connected`);
    socket.destroy();
    await expectGuarded(world, "after");
    await eventually("a new daemon", () => daemonPid(world));
  });

  test("leaves a socket alone that is no longer its own", async ({ makeWorld }) => {
    const world = tested(makeWorld());
    const daemon = await world.startDaemon(SOON);
    fs.rmSync(world.socket);
    const other = net.createServer((connection) => connection.destroy());
    await new Promise<void>((resolve) => other.listen(world.socket, resolve));
    const inode = fs.statSync(world.socket).ino;
    expect((await daemon.ended).exit).toBe(0);
    expect(fs.statSync(world.socket).ino).toBe(inode);
    await new Promise<void>((resolve) => other.close(() => resolve()));
  });

  test("stays without the marker file, whatever the environment says", async ({ makeWorld }) => {
    const world = makeWorld();
    const daemon = await world.startDaemon(SOON);
    await sleep(2 * IDLE_MS);
    expect(await daemonPid(world)).toBe(daemon.pid);
  });

  test.for(USABLE_CLIENTS)(
    "whoever comes while it leaves is answered right, %s client",
    async (client, { makeWorld }) => {
      const world = tested(makeWorld());
      const daemon = await world.startDaemon({ HOOKWRIGHT_DAEMON_IDLE_MS: "150" });
      // One call after the other, from before the end until well after it.
      let hasEnded = false;
      daemon.ended.then(() => {
        hasEnded = true;
      });
      for (let i = 0, after = 0; after < 3; after += hasEnded ? 1 : 0, i++) {
        const answer = await world.send(forbiddenWrite(world, `call-${i}`), { client, daemon: true });
        expect(answer.exit).toBe(2);
        expect(rulings(world, `call-${i}`)).toEqual(["deny"]);
        await sleep(60 * i);
      }
    },
  );
});
