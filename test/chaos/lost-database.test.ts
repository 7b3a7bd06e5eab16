import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { forbiddenWrite, prompt } from "../support/events.ts";
import { FrameSender, frameFor } from "../support/frames.ts";
import type { Running } from "../support/processes.ts";
import { emptyLog, query, rulings } from "../support/records.ts";
import { ANY_CLIENT, doctor, expectGuarded, test } from "../support/surroundings.ts";
import type { World } from "../support/world.ts";

/** What can happen to our database while a daemon has it open. */
const HARM: readonly (readonly [name: string, harm: (world: World) => void])[] = [
  ["its first bytes are overwritten", ({ database }) => overwrite(database, 0, 100)],
  ["everything after the first page is overwritten", ({ database }) => overwrite(database, 4096, 1_000_000)],
  ["it is overwritten with its log", ({ database }) => [overwrite(database, 0, 1_000_000), cut(`${database}-wal`, 0)]],
  ["it is cut to nothing", ({ database }) => cut(database, 0)],
  ["it is cut in the middle", ({ database }) => cut(database, 6_000)],
  ["its index is cut to nothing, which kills whoever uses it", ({ database }) => cut(`${database}-shm`, 0)],
  ["it is removed", ({ database }) => fs.rmSync(database)],
  ["its log is removed", ({ database }) => fs.rmSync(`${database}-wal`)],
  ["it is removed with its log", ({ database }) => removeAll(database)],
  ["it is replaced by an empty file", ({ database }) => replace(database, "")],
  ["it is replaced by something else", ({ database }) => replace(database, "something else\n".repeat(1_000))],
  ["the whole home is removed", ({ home }) => fs.rmSync(home, { recursive: true })],
];

/** Of these SQLite itself notices nothing until somebody reads the very pages that were in there. */
const UNNOTICED: typeof HARM = [
  ["its log is overwritten", ({ database }) => overwrite(`${database}-wal`, 0, 1_000_000)],
  ["its log is cut to nothing", ({ database }) => cut(`${database}-wal`, 0)],
];

/** A daemon that has read and written a database whose file holds something. */
async function daemonWithDatabase(world: World): Promise<Running> {
  await expectGuarded(world, "first", { clients: [ANY_CLIENT], daemon: false });
  // Into the file itself, or harm done to it would not matter yet.
  emptyLog(world);
  const daemon = await world.startDaemon();
  await expectGuarded(world, "before", { clients: [ANY_CLIENT] });
  return daemon;
}

function overwrite(file: string, at: number, most: number): void {
  const length = Math.min(most, fs.statSync(file).size - at);
  const fd = fs.openSync(file, "r+");
  fs.writeSync(fd, Buffer.alloc(length, 0x5a), 0, length, at);
  fs.closeSync(fd);
}

function removeAll(database: string): void {
  for (const end of ["", "-wal", "-shm"]) fs.rmSync(database + end, { force: true });
}

function cut(file: string, length: number): void {
  fs.truncateSync(file, length);
}

function replace(file: string, text: string): void {
  fs.writeFileSync(`${file}.other`, text, { mode: 0o600 });
  fs.renameSync(`${file}.other`, file);
}

function damagedFiles(world: World): string[] {
  const names = fs.readdirSync(world.home).filter((name) => name.startsWith("state.db.corrupt-"));
  return names.filter((name) => !/-(?:wal|shm)$/.test(name));
}

const unrecorded = (said: readonly string[]): number =>
  said.filter((text) => text.includes("could not record it")).length;
const setAside = (said: readonly string[]): number =>
  said.filter((text) => text.includes("was damaged and has been moved to")).length;

