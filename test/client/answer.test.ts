import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect } from "vitest";
import {
  answer,
  clients,
  encodeReply,
  eventually,
  field,
  listen,
  type Place,
  run,
  runDir,
  socketPath,
  test,
  unavailable,
  wholeFrame,
} from "./harness.ts";

const BIG = Buffer.alloc(8 << 20, "0123456789abcde");
const startedNothing = (place: Place) => !fs.existsSync(socketPath(place).replace(/sock$/, "starting"));

/** A daemon in a process of its own, stopped by SIGSTOP, with as many connections waiting as fit. */
async function listenStopped(place: Place): Promise<void> {
  const at = socketPath(place);
  fs.mkdirSync(runDir(place), { mode: 0o700 });
  const code = 'require("node:net").createServer().listen({ path: process.argv[1], backlog: 1 })';
  const child = spawn(process.execPath, ["-e", code, at], { stdio: "ignore" });
  const waiting: net.Socket[] = [];
  place.cleanups.push(() => {
    for (const socket of waiting) socket.destroy();
    child.kill("SIGKILL");
  });
  await eventually(() => fs.existsSync(at) || undefined, "the daemon's socket");
  child.kill("SIGSTOP");
  for (let full = false; !full; ) {
    full = await new Promise((resolve) => {
      const socket = net.connect(at, () => resolve(false));
      socket.on("error", () => resolve(true));
      waiting.push(socket);
    });
  }
}

