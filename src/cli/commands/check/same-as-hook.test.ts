/**
 * `hookwright check` and `hookwright hook` give the same answer to the same command line, whatever is configured, allowed,
 * trusted or switched off, and whatever the session did before. One way is the built engine as a client without a
 * daemon runs it, the other the command line's function. `CHECK_LINES` sets the number of lines, `CHECK_SEED` the seed.
 */
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import vm from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Dice } from "../../../../test/corpus/dice.ts";
import { readCorpus } from "../../../../test/corpus/safety/lines.mjs";
import { sized } from "../../../../test/support/long.ts";
import { DIST } from "../../../../test/support/world.ts";
import { encodeFrame, type Reply } from "../../../core/frame.ts";
import { registry } from "../../../policies/index.gen.ts";
import { builtVersion } from "../../installation/current-build.ts";
import { runAllow } from "../allow/run.ts";
import { hookEnvironment } from "../explain/examine.ts";
import { folderHash } from "../trust/policy-folder.ts";
import { addTrust } from "../trust/trust-records.ts";
import type { CheckResult } from "./check-command-line.ts";
import { runCheck } from "./run.ts";

const LINES = Number(process.env.CHECK_LINES ?? sized(300, 1_000));
const SEED = Number(process.env.CHECK_SEED ?? 7);
const PER_WORLD = 20;
const PROFILES = ["safety", "ntm", "plan", "session", "teams"];

/** Outside the folders for temporary files, in which nothing counts as lost. */
let room: string;
let decideFrame: (bytes: Buffer) => Promise<Reply>;

beforeAll(() => {
  room = fs.realpathSync(fs.mkdtempSync(path.join(os.homedir(), "hookwright-same-")));
  const file = path.join(DIST, "engine.cjs");
  const module = { exports: {} as { decideFrame: typeof decideFrame } };
  const wrapper = new vm.Script(fs.readFileSync(file, "utf8"), { filename: file }).runInThisContext();
  wrapper.call(module.exports, module.exports, createRequire(file), module, file, DIST);
  decideFrame = module.exports.decideFrame;
});
afterAll(() => fs.rmSync(room, { recursive: true, force: true }));

/** One person with one project and a random configuration. */
class Situation {
  readonly dice: Dice;
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly env: Record<string, string>;
  readonly profile: string | undefined;
  readonly sessions: readonly { readonly id: string; readonly mode: string }[];

  constructor(number: number, dice: Dice) {
    this.dice = dice;
    this.folder = path.join(room, String(number));
    this.home = path.join(this.folder, "state");
    this.project = path.join(this.folder, "project");
    for (const name of ["person", "state", "project", "tmp"])
      fs.mkdirSync(path.join(this.folder, name), { recursive: true, mode: 0o700 });
    this.env = {
      PATH: process.env.PATH ?? "",
      HOME: path.join(this.folder, "person"),
      TMPDIR: path.join(this.folder, "tmp"),
      HOOKWRIGHT_HOME: this.home,
      ...(dice.chance(15) ? { SESSION_REQUIRED: "1" } : {}),
    };
    const modes = ["default", "acceptEdits", "plan"];
    this.sessions = ["one", "two"].map((id) => ({ id: `${id}-${number}`, mode: dice.pick(modes) }));
    this.profile = dice.chance(20) ? this.someProfiles().join(",") : undefined;
    if (dice.chance(50)) this.makeRepository();
    if (dice.chance(80)) fs.writeFileSync(path.join(this.home, "config.yml"), this.config());
    if (dice.chance(50)) this.makeProjectFile();
    if (number % 25 === 3) this.makeOwnPolicy();
  }

  someProfiles(): string[] {
    const some = PROFILES.filter(() => this.dice.chance(45));
    return some.length > 0 ? some : [this.dice.pick(PROFILES)];
  }

  config(): string {
    const { dice } = this;
    const lines: string[] = [];
    if (dice.chance(75)) lines.push(`profiles: [${[...new Set(["safety", ...this.someProfiles()])].join(", ")}]`);
    else if (dice.chance(30)) lines.push(`profiles: [${this.someProfiles().join(", ")}]`);
    const set = registry.filter(() => dice.chance(4)).map(({ id }) => `  ${id}: ${dice.pick(["off", "observe"])}`);
    const onLoss = `  safety/destructive-command: { onLoss: ${dice.pick(["snapshot", "ask", "deny"])} }`;
    if (dice.chance(40)) set.push(...(set.some((one) => one.includes("destructive")) ? [] : [onLoss]));
    if (set.length > 0) lines.push("policies:", ...set);
    if (dice.chance(40)) lines.push("rules:", rule(dice, "mine", ["deny", "ask", "note"]));
    return `${lines.join("\n")}\n`;
  }

