import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { openConnection } from "../../src/state/driver.ts";
import { forbiddenWrite, harmlessWrite } from "../support/events.ts";
import { frameFor } from "../support/frames.ts";
import { type Answer, noProcessList, type Running } from "../support/processes.ts";
import { counters, journal, query, rulings } from "../support/records.ts";
import {
  ANY_CLIENT,
  daemonsOf,
  doctor,
  eventually,
  expectGuarded,
  runtimeDir,
  test,
  USABLE_CLIENTS,
} from "../support/surroundings.ts";
import { type ClientKind, DIST, type World } from "../support/world.ts";

const OTHER_BUILD = "0123456789ab";

/** Another build of the same sources: nothing but its name is different, in every place that knows it. */
function makeOtherBuild(world: World): string {
  const root = path.join(world.root, "other");
  const dist = path.join(root, "dist");
  fs.cpSync(DIST, dist, { recursive: true, preserveTimestamps: true });
  for (const folder of ["node_modules", "bin", "package.json"]) {
    fs.symlinkSync(path.join(DIST, "..", folder), path.join(root, folder));
  }
  for (const name of ["build.json", "hook.cjs", "hook"].filter((file) => fs.existsSync(path.join(dist, file)))) {
    const file = path.join(dist, name);
    const bytes = fs.readFileSync(file);
    expect(bytes.includes(world.build), name).toBe(true);
    // As long as the old one, so a compiled program stays what it is.
    for (let at = bytes.indexOf(world.build); at >= 0; at = bytes.indexOf(world.build)) bytes.write(OTHER_BUILD, at);
    fs.writeFileSync(file, bytes);
  }
  return dist;
}

function command(dist: string, client: ClientKind): string[] {
  return client === "c" ? [path.join(dist, "hook")] : [process.execPath, path.join(dist, "hook.cjs")];
}

function send(world: World, dist: string, client: ClientKind, event: object): Promise<Answer> {
  return world.start(command(dist, client), { input: JSON.stringify(event) }).ended;
}

async function startDaemon(world: World, dist: string): Promise<Running> {
  const env = { HOOKWRIGHT_DAEMON_LOG: "stderr" };
  const daemon = world.start([process.execPath, path.join(dist, "daemon.cjs")], { cwd: "/", env });
  await daemon.sees("stderr", /listening on/);
  return daemon;
}

/** What `hookwright daemon …` of one build says. */
async function daemonCommand(world: World, dist: string, action: "status" | "stop") {
  const run = `import(${JSON.stringify(`file://${dist}/cli.mjs`)}).then(({ main }) => main(process.argv.slice(1)))`;
  const done = await world.start([process.execPath, "-e", run, "daemon", action, "--json"]).ended;
  return JSON.parse(done.stdout) as { running: boolean; pid?: number; build?: string; events?: number };
}

if (noProcessList !== "") console.log(noProcessList);

