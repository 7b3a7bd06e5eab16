// Runs in a process of its own: gets frames from its parent and sends them one after the other when told to.
// With `socket` they go to the daemon, a connection each, as from a client; with `client` the engine beside that
// client decides here, as it does when no daemon answers.
import { createRequire } from "node:module";
import net from "node:net";

process.once("message", ({ frames, socket, client }) => {
  const bytes = frames.map((frame) => Buffer.from(frame, "base64"));
  const decide = socket === undefined ? createRequire(client)(client).loadEngine().engine.decideFrame : ask(socket);
  process.once("message", () => run(bytes, decide));
  process.send("ready");
});

async function run(frames, decide) {
  const replies = [];
  let slowestMs = 0;
  for (const frame of frames) {
    const started = performance.now();
    replies.push(await decide(frame));
    slowestMs = Math.max(slowestMs, performance.now() - started);
    // A cold engine leaves its connection to the end of the process, which comes later here than in real life.
    if (replies.length % 20 === 0) {
      globalThis.gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  process.send({ pid: process.pid, replies, slowestMs });
}

function ask(socket) {
  return (frame) =>
    new Promise((resolve, reject) => {
      const chunks = [];
      const connection = net.connect(socket, () => connection.write(frame));
      connection.on("data", (chunk) => chunks.push(chunk));
      connection.on("error", reject);
      connection.on("end", () => {
        const reply = Buffer.concat(chunks);
        if (reply.length < 9) return reject(new Error("the daemon closed without an answer"));
        const out = 5 + reply.readUInt32LE(1);
        resolve({ exit: reply[0], stdout: reply.toString("utf8", 5, out), stderr: reply.toString("utf8", out + 4) });
      });
    });
}