  makeProjectFile(): void {
    const { dice } = this;
    const lines = [`profiles: [${dice.pick(PROFILES)}]`, "policies:"];
    lines.push(`  safety/${dice.pick(["destructive-command", "secret-leak"])}: ${dice.pick(["off", "observe"])}`);
    lines.push("rules:", rule(dice, "theirs", ["deny", "ask", "note"]));
    const file = path.join(this.project, "hookwright.yml");
    fs.writeFileSync(file, `${lines.join("\n")}\n`);
    if (!dice.chance(50)) return;
    addTrust(this.home, { file, sha256: createHash("sha256").update(fs.readFileSync(file)).digest("hex"), at: "" });
    if (dice.chance(20)) fs.appendFileSync(file, "# changed since\n");
  }

  makeOwnPolicy(): void {
    const folder = path.join(this.project, ".hookwright");
    fs.mkdirSync(path.join(folder, "policies"), { recursive: true });
    fs.writeFileSync(path.join(folder, "policies", "no-git.js"), OWN_POLICY);
    addTrust(this.home, { file: folder, sha256: folderHash(folder) ?? "", at: "" });
  }

  /** A repository with committed and uncommitted files. */
  makeRepository(): void {
    const git = (...args: string[]) => execFileSync("git", ["-C", this.project, ...args], { stdio: "pipe" });
    fs.mkdirSync(path.join(this.project, "src"));
    fs.writeFileSync(path.join(this.project, "src/a.ts"), "export {};\n");
    git("init", "--quiet", "--initial-branch=main");
    git("add", ".");
    git("-c", "user.email=a@example.org", "-c", "user.name=A", "commit", "--quiet", "-m", "all");
    fs.writeFileSync(path.join(this.project, "src/b.ts"), "// new\n");
  }

  async check(command: string, session: string | undefined, env: Record<string, string>): Promise<CheckResult> {
    let said = "";
    const context = {
      args: ["-"],
      options: { json: true, session, profile: this.profile },
      cwd: this.project,
      env,
      out: (text: string) => {
        said += text;
      },
      err: () => undefined,
    };
    const code = await runCheck(context, { dist: DIST, input: Readable.from([Buffer.from(command)]) });
    const checked = JSON.parse(said) as CheckResult;
    expect(code).toBe(checked.verdict === "pass" ? 0 : 2);
    return checked;
  }

  async hook(
    command: string,
    session: string,
    mode: string,
    env: Record<string, string>,
  ): Promise<Pick<CheckResult, "verdict" | "reason">> {
    const body = JSON.stringify({
      session_id: session,
      transcript_path: path.join(this.folder, `${session}.jsonl`),
      cwd: this.project,
      permission_mode: mode,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command, description: "a command" },
      tool_use_id: randomUUID(),
    });
    const args = ["--event", "PreToolUse", "--reply", "json", ...(this.profile ? ["--profile", this.profile] : [])];
    const reply = await decideFrame(
      encodeFrame({
        nonce: randomUUID(),
        build: builtVersion(DIST).build,
        home: this.home,
        deadline: Date.now() + 60_000,
        cwd: this.project,
        ppid: process.pid,
        cut: "",
        args,
        env: hookEnvironment(DIST, env),
        body: Buffer.from(body),
      }),
    );
    expect(reply.exit).toBe(0);
    const told = reply.stdout === "" ? {} : (JSON.parse(reply.stdout).hookSpecificOutput ?? {});
    const { permissionDecision: verdict = "pass", permissionDecisionReason: reason = "" } = told;
    return { verdict, reason: verdict === "pass" ? "" : reason };
  }

  async allow(command: string): Promise<void> {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    input.end("allow\n");
    const terminal = { input, output: Object.assign(new PassThrough(), { isTTY: true }) };
    const options = this.dice.chance(70) ? { once: true } : { for: "10m" };
    const quiet = (): void => undefined;
    const { project: cwd, env } = this;
    expect(await runAllow({ args: [command], options, cwd, env, out: quiet, err: quiet }, terminal)).toBe(0);
  }

  switchOff(isOff: boolean): void {
    const file = path.join(this.home, "off.json");
    if (isOff) fs.writeFileSync(file, "{}");
    else fs.rmSync(file, { force: true });
  }

  /** All private files except the configuration cache, for checking that a check changes nothing. */
  trace(): string {
    const hash = createHash("sha256");
    for (const name of fs.readdirSync(this.home, { recursive: true, encoding: "utf8" }).sort()) {
      const file = path.join(this.home, name);
      hash.update(name);
      if (fs.statSync(file).isFile() && !name.endsWith("-shm")) hash.update(fs.readFileSync(file));
    }
    return hash.digest("hex");
  }
}

