import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sleep } from "../../../../test/support/processes.ts";
import { NO_TERMINAL, typingTerminal } from "../../installation/setup.samples.ts";
import { isAlive } from "../../state/processes.ts";
import { DoctorWorkspace } from "./doctor.samples.ts";

let practice: DoctorWorkspace;
let directory: string;
beforeEach(() => {
  practice = new DoctorWorkspace();
  directory = path.join(practice.world.runtime, `hookwright-${practice.uid}`);
});
afterEach(() => practice.world.dispose());

const asRoot = process.getuid?.() === 0;

describe("runtime directory", () => {
  test("open to others: named, and made private again", async () => {
    fs.mkdirSync(directory);
    fs.chmodSync(directory, 0o777);
    const planted = path.join(directory, "planted");
    fs.writeFileSync(planted, "");
    if (asRoot) fs.chownSync(planted, 1234, 1234);
    const found = await practice.finding("runtime directory");
    expect([found.ok, found.detail]).toEqual([false, expect.stringContaining("mode is 777")]);
    expect((await practice.ask({ fix: true })).fixed).toEqual([`Made ${directory} private again.`]);
    expect(fs.statSync(directory).mode & 0o777).toBe(0o700);
    expect(fs.existsSync(planted)).toBe(!asRoot);
    expect(await practice.finding("runtime directory")).toMatchObject({ ok: true });
  });

  test("no directory, or too long a path", async () => {
    fs.writeFileSync(directory, "");
    expect(await practice.finding("runtime directory")).toMatchObject({
      ok: false,
      detail: expect.stringContaining("not a directory"),
    });
    expect((await practice.ask({ fix: true })).fixed).toEqual([]);
    practice.env = { XDG_RUNTIME_DIR: `/tmp/${"long".repeat(30)}` };
    expect(await practice.finding("runtime directory")).toMatchObject({
      ok: false,
      detail: expect.stringContaining("bytes"),
    });
  });

  test.each(["a file", "a directory", "a link"])("%s in place of the socket", async (what) => {
    fs.mkdirSync(directory, { mode: 0o700 });
    const { socket } = practice.world;
    if (what === "a file") fs.writeFileSync(socket, "");
    else if (what === "a directory") fs.mkdirSync(socket);
    else fs.symlinkSync("/dev/null", socket);
    const found = await practice.finding("runtime directory");
    expect([found.ok, found.detail]).toEqual([false, expect.stringContaining(`is ${what}`)]);
    expect((await practice.ask({ fix: true })).fixed).toEqual([
      `Removed ${what} called ${socket}, where the daemon's socket belongs.`,
    ]);
    expect(fs.lstatSync(socket, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("what dead daemons left behind goes, what a living one uses stays", async () => {
    const daemon = await practice.world.startDaemon();
    const { socket } = practice.world;
    const old = path.join(directory, "00112233aabb.starting");
    const fresh = path.join(directory, "ffffffffffff.starting");
    fs.writeFileSync(old, "");
    fs.utimesSync(old, new Date(0), new Date(0));
    fs.writeFileSync(fresh, "");
    const told = await practice.ask({ fix: true });
    expect(told.fixed).toEqual(["Removed files that ended daemons left behind: 00112233aabb.starting."]);
    expect([fs.existsSync(socket), fs.existsSync(fresh), told.daemon.pid]).toEqual([true, true, daemon.pid]);
    daemon.kill("SIGKILL");
    await daemon.ended;
    expect(await practice.finding("left behind")).toMatchObject({ level: "note", detail: path.basename(socket) });
    expect((await practice.ask({ fix: true })).fixed).toEqual([
      `Removed files that ended daemons left behind: ${path.basename(socket)}.`,
    ]);
    expect(fs.existsSync(socket)).toBe(false);
  });
});

test("a daemon that hangs is ended and started again", async () => {
  const daemon = await practice.world.startDaemon();
  // Waits until the daemon has finished its start, during which it may hold the database.
  await sleep(1_000);
  process.kill(daemon.pid, "SIGSTOP");
  practice.runs = 3;
  const told = await practice.ask();
  expect(told.daemon.state).toBe("wedged");
  expect(told.findings.find((one) => one.name === "daemon")).toMatchObject({
    ok: false,
    detail: expect.stringContaining(`process ${daemon.pid}`),
  });
  expect(told.cost?.via).toBe("in process");
  const mended = await practice.ask({ fix: true });
  expect(mended.fixed).toEqual([expect.stringContaining(`process ${daemon.pid}`)]);
  expect(mended.daemon).toMatchObject({ running: true, state: "running" });
  expect(mended.daemon.pid).not.toBe(daemon.pid);
  await daemon.ended;
  expect(isAlive(daemon.pid)).toBe(false);
});

describe("what was installed", () => {
  test("changed files are put back, and the hooks use them again", async () => {
    await practice.install();
    const engine = path.join(practice.folder, "engine.cjs");
    const whole = fs.readFileSync(engine, "utf8");
    fs.writeFileSync(engine, "throw new Error('changed')");
    const told = await practice.ask({ fix: true });
    expect([told.code, told.fixed]).toEqual([0, [`Restored the changed files in ${practice.folder}.`]]);
    expect(fs.readFileSync(engine, "utf8")).toBe(whole);
  });

  test("lost entries come back only after a yes", async () => {
    await practice.install({ profile: "safety,ntm" });
    const settings = fs.readFileSync(practice.settings, "utf8");
    fs.writeFileSync(practice.settings, "{}");
    const refused = await practice.run({ fix: true }, typingTerminal("n\n"));
    expect([refused.code, fs.readFileSync(practice.settings, "utf8")]).toEqual([1, "{}"]);
    const { said } = await practice.run({ fix: true }, NO_TERMINAL);
    expect(said).toContain("were not repaired, because you have to agree: run `hookwright init` in a terminal.");
    expect(fs.readFileSync(practice.settings, "utf8")).toBe("{}");
    const agreed = await practice.run({ fix: true }, typingTerminal("y\n"));
    expect([agreed.code, agreed.said]).toEqual([
      0,
      expect.stringContaining(`Added the missing hooks to ${practice.settings} again.`),
    ]);
    expect(JSON.parse(fs.readFileSync(practice.settings, "utf8"))).toEqual(JSON.parse(settings));
  });

  test("a project's entries come back in the project, wherever doctor runs", async () => {
    await practice.install({ scope: "local" });
    const file = path.join(practice.world.project, ".claude", "settings.local.json");
    fs.rmSync(file);
    expect((await practice.run({ fix: true }, typingTerminal("y\n"))).code).toBe(0);
    expect(fs.readFileSync(file, "utf8")).toContain("PreToolUse");
  });

  test("nothing, because nothing needed it", async () => {
    await practice.install();
    const { said, code } = await practice.run({ fix: true }, NO_TERMINAL);
    expect([code, said]).toEqual([0, expect.stringContaining("Repaired: nothing, because nothing needed it")]);
  });
});