describe.concurrent.each(clients)("$name and a daemon", (client) => {
  describe.skipIf(unavailable(client))("that answers", () => {
    test.for([0, 1, 2, 254])("passes exit code %i and both streams on", async (exit, { makePlace }) => {
      const place = makePlace();
      const bytes = Buffer.from([0, 255, 10, 0xc3, 0x28]);
      await listen(place, answer(encodeReply(exit, bytes, "why\n")));
      const done = await run(client, place);
      expect(done.exit).toBe(exit);
      expect(done.stdout.equals(bytes)).toBe(true);
      expect(done.stderr).toBe("why\n");
    });

    test("passes megabytes on, to a reader who takes his time", async ({ makePlace }) => {
      const place = makePlace();
      await listen(place, answer(encodeReply(3, BIG, BIG)));
      const done = await run(client, place, [], {
        onStart: (child) => {
          child.stdout?.pause();
          setTimeout(() => child.stdout?.resume(), 200);
        },
      });
      expect(done.exit).toBe(3);
      expect(done.stdout.equals(BIG)).toBe(true);
      expect(done.stderr).toBe(BIG.toString());
    });

    test("takes the answer in pieces, and does not wait for the end of the connection", async ({ makePlace }) => {
      const place = makePlace();
      await listen(place, {
        onFrame: async (socket) => {
          for (const byte of encodeReply(4, "out", "err")) {
            socket.write(Buffer.from([byte]));
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
        },
      });
      const done = await run(client, place);
      expect([done.exit, done.stdout.toString(), done.stderr]).toEqual([4, "out", "err"]);
    });

    test("does not get stuck when the answer comes before the question was read", async ({ makePlace }) => {
      const place = makePlace();
      await listen(place, {
        onConnect: (socket) => {
          socket.pause();
          socket.write(encodeReply(5, BIG, ""), () => socket.resume());
        },
      });
      const done = await run(client, place, [], { stdin: BIG });
      expect(done.exit).toBe(5);
      expect(done.stdout.equals(BIG)).toBe(true);
    });

    test("takes an answer from one who hangs up in the middle of the question", async ({ makePlace }) => {
      const place = makePlace();
      const reply = encodeReply(6, BIG.subarray(0, 100_000), ""); // takes more than one read, and fits the socket
      const daemon = await listen(place, {
        onConnect: (socket) => socket.once("data", () => socket.end(reply, () => socket.destroy())),
      });
      const done = await run(client, place, [], { stdin: BIG });
      if (client.compiled) expect([done.exit, done.stdout.length, daemon.connections]).toEqual([6, 100_000, 1]);
      // Node drops what it received when a write fails, so there it may ask again and end up deciding by itself.
      else expect([6, 7]).toContain(done.exit);
    });

    test("writes its output nowhere when it was started without standard output", async ({ makePlace }) => {
      const place = makePlace();
      const heard: Buffer[] = [];
      let over = false;
      await listen(place, {
        onConnect: (socket) => {
          socket.on("data", (chunk) => heard.push(chunk));
          socket.on("close", () => {
            over = true;
          });
        },
        onFrame: (socket) => socket.write(encodeReply(9, "the answer", "")),
      });
      const done = await run(client, place, [], { through: ["/bin/sh", "-c", 'exec "$@" >&-', "sh"] });
      await eventually(() => over || undefined, "the end of the connection");
      expect(done.exit).toBe(9);
      expect(Buffer.concat(heard).includes("the answer")).toBe(false); // a socket that became descriptor 1
    });

    test("leaves with the exit code when nobody reads its output", async ({ makePlace }) => {
      const place = makePlace();
      await listen(place, answer(encodeReply(2, BIG, "")));
      const done = await run(client, place, [], { onStart: (child) => child.stdout?.destroy() });
      expect(done.exit).toBe(2);
    });
  });

  describe.skipIf(unavailable(client))("that hangs up", () => {
    test("asks once more, with the same nonce", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, {
        onFrame: (socket, _frame, nth) => socket.end(nth === 1 ? "" : encodeReply(0, "second", "")),
      });
      const done = await run(client, place, [], { stdin: "body" });
      expect(done.stdout.toString()).toBe("second");
      expect(daemon.frames).toHaveLength(2);
      expect(daemon.frames[0]).toEqual(daemon.frames[1]);
    });

    test.for<[string, Buffer]>([
      ["nothing", Buffer.alloc(0)],
      ["half an answer", encodeReply(0, "out", "err").subarray(0, -1)],
      ["an impossible length", Buffer.from([0, 1, 0, 0, 4])],
      [
        "an impossible second length",
        Buffer.concat([encodeReply(0, "out", "").subarray(0, -4), Buffer.alloc(4, 0xff)]),
      ],
    ])("decides by itself after two times %s", async ([_name, bytes], { makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, { onFrame: (socket) => socket.end(bytes) });
      const done = await run(client, place, ["--a"], { stdin: "body" });
      expect(done.exit).toBe(7);
      expect(daemon.connections).toBe(2);
      expect(wholeFrame(done.stdout)).toEqual(daemon.frames[1]);
      expect(startedNothing(place)).toBe(true);
    });

    test.for<[string, Buffer]>([
      ["at once", Buffer.alloc(9, 0xff)],
      ["later", Buffer.concat([encodeReply(0, "out", "").subarray(0, -4), Buffer.alloc(4, 0xff)])],
    ])(
      "takes nonsense for a hang-up, seen %s, while the connection stays open",
      async ([_when, bytes], { makePlace }) => {
        const place = makePlace();
        const daemon = await listen(place, {
          onFrame: (socket, _frame, nth) => {
            if (nth === 1) socket.write(bytes);
            else socket.end(encodeReply(0, "second", ""));
          },
        });
        const done = await run(client, place);
        expect([done.stdout.toString(), daemon.connections]).toEqual(["second", 2]);
      },
    );
  });

  describe.skipIf(unavailable(client))("that is not to be used", () => {
    test("decides by itself, within the deadline, when no answer comes", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, { onFrame: () => undefined });
      const done = await run(client, place, ["--deadline-ms", "6000"]);
      const frame = wholeFrame(done.stdout);
      expect(frame).toEqual(daemon.frames[0]);
      expect(daemon.connections).toBe(1);
      expect(done.ms).toBeGreaterThanOrEqual(600);
      expect(Number(done.stderr.replace("cold ", ""))).toBeLessThan(Number(field(frame, "deadline")));
      expect(startedNothing(place)).toBe(true);
    });

    test("remembers for ten seconds that no answer came, so that the next ones do not wait", async ({ makePlace }) => {
      const place = makePlace();
      const slow = socketPath(place).replace(/sock$/, "slow");
      const daemon = await listen(place, { onFrame: () => undefined });
      const ask = async () => (await run(client, place, ["--deadline-ms", "1600"])).exit;
      const setAge = (seconds: number) => {
        const then = new Date(Date.now() - seconds * 1000);
        fs.utimesSync(slow, then, then);
      };
      expect([await ask(), daemon.connections]).toEqual([7, 1]);
      expect(fs.statSync(slow).mode & 0o777).toBe(0o600);
      expect([await ask(), await ask(), daemon.connections]).toEqual([7, 7, 1]);
      setAge(6);
      expect([await ask(), daemon.connections]).toEqual([7, 1]);
      setAge(12);
      const old = fs.statSync(slow).mtimeMs;
      expect([await ask(), daemon.connections]).toEqual([7, 2]);
      expect(fs.statSync(slow).mtimeMs).toBeGreaterThan(old + 5_000);
      setAge(-60); // a clock was set back meanwhile
      expect([await ask(), daemon.connections]).toEqual([7, 3]);
      expect(startedNothing(place)).toBe(true);
    });

    test("remembers nothing of one who answered, hung up or was not there", async ({ makePlace }) => {
      const place = makePlace();
      const stamps = () => fs.readdirSync(runDir(place)).filter((name) => name.endsWith(".slow"));
      fs.mkdirSync(runDir(place), { mode: 0o700 });
      await run(client, place);
      const daemon = await listen(place, {
        onFrame: (socket, _frame, nth) => socket.end(nth === 1 ? encodeReply(0, "", "") : ""),
      });
      expect([(await run(client, place)).exit, (await run(client, place)).exit, daemon.connections]).toEqual([0, 7, 3]);
      expect(stamps()).toEqual([]);
    });

    test("decides by itself when a long question is not even read", async ({ makePlace }) => {
      const place = makePlace();
      await listen(place, { onConnect: (socket) => socket.pause() });
      const done = await run(client, place, ["--deadline-ms", "2400"], { stdin: BIG });
      expect(done.exit).toBe(7);
      expect(wholeFrame(done.stdout).body.equals(BIG)).toBe(true);
    });

    test("starts no second daemon beside one that is stopped and has a full queue", async ({ makePlace }) => {
      const place = makePlace();
      await listenStopped(place);
      const done = await run(client, place);
      expect([done.exit, startedNothing(place)]).toEqual([7, true]);
    });

    test("does not ask when there is no time for both ways, nor with --no-daemon", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, answer(encodeReply(0, "", "")));
      expect((await run(client, place, ["--deadline-ms", "300"])).exit).toBe(7);
      expect((await run(client, place, ["--no-daemon"])).exit).toBe(7);
      expect(daemon.connections).toBe(0);
    });

    test.for<[string, (dir: string) => void]>([
      ["is open to others", (dir) => fs.chmodSync(dir, 0o750)],
      ["is a symbolic link", (dir) => [fs.renameSync(dir, `${dir}-real`), fs.symlinkSync(`${dir}-real`, dir)]],
      ["is no directory", (dir) => [fs.renameSync(dir, `${dir}-real`), fs.writeFileSync(dir, "", { mode: 0o600 })]],
    ])("keeps off a runtime directory that %s", async ([_name, spoil], { makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, answer(encodeReply(0, "", "")));
      spoil(runDir(place));
      const done = await run(client, place);
      expect([done.exit, daemon.connections, startedNothing(place)]).toEqual([7, 0, true]);
    });

    test.skipIf(process.getuid?.() !== 0)("keeps off a runtime directory of another user", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, answer(encodeReply(0, "", "")));
      fs.chownSync(runDir(place), 12345, 12345);
      const done = await run(client, place);
      expect([done.exit, daemon.connections, startedNothing(place)]).toEqual([7, 0, true]);
      expect(path.basename(runDir(place))).toMatch(/^hookwright-0$/);
    });
  });
});
