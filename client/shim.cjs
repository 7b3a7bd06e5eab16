"use strict";
// What the plugins for agents share that load one instead of starting a command: one event goes to the daemon, or to a
// process that decides without one, and its answer is checked. It runs inside the agent, in Node or in Bun, so it never
// throws, blocks no thread, and waits no longer than its deadline.
const { spawn } = require("node:child_process");
const { randomBytes } = require("node:crypto");
const path = require("node:path");
const hook = require("./hook.cjs");

const [BUDGET_MS, COLD_RESERVE_MS, MOST_BYTES] = [4000, 300, 64 * 1024 * 1024];
const NO_ENGINE = "Hookwright could not run its engine";
/** Every field of an answer. One that has another is not understood, and a call is not let through on a guess. */
const FIELDS = { deny: "string", hold: "string", note: "string", output: "string", notice: "string", args: "object" };

/** Decides in a process of its own, which gets the frame as it is: the daemon may have answered it after all. */
function decideCold(frame, until) {
  return new Promise((resolve, reject) => {
    const node = hook.textBeside("node.path").split(/[\r\n]/)[0] || process.execPath;
    const env = { ...process.env };
    for (const name of ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"]) delete env[name];
    const child = spawn(node, [path.join(hook.DIR, "hook.cjs"), "--cold-frame"], { env, stdio: "pipe" });
    const [out, err] = [[], []];
    const timer = setTimeout(
      () => {
        child.kill("SIGKILL");
        reject(new Error("no answer in time"));
      },
      Math.max(0, until - Date.now()),
    );
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => err.push(chunk));
    child.stdin.on("error", () => child.kill("SIGKILL")); // it ended without reading, which `close` reports
    child.once("close", (exit) => {
      clearTimeout(timer);
      resolve({ exit, stdout: Buffer.concat(out), stderr: Buffer.concat(err) });
    });
    child.stdin.end(frame);
  });
}

async function decide(args, body, deadline) {
  const home = hook.homeFor();
  const file = hook.socketPathFor(home);
  const who = { id: randomBytes(16).toString("hex"), agentPid: process.pid };
  const frame = hook.makeFrame(args, home, deadline, { body }, who);
  const now = Date.now();
  const until = Math.min(now + (deadline - now) / 4, deadline - COLD_RESERVE_MS);
  const said = file ? await hook.askDaemon(file, frame, until) : "late";
  if (typeof said === "object") return said;
  const cold = decideCold(frame, deadline);
  if (said === "absent")
    cold
      .catch(() => undefined)
      .then(() => hook.startDaemon(file, home))
      .catch(() => undefined);
  return cold;
}

/** What the plugin is to do; throws for an answer that it would not understand. */
function readAnswer({ exit, stdout, stderr }) {
  if (exit !== 0) throw new Error(`it ended with exit code ${exit} ${String(stderr).trim().slice(0, 500)}`.trim());
  const text = String(stdout).trim();
  // That is how a client ends which could not load its engine; it does not know the events of every agent.
  if (text === "" && String(stderr).startsWith(NO_ENGINE))
    throw new Error(String(stderr).slice(NO_ENGINE.length).trim());
  if (text === "") return {};
  const answer = JSON.parse(text);
  for (const [name, value] of Object.entries(answer)) {
    if (typeof value !== FIELDS[name] || value === null) throw new Error(`its answer has the field ${name}`);
  }
  return answer;
}

/**
 * The function that asks about one event of an agent: `{}` where nothing is to be done. When nobody could decide, a call is
 * denied and everything else passes; the person is told once.
 */
function connect({ agent, via, profiles, events }) {
  const isWanted = new Set(events);
  let isTold = false;
  return async function ask(event, fields, { isGuarded = false, budgetMs = BUDGET_MS } = {}) {
    if (!isWanted.has(event)) return {};
    try {
      const args = ["--agent", agent, "--event", event, "--via", via];
      if (profiles.length > 0) args.push("--profile", profiles.join(","));
      const body = Buffer.from(JSON.stringify({ hook: event, ...fields }));
      if (body.length > MOST_BYTES) throw new Error("the event is larger than 64 MB");
      return readAnswer(await decide(args, body, Date.now() + budgetMs));
    } catch (error) {
      const so = isGuarded ? "call was stopped for safety" : "event passed unchecked";
      const text = `Hookwright could not decide (${error?.message ?? error}), so this ${so}. Run: hookwright doctor`;
      if (isGuarded) return { deny: text };
      if (isTold) return {};
      isTold = true;
      return { notice: text };
    }
  };
}

/** Texts for the model that wait for the next thing that can carry them, by session. */
class Waiting {
  #texts = new Map();

  add(session, ...texts) {
    const given = texts.filter((text) => text);
    if (given.length > 0) this.#texts.set(session, [...(this.#texts.get(session) ?? []), ...given]);
  }

  /** The texts as one, which no longer wait then; empty when there are none. */
  take(session) {
    const text = (this.#texts.get(session) ?? []).join("\n\n");
    this.#texts.delete(session);
    return text;
  }
}

/**
 * How often in a row a turn may be held without a call in between. The engine counts too; this holds where its state cannot
 * be written.
 */
const IDLE_LIMIT = 3;

class IdleHolds {
  #counts = new Map();

  /** A call ran, or a person wrote: the next hold is the first again. */
  worked(session) {
    this.#counts.delete(session);
  }

  isHeld(session) {
    return this.#counts.has(session);
  }

  /** May the turn be held once more? Counts it if so. */
  another(session) {
    const count = this.#counts.get(session) ?? 0;
    if (count >= IDLE_LIMIT) return false;
    this.#counts.set(session, count + 1);
    return true;
  }
}

module.exports = { connect, Waiting, IdleHolds };
