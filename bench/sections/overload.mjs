// More agents than the machine can serve, each with the real compiled client. A busy daemon may be slow; no event may stay
// without an answer, no guard may open, and clients must not decide by themselves all at once.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { AGENT, NUMBER, SESSION_OF_AGENT, sampleEvents } from "../events.mjs";
import { pause, startDaemon, stop } from "../scratch.mjs";
import { check, waits } from "../statistics.mjs";

const AGENTS = 200;
const RATE = 2;
/** The timeout that is installed with a hook. */
const TIMEOUT_MS = 5_000;
const COLD_AT_ONCE = 4;
const LOOK_MS = 50;

export async function measureOverload(bench) {
  const { scratch } = bench;
  const seconds = bench.isQuick ? 1 : 15;
  const place = bench.install("overload");
  const events = sampleEvents(scratch, SESSION_OF_AGENT);
  const { daemon } = await startDaemon(scratch, place);
  const running = new Set();
  const hooks = [];
  const started = Date.now();
  let coldAtOnce = 0;
  let isDone = false;
  const watching = watch();
  // Each agent at random moments, but as often as it is due.
  const plan = Array.from({ length: AGENTS * RATE * seconds }, (_, number) => ({
    number,
    at: Math.random() * seconds * 1000,
  })).sort((a, b) => a.at - b.at);
  for (const { number, at } of plan) {
    // Also when it is behind: else no answer would be noticed before the last hook is started.
    await pause(Math.max(0, started + at - Date.now()));
    hooks.push(hook(number, started + at));
  }
  const results = await Promise.all(hooks);
  isDone = true;
  await watching;
  await stop(scratch, daemon);
  const row = `${AGENTS} agents with the compiled client, ${RATE} events a second each`;
  const unanswered = results.filter(({ ms, isAnswered }) => !isAnswered || ms > TIMEOUT_MS).length;
  const opened = results.filter(({ isOpened }) => isOpened).length;
  const enforced = !bench.isQuick;
  return {
    agents: AGENTS,
    rate: RATE,
    seconds,
    answered: waits(results.map(({ ms }) => ms)),
    unanswered,
    opened,
    coldAtOnce,
    checks: [
      check({ row, measure: "without an answer in time", value: unanswered, limit: 0, unit: "", enforced }),
      check({ row, measure: "guards opened", value: opened, limit: 0, unit: "", enforced }),
      check({ row, measure: "cold processes at once", value: coldAtOnce, limit: COLD_AT_ONCE, unit: "", enforced }),
    ],
  };

  /** Every fourth event is an edit that has to be denied. */
  function hook(number, due) {
    const name = number % 4 === 3 ? "deny" : "pass";
    const agent = String(number % AGENTS).padStart(AGENT.length, "0");
    const unique = String(number).padStart(NUMBER.length, "0");
    const input = events[name].replaceAll(AGENT, agent).replaceAll(NUMBER, unique);
    const options = { cwd: scratch.project, env: scratch.env, stdio: ["pipe", "pipe", "ignore"] };
    const child = spawn(path.join(place.directory, "hook"), bench.hookArguments("PreToolUse"), options);
    running.add(child.pid);
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    return new Promise((resolve) => {
      child.once("close", (code) => {
        running.delete(child.pid);
        const isDeny = stdout.includes('"deny"');
        const isAnswered = code === 0 && isDeny === (name === "deny");
        resolve({ ms: Date.now() - due, isAnswered, isOpened: name === "deny" && code === 0 && !isDeny });
      });
    });
  }

  /** A client that decides by itself becomes a Node process. */
  async function watch() {
    while (!isDone) {
      coldAtOnce = Math.max(coldAtOnce, [...running].filter(isNode).length);
      await pause(LOOK_MS);
    }
  }

  function isNode(pid) {
    try {
      return fs.readlinkSync(`/proc/${pid}/exe`) === scratch.node;
    } catch (error) {
      // It has ended since.
      if (error instanceof Error && "code" in error) return false;
      throw error;
    }
  }
}