describe.skipIf(noProcessList !== "")("two builds on one home", { concurrent: true }, () => {
  test("each talks to its own daemon only, and both write the same state", async ({ makeWorld }) => {
    const world = makeWorld();
    const other = makeOtherBuild(world);
    const daemons = [await startDaemon(world, DIST), await startDaemon(world, other)];
    expect(daemonsOf(world).sort()).toEqual(daemons.map(({ pid }) => pid).sort());
    const sockets = fs.readdirSync(runtimeDir(world)).filter((name) => name.endsWith(".sock"));
    expect(sockets).toHaveLength(2);

    const sent: string[] = [];
    for (const [build, dist] of [DIST, other].entries()) {
      for (const client of USABLE_CLIENTS) {
        const id = `call-${build}-${client}`;
        expect((await send(world, dist, client, forbiddenWrite(world, id))).exit).toBe(2);
        expect((await send(world, dist, client, harmlessWrite(world, `${id}-passed`))).exit).toBe(0);
        // A retry through the other build gets the ruling that is already there.
        expect((await send(world, build === 0 ? other : DIST, client, forbiddenWrite(world, id))).exit).toBe(2);
        sent.push(id, `${id}-passed`);
      }
    }
    expect(journal(world).map((row) => row.tool_use_id)).toEqual(sent);
    expect(counters(world, "session-1")).toEqual({ events: sent.length, toolCalls: sent.length });
    // Three calls by every client were for each of them, and none was passed on; the question itself counts too.
    const statuses = [await daemonCommand(world, DIST, "status"), await daemonCommand(world, other, "status")];
    expect(statuses.map(({ pid, build, events }) => [pid, build, events])).toEqual([
      [daemons[0]?.pid, world.build, 3 * USABLE_CLIENTS.length + 1],
      [daemons[1]?.pid, OTHER_BUILD, 3 * USABLE_CLIENTS.length + 1],
    ]);

    expect(await daemonCommand(world, other, "stop")).toEqual({ running: false });
    expect((await daemons[1]?.ended)?.exit).toBe(0);
    expect(daemonsOf(world)).toEqual([daemons[0]?.pid]);
    await expectGuarded(world, "after");
    expect((await daemonCommand(world, DIST, "status")).events).toBe(5 * USABLE_CLIENTS.length + 2);
  });

  test("a client without a daemon of its own starts one, and does not ask the other's", async ({ makeWorld }) => {
    const world = makeWorld();
    const other = makeOtherBuild(world);
    const daemon = await startDaemon(world, DIST);
    expect((await send(world, other, ANY_CLIENT, forbiddenWrite(world, "call"))).exit).toBe(2);
    await eventually("a second daemon", () => daemonsOf(world).length === 2);
    expect((await daemonCommand(world, DIST, "status")).events).toBe(1);
    expect(daemonsOf(world)).toContain(daemon.pid);
    const report = await doctor(world);
    expect([report.state, report.says("other daemons")]).toEqual([
      "running",
      "ok: 1 running, of other versions or other HOOKWRIGHT_HOME folders",
    ]);
  });

  test("a frame that reached the wrong daemon gets no answer from it", async ({ makeWorld }) => {
    const world = makeWorld();
    const other = makeOtherBuild(world);
    await startDaemon(world, other);
    const [socket = ""] = fs.readdirSync(runtimeDir(world)).filter((name) => name.endsWith(".sock"));
    const frame = frameFor(world, forbiddenWrite(world, "stray"), "nonce");
    const ask = `const socket = require("node:net").connect(process.argv[1], () => socket.write(Buffer.from(process.argv[2], "base64")));
      socket.on("data", (chunk) => process.stdout.write(chunk));`;
    const done = spawnSync(process.execPath, [
      "-e",
      ask,
      path.join(runtimeDir(world), socket),
      frame.toString("base64"),
    ]);
    expect([done.status, done.stdout.length]).toEqual([0, 0]);
    expect(rulings(world, "stray")).toEqual([]);
  });
});

describe.concurrent("a database that a newer build has opened", () => {
  test("is used by this one: it decides, records, and leaves the version alone", async ({ makeWorld }) => {
    const world = makeWorld();
    await expectGuarded(world, "before", { daemon: false });
    const newer = openConnection(world.database);
    newer.exec(`
      ALTER TABLE journal ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
      ALTER TABLE sessions ADD COLUMN colour TEXT;
      ALTER TABLE jobs ADD COLUMN priority INTEGER NOT NULL DEFAULT 5;
      ALTER TABLE keys ADD COLUMN origin TEXT;
      CREATE TABLE predictions (id INTEGER PRIMARY KEY, text TEXT);
      CREATE INDEX journal_mood ON journal (mood, id);
      PRAGMA user_version = 99;
    `);
    newer.close();
    await world.startDaemon();
    for (const daemon of [true, false]) {
      const said = await expectGuarded(world, `after-${daemon}`, { daemon });
      expect(said.join("")).not.toMatch(/could not|damaged/);
    }
    const calls = 6 * USABLE_CLIENTS.length;
    expect(query(world, "SELECT count(*) AS n, count(DISTINCT mood) AS moods FROM journal")).toEqual([
      { n: calls, moods: 1 },
    ]);
    expect(counters(world, "session-1")).toEqual({ events: calls, toolCalls: calls });
    expect(query(world, "PRAGMA user_version")).toEqual([{ user_version: 99 }]);
    expect(fs.readdirSync(world.home).filter((name) => name.includes("corrupt"))).toEqual([]);
    const printed = await world.hookwright("journal", "--json", "--denied");
    expect(printed.stdout.trimEnd().split("\n")).toHaveLength(calls / 2);
  });
});
