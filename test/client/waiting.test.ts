import fs from "node:fs";
import { describe, expect } from "vitest";
import { encodeWaiting } from "../../src/core/frame.ts";
import { clients, encodeReply, field, listen, run, socketPath, test, unavailable } from "./harness.ts";

/** A client with this deadline leaves a daemon that says nothing after a second. */
const HASTY = ["--deadline-ms", "4000"];
const LATER_MS = 1_600;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.concurrent.each(clients)("$name and a daemon that tells it to wait", (client) => {
  describe.skipIf(unavailable(client))("for a person", () => {
    test("says that it can, and waits for the answer far beyond its own deadline", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, {
        onFrame: async (socket) => {
          socket.write(encodeWaiting(60_000));
          await pause(LATER_MS);
          socket.end(encodeReply(3, "out", "err"));
        },
      });
      const done = await run(client, place, HASTY);
      expect([done.exit, done.stdout.toString(), done.stderr]).toEqual([3, "out", "err"]);
      expect(daemon.frames.map((frame) => field(frame, "waits"))).toEqual(["1"]);
    });

    test.for(["at once", "byte by byte"])("takes both frames %s", async (how, { makePlace }) => {
      const place = makePlace();
      const bytes = Buffer.concat([encodeWaiting(60_000), encodeWaiting(50_000), encodeReply(4, "out", "")]);
      await listen(place, {
        onFrame: async (socket) => {
          if (how === "at once") return void socket.end(bytes);
          for (const byte of bytes) {
            socket.write(Buffer.from([byte]));
            await pause(2);
          }
        },
      });
      const done = await run(client, place);
      expect([done.exit, done.stdout.toString()]).toEqual([4, "out"]);
    });

    // The engine beside the client would answer with exit code 7: nobody asks it.
    test.for(["ends", "says nothing any more", "sends nonsense"])(
      "lets the event pass when the daemon then %s",
      async (what, { makePlace }) => {
        const place = makePlace();
        const daemon = await listen(place, {
          onFrame: async (socket) => {
            socket.write(encodeWaiting(what === "says nothing any more" ? 300 : 60_000));
            await pause(100);
            if (what === "ends") socket.destroy();
            if (what === "sends nonsense") socket.write(Buffer.alloc(20, 0xee));
          },
        });
        const done = await run(client, place, HASTY);
        expect([done.exit, done.stdout.toString(), done.stderr]).toEqual([0, "", ""]);
        expect(daemon.connections).toBe(1);
        expect(fs.existsSync(socketPath(place).replace(/sock$/, "slow"))).toBe(false);
      },
    );
  });
});
