import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { clients, defaultHome, eventually, type Place, run, runDir, socketPath, test, unavailable } from "./harness.ts";

interface Start {
  readonly pid: number;
  readonly argv: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** A daemon that never listens: it notes how it was started and stays, until the test ends it. */
function writeDaemon(place: Place): void {
  const code = `
    const { pid, argv, env } = process;
    require("node:fs").appendFileSync(__dirname + "/starts", JSON.stringify({ pid, argv, cwd: process.cwd(), env }) + "\\n");
    setTimeout(() => undefined, 60_000);
  `;
  fs.writeFileSync(path.join(place.dist, "daemon.cjs"), code);
  place.cleanups.push(() => {
    for (const { pid } of starts(place)) process.kill(pid, "SIGKILL");
  });
}

function starts(place: Place): Start[] {
  const file = path.join(place.dist, "starts");
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line): Start => JSON.parse(line));
}

const firstStart = (place: Place) => eventually(() => starts(place)[0], "a start of the daemon");
/** Long enough for a second daemon, started with the first, to have noted itself too. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 400));
const stampOf = (place: Place) => socketPath(place).replace(/sock$/, "starting");
const session = (pid: number) =>
  fs
    .readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")[3];

describe.concurrent.each(clients)("$name when nobody listens", (client) => {
  describe.skipIf(unavailable(client))("starts a daemon", () => {
    test("that holds nothing of the agent's, and decides by itself meanwhile", async ({ makePlace }) => {
      const place = makePlace();
      writeDaemon(place);
      const env = { LANG: "C", TMPDIR: place.root, TOKEN: "secret", NODE_OPTIONS: "" };
      // `run` waits until the pipes are closed, the leaked one included, while the daemon lives on.
      const done = await run(client, place, [], { env, leak: true });
      expect(done.exit).toBe(7);
      const daemon = await firstStart(place);
      expect(process.kill(daemon.pid, 0)).toBe(true);
      expect(daemon.argv).toEqual([process.execPath, path.join(place.dist, "daemon.cjs")]);
      expect(daemon.cwd).toBe("/");
      expect(daemon.env).toEqual({
        PATH: process.env.PATH,
        HOME: place.user,
        HOOKWRIGHT_HOME: defaultHome(place),
        XDG_RUNTIME_DIR: place.run,
        TMPDIR: place.root,
        LANG: "C",
      });
      expect(fs.statSync(runDir(place)).mode & 0o777).toBe(0o700);
      if (process.platform !== "linux") return;
      expect(session(daemon.pid)).not.toBe(session(process.pid));
      const open = fs
        .readdirSync(`/proc/${daemon.pid}/fd`)
        .map((fd) => fs.readlinkSync(`/proc/${daemon.pid}/fd/${fd}`));
      expect(open.filter((name) => name.startsWith(place.root))).toEqual([]);
    });

    test("once, however many clients come at the same time", async ({ makePlace }) => {
      const place = makePlace();
      writeDaemon(place);
      const done = await Promise.all(Array.from({ length: 8 }, () => run(client, place)));
      expect(done.map(({ exit }) => exit)).toEqual(Array(8).fill(7));
      await firstStart(place);
      await run(client, place);
      await settle();
      expect(starts(place)).toHaveLength(1);
    });

    test("after a socket that its daemon left behind", async ({ makePlace }) => {
      const place = makePlace();
      writeDaemon(place);
      fs.mkdirSync(runDir(place), { mode: 0o700 });
      fs.writeFileSync(socketPath(place), ""); // connecting to what is no socket is refused
      expect((await run(client, place)).exit).toBe(7);
      await firstStart(place);
    });

    test("again when the last start is more than ten seconds ago, and not before", async ({ makePlace }) => {
      const place = makePlace();
      writeDaemon(place);
      fs.mkdirSync(runDir(place), { mode: 0o700 });
      fs.writeFileSync(stampOf(place), "");
      const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
      fs.utimesSync(stampOf(place), ago(6), ago(6));
      const young = fs.statSync(stampOf(place));
      await run(client, place);
      expect(fs.statSync(stampOf(place))).toMatchObject({ ino: young.ino, mtimeMs: young.mtimeMs });
      fs.utimesSync(stampOf(place), ago(12), ago(12));
      const old = fs.statSync(stampOf(place)).mtimeMs;
      await run(client, place);
      await firstStart(place);
      expect(starts(place)).toHaveLength(1);
      // Written anew, for it was twelve seconds old.
      expect(fs.statSync(stampOf(place)).mtimeMs).toBeGreaterThan(old + 5_000);
    });

    test("not when it was told to decide by itself", async ({ makePlace }) => {
      const place = makePlace();
      writeDaemon(place);
      await run(client, place, ["--no-daemon"]);
      expect(fs.existsSync(runDir(place))).toBe(false); // and without a stamp in it nothing is started
    });
  });
});
