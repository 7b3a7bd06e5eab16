// A person's machine in a scratch folder: projects, agents that send events to the real engine, and the dashboard.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const LAUNCHER = path.join(ROOT, "bin/hookwright.mjs");
const DIST = path.join(ROOT, "dist");
const MODEL = "claude-sonnet-4-5";

export class Place {
  // Not os.tmpdir(), whose path may be too long for a socket.
  root = fs.realpathSync(fs.mkdtempSync("/tmp/hw-ui-"));
  #dashboard;
  #uses = 0;

  constructor({ profiles }) {
    for (const name of ["ada", "ada/src", "run", "hookwright"]) fs.mkdirSync(this.at(name), { mode: 0o700 });
    fs.writeFileSync(this.at("hookwright/config.yml"), `profiles: [${profiles.join(", ")}]\n`);
  }

  at(name) {
    return path.join(this.root, name);
  }

  get env() {
    return {
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      HOME: this.at("ada"),
      LANG: "C.UTF-8",
      XDG_RUNTIME_DIR: this.at("run"),
      HOOKWRIGHT_HOME: this.at("hookwright"),
    };
  }

  /** The folder of a project, with a first commit. */
  project(name) {
    const folder = this.at(`ada/src/${name}`);
    if (fs.existsSync(folder)) return folder;
    fs.mkdirSync(path.join(folder, "src"), { recursive: true });
    fs.writeFileSync(path.join(folder, "README.md"), `# ${name}\n`);
    const as = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    for (const args of [
      ["init", "-q"],
      ["add", "."],
      [...as, "commit", "-q", "-m", "Begin"],
    ]) {
      const made = spawnSync("git", args, { cwd: folder, env: this.env, encoding: "utf8" });
      if (made.status !== 0) throw new Error(`git ${args.join(" ")}: ${made.stderr}`);
    }
    return folder;
  }

  hookwright(args, { cwd = this.root, env = {} } = {}) {
    const options = { cwd, env: { ...this.env, ...env }, encoding: "utf8" };
    const ran = spawnSync(process.execPath, [LAUNCHER, ...args], options);
    if (ran.status !== 0) throw new Error(`hookwright ${args.join(" ")}: ${ran.stderr}${ran.stdout}`);
    return ran.stdout;
  }

  /** Sends one event the way an agent does, through the client that was built. */
  send(agent, event) {
    const compiled = path.join(DIST, "hook");
    const client = fs.existsSync(compiled) ? [compiled] : [process.execPath, path.join(DIST, "hook.cjs")];
    const args = [...client.slice(1), "--reply", "json", "--agent", agent, "--event", event.hook_event_name];
    const options = { cwd: event.cwd, env: this.env, input: JSON.stringify(event), encoding: "utf8" };
    const ran = spawnSync(client[0], args, options);
    if (ran.status !== 0) throw new Error(`${event.hook_event_name}: exit ${ran.status} ${ran.stderr}`);
    return ran.stdout;
  }

  /** A number that no other call of a tool has. */
  nextUse() {
    return `toolu_${String(++this.#uses).padStart(8, "0")}`;
  }

  transcript(session) {
    return this.at(`ada/.claude/projects/p/${session}.jsonl`);
  }

  /** One answer of a model, as the agent notes it in the transcript that the dashboard counts tokens from. */
  answer(session, tokens, agentId = "") {
    const file = agentId === "" ? this.transcript(session) : this.#ofSubagent(session, agentId);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const usage = {
      input_tokens: 12,
      output_tokens: Math.round(tokens / 60),
      cache_read_input_tokens: tokens,
      cache_creation_input_tokens: Math.round(tokens / 40),
    };
    const message = { id: this.nextUse(), model: MODEL, usage };
    fs.appendFileSync(file, `${JSON.stringify({ type: "assistant", message })}\n`);
  }

  #ofSubagent(session, agentId) {
    return path.join(this.transcript(session).replace(/\.jsonl$/, ""), "subagents", `agent-${agentId}.jsonl`);
  }

  /** The address with the token, which works once. */
  async startDashboard(port) {
    const args = [LAUNCHER, "dashboard", "--no-open", ...(port === undefined ? [] : ["--port", String(port)])];
    const options = { cwd: this.root, env: this.env, stdio: ["ignore", "pipe", "inherit"] };
    this.#dashboard = spawn(process.execPath, args, options);
    for await (const line of readline.createInterface({ input: this.#dashboard.stdout })) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url !== undefined) return url;
    }
    throw new Error("the dashboard ended without an address");
  }

  async dispose() {
    if (this.#dashboard !== undefined && this.#dashboard.exitCode === null) {
      const ended = new Promise((resolve) => this.#dashboard.once("exit", resolve));
      this.#dashboard.kill("SIGTERM");
      await ended;
    }
    this.hookwright(["daemon", "stop"]);
    fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}