const OWN_POLICY = `export default {
  id: "local/no-git",
  summary: "Keeps agents from git.",
  why: "A person does that here.",
  stage: "scope",
  filter: { kinds: ["shell"] },
  messages: { git: "git is for people here." },
  on: {
    "tool.before"(event, ctx) {
      return event.shell.commands.some(({ program }) => program === "git") ? ctx.deny("git") : undefined;
    },
  },
};
`;

function rule(dice: Dice, id: string, answers: readonly string[]): string {
  const program = dice.pick(["git", "rm", "docker", "npm", "cat", "curl"]);
  return `  - { id: ${id}, program: ${program}, do: ${dice.pick(answers)}, text: "${program} by rule" }`;
}

/** Command lines from the corpus, from the examples of policies, and combined from both. */
async function lineSource(dice: Dice): Promise<() => string> {
  const corpus = readCorpus().map(({ command }) => command);
  const loaded = await Promise.all(registry.map(async (entry) => (await entry.load()).default.examples));
  const examples = loaded
    .flatMap(({ hit, pass }) => [...hit, ...pass])
    .flatMap((text) => /^`([^`]+)`$/.exec(text)?.slice(1) ?? []);
  const plain = [
    "git status",
    "npm test",
    "cat .env",
    "rm -rf src",
    "git reset --hard",
    "git push --force",
    "rm src/b.ts",
  ];
  const one = (): string => dice.pick(dice.pick([corpus, examples, plain]));
  return () => (dice.chance(25) ? `${one()} ${dice.pick(["&&", ";", "|", "||"])} ${one()}` : one());
}

/** Ids of new sessions are random in both ways. */
function withoutIds(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID");
}

it("check answers what hook answers", { timeout: 600_000 }, async () => {
  const dice = new Dice(SEED);
  const line = await lineSource(dice);
  const seen = { pass: 0, ask: 0, deny: 0, off: 0, allowed: 0, again: 0, next: 0 };
  const policies = new Set<string>();
  const before = process.cpuUsage();
  let situation = new Situation(0, dice);
  let earlier: string[] = [];
  for (let number = 0; number < LINES; number++) {
    if (number > 0 && number % PER_WORLD === 0) {
      situation = new Situation(number / PER_WORLD, dice);
      earlier = [];
    }
    const isAgain = earlier.length > 0 && dice.chance(35);
    const command = isAgain ? dice.pick(earlier) : line();
    earlier.push(command);
    const isAllowed = dice.chance(20) && command.trim() !== "";
    if (isAllowed) await situation.allow(command);
    const off = dice.pick(["file", "variable", ...Array<string>(30).fill("")]);
    situation.switchOff(off === "file");
    const env = off === "variable" ? { ...situation.env, HOOKWRIGHT_DISABLE: "1" } : situation.env;
    const known = dice.chance(70) ? dice.pick(situation.sessions) : undefined;
    const trace = number % 20 === 7 ? situation.trace() : "";
    const checked = await situation.check(command, known?.id, env);
    if (trace !== "") expect(situation.trace(), "a check leaves no trace").toBe(trace);
    const hooked = await situation.hook(command, known?.id ?? randomUUID(), known?.mode ?? "default", env);
    const about = { number, folder: situation.folder, command, session: known?.id ?? "new" };
    const answer = { verdict: checked.verdict, reason: withoutIds(checked.reason) };
    expect({ ...about, ...answer }).toEqual({ ...about, verdict: hooked.verdict, reason: withoutIds(hooked.reason) });
    seen[checked.verdict]++;
    if (checked.policy !== "") policies.add(checked.policy);
    if (checked.switchedOff !== "") seen.off++;
    if (checked.notes.some(({ text }) => text.includes("The person has allowed this"))) seen.allowed++;
    if (isAgain) seen.again++;
    if (known) seen.next++;
  }
  const { user, system } = process.cpuUsage(before);
  console.log(LINES, "lines", seen, [...policies].sort().join(" "), `${((user + system) / 1e6).toFixed(1)} s of CPU`);
  // Otherwise too few lines reach a policy to compare the two ways.
  for (const verdict of ["pass", "ask", "deny"] as const) expect(seen[verdict]).toBeGreaterThan(LINES / 20);
  for (const what of ["off", "allowed"] as const) expect(seen[what]).toBeGreaterThan(LINES / 200);
  expect(policies.size).toBeGreaterThan(5);
});
