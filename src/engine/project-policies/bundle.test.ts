/** A project's own policies through what is built: the launcher without a daemon, and a real daemon. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forbiddenWrite, toolCall } from "../../../test/support/events.ts";
import { daemonPid } from "../../../test/support/frames.ts";
import { IS_LONG } from "../../../test/support/long.ts";
import type { Answer, Running } from "../../../test/support/processes.ts";
import { query } from "../../../test/support/records.ts";
import { World } from "../../../test/support/world.ts";
import { folderHash } from "../../cli/commands/trust/policy-folder.ts";
import { trustFileAt } from "../config/trust.ts";
import { policyText } from "./project-policies.samples.ts";

const LAUNCHER = path.resolve(import.meta.dirname, "../../../bin/hookwright.mjs");
/** Long, so that on a busy machine a late answer means what it says. */
const ARGS = ["--reply", "json", "--deadline-ms", "20000"];
const DENIES = '(event, ctx) => event.tool.input.command === "bad" ? ctx.deny("no", { what: "way" }) : undefined';
const NOT_TRUSTED = "do not run: you have not trusted them";

let world: World;
let folder: string;
let calls = 0;
beforeEach(() => {
  world = new World();
  folder = path.join(world.project, ".hookwright");
});
afterEach(() => world.dispose());

function write(name: string, text: string): void {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function policy(name: string, handler: string, head?: string): void {
  write(`policies/${name}.js`, policyText(name, handler, head === undefined ? {} : { head }));
}

/** As `hookwright trust` records it. */
function trust(): void {
  fs.mkdirSync(world.home, { recursive: true, mode: 0o700 });
  const record = { file: fs.realpathSync(folder), sha256: folderHash(folder), at: "2026-01-01T00:00:00.000Z" };
  fs.writeFileSync(trustFileAt(world.home), JSON.stringify([record]), { mode: 0o600 });
}

interface Said {
  readonly decision: string;
  readonly reason: string;
  readonly notice: string;
}

function read({ exit, stdout, stderr }: Answer): Said {
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  if (stdout === "") return { decision: "pass", reason: "", notice: "" };
  const { hookSpecificOutput: output = {}, systemMessage = "" } = JSON.parse(stdout);
  const { permissionDecision = "pass", permissionDecisionReason = "" } = output;
  return { decision: permissionDecision, reason: permissionDecisionReason, notice: systemMessage };
}

/** A third of them cold and a third through the daemon; in the long form each of them both ways. */
const AMISS: readonly (readonly [name: string, handler: string, why: RegExp])[] = [
  ["throws", '() => { throw new Error("boom"); }', /boom/],
  ["answers garbage", "() => ({ kind: {} })", /answered something that is not a verdict/],
  ["never settles", "() => new Promise(() => {})", /gave no answer within/],
  ["loops for ever", "() => { for (;;); }", /gave no answer within/],
  ["ends its process", "() => process.exit(7)", /ended its worker/],
  [
    "eats all memory",
    "() => { const a = []; for (;;) a.push(a.length); }",
    /took too much memory|gave no answer within/,
  ],
];

describe.each(["cold", "daemon"] as const)("through the built bundle, %s", (way) => {
  let daemon: Running | undefined;
  beforeEach(async () => {
    daemon = way === "daemon" ? await world.startDaemon() : undefined;
  });

  async function call(command: string, session = "s1"): Promise<Said> {
    const event = toolCall(world, `call-${++calls}`, "Bash", { command }, session);
    return read(await send(event));
  }

  function send(event: Record<string, unknown>): Promise<Answer> {
    if (way === "daemon") return world.send(event, { client: "node", daemon: true }, { args: ARGS });
    const input = JSON.stringify(event);
    return world.start([process.execPath, LAUNCHER, "hook", "--no-daemon", ...ARGS], { input }).ended;
  }

  it("runs nothing before it is trusted, then what was trusted, and nothing after a change", async () => {
    policy("guard", DENIES);
    const first = await call("bad");
    expect(first).toMatchObject({ decision: "pass", notice: expect.stringContaining(NOT_TRUSTED) });
    expect(await call("bad")).toEqual({ decision: "pass", reason: "", notice: "" });
    trust();
    expect(await call("bad")).toMatchObject({ decision: "deny", reason: expect.stringContaining("[local/guard]") });
    expect(await call("ls")).toEqual({ decision: "pass", reason: "", notice: "" });
    fs.appendFileSync(path.join(folder, "policies/guard.js"), "\n");
    const changed = await call("bad");
    expect(changed).toMatchObject({
      decision: "pass",
      notice: expect.stringContaining("has changed since you trusted"),
    });
    expect((await call("bad")).notice).toBe("");
    expect((await call("bad", "s2")).notice).toContain("has changed since you trusted");
    trust();
    fs.symlinkSync("/etc/hosts", path.join(folder, "link"));
    expect(await call("bad")).toMatchObject({ decision: "pass", notice: expect.stringContaining("link is a link") });
  });

  it.each(AMISS.filter((_, at) => IS_LONG || at % 3 === (way === "cold" ? 0 : 1)))(
    "asks the person about a call when a policy %s, and goes on",
    async (_name, handler, why) => {
      const pid = await daemonPid(world);
      policy("amiss", `(event, ctx) => event.tool.input.command === "worst" ? (${handler})() : undefined`);
      policy("early", DENIES);
      trust();
      expect((await call("ls")).decision).toBe("pass");
      const asked = await call("worst");
      expect(asked.decision).toBe("ask");
      expect(asked.reason).toContain("This call could not be checked by local/amiss: ");
      expect(asked.reason).toMatch(why);
      expect((await call("bad")).decision).toBe("deny");
      expect(await daemonPid(world)).toBe(pid);
      // Who failed, and how, stands in the record as with any policy.
      const [row] = query(world, "SELECT verdicts FROM journal WHERE ruling = 'ask'");
      const results = JSON.parse(String(row?.verdicts)) as { policy: string; error?: string }[];
      expect(results.find((result) => result.policy === "local/amiss")?.error).toMatch(why);
      expect(results.find((result) => result.policy === "safety/protected-paths")?.error).toBeUndefined();
      if (daemon) expect(daemon.stderr).not.toContain("decide:");
    },
  );

  it("leaves the built-in guards as they are while a policy loops", async () => {
    policy("loops", "() => { for (;;); }");
    trust();
    const denied = read(await send(forbiddenWrite(world, "w1")));
    expect(denied).toMatchObject({ decision: "deny", reason: expect.stringContaining("[safety/protected-paths]") });
  });

  it("says of a policy with a refused import that it does not run, once, and runs the others", async () => {
    policy("reads", DENIES, 'import fs from "node:fs";');
    policy("guard", DENIES);
    trust();
    const first = await call("bad");
    expect(first.reason).toContain("[local/guard]");
    expect(first.reason).not.toContain("local/reads");
    expect(first.notice).toContain("it imports `node:fs`");
    expect((await call("ls")).notice).toBe("");
  });

  it("shows a policy of the project in `explain`", async () => {
    policy("guard", DENIES);
    trust();
    await call("bad");
    const { stdout, exit } = await world.hookwright("explain", "--last", "--json");
    expect(exit).toBe(0);
    const { policies, ruling } = JSON.parse(stdout);
    expect(ruling).toMatchObject({ outcome: "deny", policy: "local/guard" });
    expect(policies.map(({ id }: { id: string }) => id)).toContain("local/guard");
  });
});