describe.concurrent("a daemon has the database open", () => {
  test.for(HARM)("%s: calls are decided right and soon recorded again", async ([_, harm], { makeWorld }) => {
    const world = makeWorld();
    const clients = [ANY_CLIENT];
    await daemonWithDatabase(world);
    harm(world);
    const said = await expectGuarded(world, "after", { clients });
    // Somebody who does not know the file as it was before.
    said.push(...(await expectGuarded(world, "cold", { clients, daemon: false })));
    said.push(...(await expectGuarded(world, "again", { clients })));
    expect(rulings(world, `again-${ANY_CLIENT}-denied`)).toEqual(["deny"]);
    expect(rulings(world, `again-${ANY_CLIENT}-passed`)).toEqual(["pass"]);
    expect(query(world, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(unrecorded(said)).toBeLessThanOrEqual(1);
    // Every file that was set aside was spoken of, once.
    const aside = damagedFiles(world);
    expect(setAside(said)).toBe(aside.length);
    const report = await doctor(world);
    expect(report.says("recording")).toBe(`ok: into ${world.database}`);
    expect(report.says("journal")).toMatch(/^ok: \d+ entries since /);
    if (aside.length === 0) expect(report.says("set aside as damaged")).toBe("nothing");
    else expect(report.says("set aside as damaged")).toContain(`note: ${aside[0]}`);
  });

  test.for(UNNOTICED)("%s: calls are decided right, also by those who come after", async ([_, harm], { makeWorld }) => {
    const world = makeWorld();
    const daemon = await daemonWithDatabase(world);
    harm(world);
    await expectGuarded(world, "after", { clients: [ANY_CLIENT] });
    await expectGuarded(world, "cold", { clients: [ANY_CLIENT], daemon: false });
    daemon.kill("SIGTERM");
    await daemon.ended;
    await expectGuarded(world, "alone", { clients: [ANY_CLIENT], daemon: false });
  });

  test("the home becomes a file: that nothing is recorded is said once, and by doctor", async ({ makeWorld }) => {
    const world = makeWorld();
    await world.startDaemon();
    await world.send(prompt(world, "hello"), { client: ANY_CLIENT, daemon: true });
    fs.rmSync(world.home, { recursive: true });
    fs.writeFileSync(world.home, "");
    const said = await expectGuarded(world, "file");
    expect(unrecorded(said)).toBe(1);
    const report = await world.hookwright("doctor", "--json");
    expect([report.exit, `${report.stdout}${report.stderr}`.includes("not a directory")]).toEqual([1, true]);
    fs.rmSync(world.home);
    expect(unrecorded(await expectGuarded(world, "back"))).toBe(0);
    expect(rulings(world, `back-${ANY_CLIENT}-denied`)).toEqual(["deny"]);
  });

  test("doctor alone finds damage that no event has met yet", async ({ makeWorld }) => {
    const world = makeWorld();
    await world.send(forbiddenWrite(world, "before"), { client: ANY_CLIENT, daemon: false });
    for (const end of ["-wal", "-shm"]) fs.rmSync(world.database + end, { force: true });
    replace(world.database, "something else\n".repeat(1_000));
    fs.writeFileSync(path.join(world.home, "off.json"), "{}");
    expect((await doctor(world)).says("recording")).toContain("problem: ");
    expect(damagedFiles(world)).toEqual([]);
  });
});

describe.concurrent("a crowd meets a damaged database", () => {
  test("one sets it aside; every call is decided right, and recorded or said not to be", async ({ makeWorld }) => {
    const world = makeWorld();
    await world.send(forbiddenWrite(world, "before"), { client: ANY_CLIENT, daemon: false });
    for (const end of ["-wal", "-shm"]) fs.rmSync(world.database + end, { force: true });
    replace(world.database, "something else\n".repeat(1_000));
    const senders = Array.from({ length: 12 }, (_, i) => {
      const frame = frameFor(world, forbiddenWrite(world, `call-${i}`), `nonce-${i}`);
      return new FrameSender(world, "cold", [frame]);
    });
    // All of them have loaded the engine and meet the damage within the same moment.
    await Promise.all(senders.map((sender) => sender.ready()));
    const sent = await Promise.all(senders.map((sender) => sender.send()));
    const answers = sent.flatMap(({ replies }) => replies);
    expect(answers.map(({ exit }) => exit)).toEqual(Array(12).fill(2));
    const said = answers.map(({ stderr }) => stderr);
    // What the first made anew is nobody else's damage. Who comes in the very moment of the change may not get through.
    expect(damagedFiles(world)).toHaveLength(1);
    expect(setAside(said)).toBeLessThanOrEqual(1);
    expect(unrecorded(said)).toBeLessThanOrEqual(3);
    const [row] = query(world, "SELECT count(*) AS n FROM journal");
    expect(Number(row?.n)).toBe(12 - unrecorded(said));
  });
});
