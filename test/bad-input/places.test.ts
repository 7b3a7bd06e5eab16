import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openConnection } from "../../src/state/driver.ts";
import { forbiddenWrite, harmlessWrite, prompt } from "../support/events.ts";
import { outside, strays } from "../support/footprint.ts";
import { noMount, noOrdinaryUser, ordinaryUser } from "../support/privileges.ts";
import type { Answer } from "../support/processes.ts";
import { emptyLog, rulings } from "../support/records.ts";
import { AVAILABLE, ROUTES, shareOf } from "../support/routes.ts";
import { type Route, World } from "../support/world.ts";

for (const reason of [noOrdinaryUser, noMount]) if (reason !== "") console.log(reason);

let world: World;
afterEach(() => world.dispose());

const NOT_RECORDED = "Hookwright decided, but could not record it: ";

/** The decision is made whatever the state of the disk, and that it was not written down is said, once a session. */
async function expectDecidedButNotRecorded(route: Route, why: RegExp): Promise<void> {
  const before = outside(world);
  const denied = await world.send(forbiddenWrite(world, "call-denied"), route);
  expect(denied.exit).toBe(2);
  expect(JSON.parse(denied.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  expect(denied.stderr).toContain("git's own storage");
  expectWarning(denied, why);

  const again = await world.send(forbiddenWrite(world, "call-again"), route);
  expect(again.exit).toBe(2);
  expect(again.stderr).not.toContain(NOT_RECORDED);
  expect(await world.send(harmlessWrite(world, "call-passed"), route)).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: "",
  });

  // So far it stands in a log. Here the agent shows it to the person.
  const asked = await world.send(prompt(world, "hello"), route);
  expect(asked.exit).toBe(0);
  expectWarning(asked, why);
  expect(JSON.parse(asked.stdout).systemMessage).toContain(NOT_RECORDED);
  expect(await world.send(prompt(world, "hello"), route)).toMatchObject({ exit: 0, stdout: "", stderr: "" });

  const unreadable = await world.send("{", route, { args: ["--event", "PreToolUse"] });
  expect(unreadable.exit).toBe(2);
  expectWarning(unreadable, why);
  const unknown = await world.send({ hook_event_name: "BrandNew", session_id: "session-2" }, route);
  expect(unknown.exit).toBe(0);
  expectWarning(unknown, why);
  expect(await world.send(harmlessWrite(world, "other", "session-2"), route)).toMatchObject({ exit: 0, stderr: "" });
  expect(outside(world)).toEqual(before);
}

function expectWarning(answer: Answer, why: RegExp): void {
  const said = answer.stderr.split("\n").filter((line) => line.startsWith(NOT_RECORDED));
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(why);
}

describe.each(ROUTES)("a home that cannot be made, $name", (route) => {
  it.skipIf(route.isMissing)("below a regular file: decisions still come", async () => {
    world = new World({ home: "file/hw" });
    fs.writeFileSync(path.join(world.root, "file"), "");
    if (route.daemon) await world.startDaemon();
    await expectDecidedButNotRecorded(route, /not a directory/i);
    expect(fs.readFileSync(path.join(world.root, "file"), "utf8")).toBe("");
  });
});

describe.skipIf(noOrdinaryUser !== "").each(ROUTES)("what may not be written, $name", (route) => {
  it.skipIf(route.isMissing)("a read-only database: decisions still come, and recording goes on later", async () => {
    world = new World({ uid: ordinaryUser });
    expect((await world.send(forbiddenWrite(world, "call-0"), { ...route, daemon: false })).exit).toBe(2);
    fs.chmodSync(world.database, 0o400);
    const daemon = route.daemon ? await world.startDaemon() : undefined;
    await expectDecidedButNotRecorded(route, /read-?only/i);
    daemon?.kill();
    await daemon?.ended;
    fs.chmodSync(world.database, 0o600);
    expect((await world.send(forbiddenWrite(world, "call-1"), { ...route, daemon: false })).exit).toBe(2);
    expect(["call-0", "call-denied", "call-1"].map((id) => rulings(world, id))).toEqual([["deny"], [], ["deny"]]);
  });

  it.skipIf(route.isMissing)("a read-only home without a database", async () => {
    world = new World({ uid: ordinaryUser });
    fs.mkdirSync(world.home, { mode: 0o500 });
    if (ordinaryUser !== undefined) fs.chownSync(world.home, ordinaryUser, ordinaryUser);
    if (route.daemon) await world.startDaemon();
    await expectDecidedButNotRecorded(route, /unable to open|readonly|permission denied/i);
    expect(fs.readdirSync(world.home)).toEqual([]);
  });
});

/** What somebody or something may have done to our database while nobody had it open. */
const DAMAGE: readonly (readonly [name: string, damage: (file: string) => void, isReplaced: boolean])[] = [
  ["overwritten with text", (file) => fs.writeFileSync(file, "not a database, ".repeat(4096)), true],
  ["overwritten in its first page", (file) => overwrite(file, 0, 4096), true],
  ["cut in the middle", (file) => fs.truncateSync(file, 6000), true],
  ["emptied", (file) => fs.truncateSync(file, 0), false],
  ["given a log of noise", (file) => fs.writeFileSync(`${file}-wal`, Buffer.alloc(64_000, 0xa5)), false],
];

