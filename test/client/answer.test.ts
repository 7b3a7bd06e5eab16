import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import {
  answer,
  clients,
  encodeReply,
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

describe.concurrent.each(clients)("$name and a daemon", (client) => {
  describe.skipIf(unavailable(client))("that answers", () => {
    test.for([0, 1, 2, 255])("passes exit code %i and both streams on", async (exit, { makePlace }) => {
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
      const daemon = await listen(place, {
        onConnect: (socket) =>
          socket.once("data", () => socket.end(encodeReply(6, "enough", ""), () => socket.destroy())),
      });
      const done = await run(client, place, [], { stdin: BIG });
      if (client.compiled) expect([done.exit, done.stdout.toString(), daemon.connections]).toEqual([6, "enough", 1]);
      // Node drops what it received when a write fails, so there it may ask again and end up deciding by itself.
      else expect([6, 7]).toContain(done.exit);
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

    test("takes nonsense for a hang-up even while the connection stays open", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, {
        onFrame: (socket, _frame, nth) => {
          if (nth === 1) socket.write(Buffer.alloc(9, 0xff));
          else socket.end(encodeReply(0, "second", ""));
        },
      });
      const done = await run(client, place);
      expect([done.stdout.toString(), daemon.connections]).toEqual(["second", 2]);
    });
  });

  describe.skipIf(unavailable(client))("that is not to be used", () => {
    test("decides by itself, within the deadline, when no answer comes", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, { onFrame: () => undefined });
      const done = await run(client, place, ["--deadline-ms", "2400"]);
      const frame = wholeFrame(done.stdout);
      expect(frame).toEqual(daemon.frames[0]);
      expect(daemon.connections).toBe(1);
      expect(done.ms).toBeGreaterThanOrEqual(600);
      expect(Number(done.stderr.replace("cold ", ""))).toBeLessThan(Number(field(frame, "deadline")));
      expect(startedNothing(place)).toBe(true);
    });

    test("decides by itself when a long question is not even read", async ({ makePlace }) => {
      const place = makePlace();
      await listen(place, { onConnect: (socket) => socket.pause() });
      const done = await run(client, place, ["--deadline-ms", "2400"], { stdin: BIG });
      expect(done.exit).toBe(7);
      expect(wholeFrame(done.stdout).body.equals(BIG)).toBe(true);
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
