// Sends frames to a daemon as clients do, from one compiled process, so that the measuring itself weighs little.
import fs from "node:fs";
import readline from "node:readline";
import { AGENT, agentEvent, NUMBER } from "./events.mjs";
import { compile, pause, startDaemon, startProcess, stop } from "./scratch.mjs";

/** Longer than the daemon's own warm-up takes on a slow machine; the daemon does not say when it is over. */
const WARM_UP_MS = 6_000;

/** Writes each event as a frame of this home and returns, by the event's name, the argument that stands for it. */
function writeFrames(bench, home, events) {
  const { scratch, product, build } = bench;
  const written = Object.entries(events).map(([name, text]) => {
    const frame = product.encodeFrame({
      nonce: `${"0".repeat(16)}${AGENT}${NUMBER}`,
      build,
      home,
      deadline: "0".repeat(13), // set anew for every event
      cwd: scratch.project,
      ppid: process.pid,
      cut: "",
      args: bench.hookArguments(agentEvent(name)),
      env: scratch.env,
      body: Buffer.from(text),
    });
    const file = scratch.at(`${name}.frame`);
    fs.writeFileSync(file, frame);
    return [name, `${name === "deny" ? "deny" : "pass"}=${file}`];
  });
  return Object.fromEntries(written);
}

/**
 * A new home with a daemon that has warmed itself up, and frames for it. Each of the agents has already sent the one
 * event that later ones refer to.
 */
export async function startTraffic(bench, name, agents, events) {
  const { scratch } = bench;
  const place = bench.install(name);
  const { daemon, socket } = await startDaemon(scratch, place);
  await pause(WARM_UP_MS);
  const frames = writeFrames(bench, place.home, events);
  await send(bench, socket, ["flood", agents, agents, 1, frames.guard], () => undefined);
  return { place, daemon, socket, frames };
}

/** Calls `onLine` for every line that the load program prints. */
export async function send(bench, socket, args, onLine) {
  const { scratch } = bench;
  const seed = 1 + Math.floor(Math.random() * 1e6);
  const options = { env: scratch.env, stdio: ["ignore", "pipe", "inherit"] };
  const sender = startProcess(scratch, compile(scratch, "load"), [socket, seed, ...args].map(String), options);
  const ended = new Promise((resolve) => sender.once("close", resolve));
  for await (const line of readline.createInterface({ input: sender.stdout })) onLine(line);
  const code = await ended;
  await stop(scratch, sender);
  if (code !== 0) throw new Error(`the load program ended with code ${code}`);
}

/** Open loop: events are sent when they are due, whether or not the earlier ones are answered. */
export async function sendWhenDue(bench, socket, { gaps, seconds, agents, rate }, frames) {
  const names = frames.map((frame) => frame.replace(/^.*\/(.*)\.frame$/, "$1"));
  const sent = [];
  let errors = 0;
  await send(bench, socket, [gaps, seconds, agents, rate, ...frames], (line) => {
    const [frame, fromDue, fromConnect, late] = line.split(" ");
    if (fromDue === "failed") errors++;
    else sent.push({ name: names[frame], fromDue: fromDue / 1e6, fromConnect: fromConnect / 1e6, late: late / 1e6 });
  });
  return { sent, errors };
}