function overwrite(file: string, at: number, length: number): void {
  const fd = fs.openSync(file, "r+");
  fs.writeSync(fd, Buffer.alloc(length, 0x5a), 0, length, at);
  fs.closeSync(fd);
}

describe.each(AVAILABLE)("a damaged database, $name", (route) => {
  it.each(shareOf(route, DAMAGE))("%s: decides, records and keeps the damaged file", async (_, damage, isReplaced) => {
    world = new World();
    await world.send(forbiddenWrite(world, "call-0"), { ...route, daemon: false });
    // As long as the log holds every page, the file itself is not even read.
    emptyLog(world);
    damage(world.database);
    if (route.daemon) await world.startDaemon();
    const answer = await world.send(forbiddenWrite(world, "call-1"), route);
    expect(answer.exit).toBe(2);
    expect(answer.stderr).not.toContain(NOT_RECORDED);
    expect(answer.stderr.includes("The state database was damaged and has been moved to")).toBe(isReplaced);
    expect(rulings(world, "call-1")).toEqual(["deny"]);
    const kept = fs.readdirSync(world.home).filter((name) => name.startsWith("state.db.corrupt-"));
    expect(kept.filter((name) => !/-(wal|shm)$/.test(name))).toHaveLength(isReplaced ? 1 : 0);
    expect(strays(world)).toEqual([]);
    // Once told, it is not told again.
    const next = await world.send(forbiddenWrite(world, "call-2"), route);
    expect(next.stderr).not.toContain("damaged");
    expect(rulings(world, "call-2")).toEqual(["deny"]);
  });
});

describe.skipIf(noMount !== "").each(AVAILABLE.filter((route) => !route.daemon))("a full disk, $name", (route) => {
  /** Runs in a mount namespace of its own, with a home of `size`, and leaves answers and database in TMPDIR. */
  async function onSmallDisk(size: string, script: string): Promise<void> {
    fs.mkdirSync(world.home, { mode: 0o700 });
    const events = { denied: forbiddenWrite(world, "call-1"), again: forbiddenWrite(world, "call-2") };
    fs.writeFileSync(path.join(world.temporary, "first"), JSON.stringify(forbiddenWrite(world, "call-0")));
    for (const [name, event] of Object.entries(events)) {
      fs.writeFileSync(path.join(world.temporary, name), JSON.stringify(event));
    }
    const run = 'run() { "$@" <"$TMPDIR/$E" >"$TMPDIR/$E.out" 2>"$TMPDIR/$E.err"; echo $? >"$TMPDIR/$E.exit"; }';
    const mount = `mount -t tmpfs -o size=${size} none "$HOOKWRIGHT_HOME"`;
    const keep = 'cp "$HOOKWRIGHT_HOME"/state.db* "$TMPDIR" || true';
    const shell = ["unshare", "-rm", "sh", "-c", `${run}; ${mount} || exit 9; ${script}; ${keep}`, "sh"];
    const done = await world.start([...shell, ...world.command(route)], { env: { PATH: process.env.PATH ?? "" } })
      .ended;
    expect(done).toMatchObject({ exit: 0 });
  }

  const left = (name: string): string => fs.readFileSync(path.join(world.temporary, name), "utf8");

  it("that fills up: decisions still come, nothing recorded before is lost, and later all is well", async () => {
    world = new World();
    const fill = 'cat /dev/zero >"$HOOKWRIGHT_HOME/fill" 2>/dev/null || true';
    await onSmallDisk(
      "1m",
      `E=first run "$@"; ${fill}; E=denied run "$@"; rm "$HOOKWRIGHT_HOME/fill"; E=again run "$@"`,
    );
    expect(["first", "denied", "again"].map((name) => left(`${name}.exit`))).toEqual(["2\n", "2\n", "2\n"]);
    expect(["first", "denied", "again"].map((name) => left(`${name}.err`).includes(NOT_RECORDED))).toEqual([
      false,
      true,
      false,
    ]);
    const copy = openConnection(path.join(world.temporary, "state.db"));
    const rows = copy.prepare("SELECT tool_use_id FROM journal ORDER BY id").all();
    expect(rows.map((row) => row.tool_use_id)).toEqual(["call-0", "call-2"]);
    expect(copy.prepare("PRAGMA integrity_check").get()?.integrity_check).toBe("ok");
    copy.close();
  });

  it("that was full from the start", async () => {
    world = new World();
    await onSmallDisk("16k", 'E=denied run "$@"');
    expect(left("denied.exit")).toBe("2\n");
    expect(left("denied.err")).toContain("git's own storage");
    expect(left("denied.err")).toContain(NOT_RECORDED);
  });
});

describe.each(AVAILABLE.filter((route) => !route.daemon))("a limit on the size of files, $name", (route) => {
  it("decisions still come", async () => {
    world = new World();
    // 16 blocks of 512 bytes: enough to hand the event over, not for a database.
    const shell = ["/bin/sh", "-c", 'ulimit -f 16; exec "$@"', "sh", ...world.command(route)];
    const answer = await world.start(shell, { input: JSON.stringify(forbiddenWrite(world, "call-1")) }).ended;
    expect(answer.exit).toBe(2);
    expect(answer.stderr).toContain("git's own storage");
    expectWarning(answer, /./);
  });
});
