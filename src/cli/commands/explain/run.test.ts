import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  forbiddenWrite,
  harmlessWrite,
  markActiveSession,
  prompt,
  stop,
  toolCall,
} from "../../../../test/support/events.ts";
import { goldenPayloads } from "../../../../test/support/golden.ts";
import { sleep } from "../../../../test/support/processes.ts";
import { journal, query } from "../../../../test/support/records.ts";
import { DIST, isMissing, type Route, World } from "../../../../test/support/world.ts";
import { registry } from "../../../policies/index.gen.ts";
import type { CommandContext } from "../../command.ts";
import { failing } from "../../installation/setup.samples.ts";
import { recordCommand } from "../../state/record-command.ts";
import type { Explanation } from "./explanation.ts";
import { runExplain } from "./run.ts";

const COLD: Route = { client: "node", daemon: false };
const WARM: Route = { client: isMissing("c") ? "node" : "c", daemon: true };

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

interface Asked {
  readonly args?: readonly string[];
  readonly options?: CommandContext["options"];
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

async function ask({ args = [], options = {}, input = "", env = {} }: Asked): Promise<string> {
  let said = "";
  const out = (text: string): void => {
    said += text;
  };
  const context = { args, options, cwd: world.project, env: { ...world.environment, ...env }, out, err: out };
  expect(await runExplain(context, { dist: DIST, input: Readable.from([Buffer.from(input)]) })).toBe(0);
  return said;
}

async function explained(asked: Asked): Promise<Explanation> {
  return JSON.parse(await ask({ ...asked, options: { ...asked.options, json: true } })) as Explanation;
}

const payload = (event: object, more: Asked = {}): Asked => ({ ...more, args: ["-"], input: JSON.stringify(event) });

/** All private files and files of the project, with content and times. */
function traces(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const root of [world.home, world.runtime, world.project, world.userHome]) {
    const names = fs.existsSync(root) ? fs.readdirSync(root, { recursive: true, encoding: "utf8" }) : ["(absent)"];
    for (const name of names) {
      const file = path.join(root, name);
      const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
      const bytes = stat?.isFile() ? createHash("sha256").update(fs.readFileSync(file)).digest("hex") : "";
      found[file] = `${stat?.mode} ${stat?.mtimeNs} ${stat?.ctimeNs} ${bytes}`;
    }
  }
  return found;
}

/** Waits until the daemon has finished its own work; after that only the test may change files. */
async function quietTraces(): Promise<Record<string, string>> {
  for (let before = traces(); ; ) {
    await sleep(150);
    const now = traces();
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}

function configure(profiles = "safety, ntm", more = ""): void {
  fs.mkdirSync(world.home, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(world.home, "config.yml"), `profiles: [${profiles}]\n${more}`);
  fs.writeFileSync(path.join(world.project, "hookwright.yml"), "policies:\n  safety/protected-paths: enforce\n");
}

describe("not a byte is written", () => {
  test("when there is nothing yet", async () => {
    const before = await quietTraces();
    expect((await explained(payload(forbiddenWrite(world, "a")))).ruling.outcome).toBe("deny");
    expect(traces()).toEqual(before);
    expect(fs.existsSync(world.home)).toBe(false);
  });

  test("beside a daemon, with a configuration whose cache is missing", async () => {
    const daemon = await world.startDaemon();
    await world.send(prompt(world, "hello"), WARM);
    await world.send(forbiddenWrite(world, "a"), WARM);
    configure();
    const before = await quietTraces();
    for (const asked of [{ options: { last: true } }, { options: { id: "1" } }, payload(stop(world))]) {
      expect((await explained(asked)).event).not.toBe("");
    }
    expect(traces()).toEqual(before);
    expect(process.kill(daemon.pid, 0)).toBe(true);
  });

  test("after a daemon was killed and left its log behind", async () => {
    const daemon = await world.startDaemon();
    await world.send(prompt(world, "only in the log"), WARM);
    daemon.kill("SIGKILL");
    await daemon.ended;
    expect(fs.statSync(`${world.database}-wal`).size).toBeGreaterThan(0);
    const before = await quietTraces();
    const { recorded, event } = await explained({ options: { last: true } });
    expect([event, recorded?.id]).toEqual(["prompt.submit", 1]);
    expect(traces()).toEqual(before);
  });

  test("whatever the event, with every profile on and files that policies would write", {
    timeout: 180_000,
  }, async () => {
    configure("safety, ntm, plan, session, teams, omc", "notifications: { terminal: true }\napprovals: browser\n");
    fs.mkdirSync(path.join(world.project, "sessions", "X"), { recursive: true });
    const state = { pid: process.pid, skill: "implement", lifecycle: "active", sessionId: "session-1" };
    fs.writeFileSync(path.join(world.project, "sessions", "X", ".state.json"), JSON.stringify(state));
    fs.writeFileSync(path.join(world.project, ".atm.toml"), '[core]\ndefault_team = "crew"\nidentity = "team-lead"\n');
    const env = { ...markActiveSession(world, "fleet"), SESSION_REQUIRED: "1" };
    const payloads = goldenPayloads(world);
    const before = await quietTraces();
    const seen = new Set<string>();
    for (const { text } of payloads) {
      const { policies } = await explained({ args: ["-"], input: text, env });
      for (const { id } of policies) seen.add(id.split("/")[0] ?? "");
    }
    expect(traces()).toEqual(before);
    expect([...seen].sort()).toEqual([...new Set(registry.map(({ pack }) => pack))].sort());
  });

  test("and none stays in the folder for temporary files", async () => {
    const left = (): string[] => fs.readdirSync("/tmp").filter((name) => name.startsWith("hookwright-explain-"));
    const before = left();
    await explained(payload(stop(world)));
    await failing("HW_NO_ENTRY", () => ask({ options: { last: true } }));
    expect(left()).toEqual(before);
  });
});

test("ruling and answer are those of a hook, for every golden payload of both clients", {
  timeout: 180_000,
}, async () => {
  configure();
  await world.startDaemon();
  const payloads = goldenPayloads(world);
  expect(payloads.length).toBeGreaterThan(150);
  for (const { name, text } of payloads) {
    const { reply, ruling } = await explained({ args: ["-"], input: text });
    const { exit, stdout, stderr } = await world.send(text, WARM);
    expect([name, reply]).toEqual([name, { exit, stdout, stderr }]);
    const { outcome, policy, reason } = ruling;
    expect([name, outcome, policy, reason]).toEqual([name, ...recordedRuling()]);
  }

  function recordedRuling(): unknown[] {
    const [row] = query(world, "SELECT ruling, policy, reason FROM journal ORDER BY id DESC LIMIT 1");
    return [row?.ruling, row?.policy, row?.reason];
  }
});

describe("one event", () => {
  test("every policy that looks at it is told with place, fate and time, and so is what it looked at", async () => {
    const file = path.join(world.root, "event.json");
    fs.writeFileSync(file, JSON.stringify(forbiddenWrite(world, "a")));
    const told = await explained({ args: [file] });
    expect(told).toMatchObject({ event: "tool.before", agentEvent: "PreToolUse", tool: "Write", examined: true });
    const [first] = told.policies;
    expect(first).toMatchObject({
      id: "safety/protected-paths",
      stage: "security",
      order: 1,
      mode: "enforce",
      fate: "sent",
    });
    expect(first?.verdicts).toMatchObject([{ kind: "deny", text: expect.stringContaining(".git") }]);
    expect(first?.microseconds).toBeGreaterThanOrEqual(0);
    expect(told.ruling).toMatchObject({ outcome: "deny", policy: "safety/protected-paths", notes: [], notices: [] });
    expect(Object.keys(told.facts)).toContain(`project:${world.project}`);
    expect(told.reply.exit).toBe(2);
  });

  test("a configuration, --profile and --event decide as they do for a hook", async () => {
    const { hook_event_name: _name, ...unnamed } = forbiddenWrite(world, "a");
    expect((await explained(payload(unnamed, { options: { event: "PostToolUse" } }))).event).toBe("tool.after");
    expect((await explained(payload(unnamed, { options: { profile: "ntm" } }))).ruling.outcome).toBe("pass");
    fs.mkdirSync(world.home);
    fs.writeFileSync(path.join(world.home, "config.yml"), "policies:\n  safety/protected-paths: observe\n");
    const observed = await explained(payload(unnamed));
    expect(observed.ruling.outcome).toBe("pass");
    expect(observed.policies[0]).toMatchObject({ mode: "observe", fate: "observed", verdicts: [{ kind: "deny" }] });
  });

  test.each([
    ["no JSON", "{", "unreadable", ""],
    ["an event of the future", '{"hook_event_name": "Dreamt"}', "unknown", "Dreamt"],
  ])("%s", async (_name, input, event, agentEvent) => {
    const told = await explained({ args: ["-"], input });
    expect(told).toMatchObject({ event, agentEvent, policies: [], ruling: { outcome: "pass" } });
  });

  test("input that cannot be read is stopped where a guard was meant to see it", async () => {
    const told = await explained({ args: ["-"], input: "{", options: { event: "PreToolUse" } });
    expect(told).toMatchObject({ event: "unreadable", ruling: { outcome: "deny" }, reply: { exit: 2 } });
  });

  test("a kill switch is pointed out", async () => {
    expect((await explained(payload(stop(world), { env: { HOOKWRIGHT_DISABLE: "1" } }))).switchedOff).toContain(
      "DISABLE",
    );
    fs.mkdirSync(world.home);
    fs.writeFileSync(path.join(world.home, "off.json"), "{}");
    expect(await ask(payload(stop(world)))).toContain("switched off (`hookwright off`)");
  });
});

/** Records a command, as the command line does for commands that change something. */
function personRan(words: string): void {
  const fail = (text: string): never => {
    throw new Error(text);
  };
  recordCommand(words.split(" "), "Run from the command line.", {
    env: { HOOKWRIGHT_HOME: world.home },
    cwd: world.project,
    err: fail,
  });
}

describe("a recorded event", () => {
  test("is looked at again with its own folder, environment and profiles, and a change is told", async () => {
    const env = markActiveSession(world, "fleet");
    const args = ["--via", "user", "--profile", "ntm", "--reply", "json"];
    await world.send(stop(world), COLD, { args, env });
    expect(journal(world)).toMatchObject([{ ruling: "hold" }]);
    const record = { agent: "claude-code", scope: "user", file: "f", version: "v", profile: ["ntm"], at: "" };
    const before = { existedBefore: false, originalSha256: null, originalFile: null, createdDirectory: null };
    const installs = [{ ...record, ...before, writtenSha256: "" }];
    fs.writeFileSync(path.join(world.home, "installs.json"), JSON.stringify(installs));
    const told = await explained({ options: { last: true } });
    expect(told.policies.map((policy) => policy.id)).toEqual(["ntm/active-session"]);
    expect(told).toMatchObject({ event: "turn.stop", examined: true, recorded: { id: 1, outcome: "hold" } });
    expect(told.facts["env:NTM_ORCH_RUNTIME_DIR"]).toBe(env.NTM_ORCH_RUNTIME_DIR);
    // Whether the fleet still runs is unknown, and the stop is held only once for that.
    expect(told.ruling.outcome).toBe("pass");
    expect(await ask({})).toContain("The recorded answer was hold");
  });

  test("that was not kept whole is shown as it was recorded", async () => {
    await world.send(forbiddenWrite(world, "a"), COLD);
    const told = await explained({ options: { id: "1" } });
    expect(told).toMatchObject({ event: "tool.before", examined: false, recorded: { id: 1, outcome: "deny" } });
    expect(told.ruling).toMatchObject({ outcome: "deny", policy: "safety/protected-paths" });
    expect(told.ruling.reason).toContain(".git");
    const [first] = told.policies;
    expect(first).toMatchObject({ id: "safety/protected-paths", order: 1, fate: "sent", verdicts: [{ kind: "deny" }] });
    expect(Object.keys(told.facts)).toContain("now");
    expect(told.reply.exit).toBe(2);
    expect(await ask({ options: { id: "1" } })).toContain("does not keep all of its input");
  });

  test("that was no event is shown as it was recorded", async () => {
    await world.send("{", COLD);
    expect(await explained({})).toMatchObject({ event: "unreadable", examined: false, policies: [] });
  });

  test("the last one is the newest of an agent: neither doctor's nor a command of a person", async () => {
    await world.send(prompt(world, "hello"), COLD);
    await world.send({ ...prompt(world, "x"), session_id: "hookwright-doctor" }, COLD);
    personRan("allow something");
    expect((await explained({})).recorded?.id).toBe(1);
    expect((await explained({ options: { last: true } })).recorded?.id).toBe(1);
  });

  test("the last one that cannot be decided again is named, and which one can", async () => {
    await world.send(prompt(world, "hello"), COLD);
    await world.send(forbiddenWrite(world, "a"), COLD);
    await world.send("{", COLD);
    personRan("allow something");
    expect(await explained({ options: { last: true } })).toMatchObject({
      examined: false,
      recorded: { id: 3 },
      newestWhole: 1,
    });
    const text = await ask({ options: { last: true } });
    expect(text).toContain("Entry 3");
    expect(text).toContain("cannot be decided again");
    expect(text).toContain("`hookwright explain --id 1`");
    expect(text).toContain("`hookwright journal`");
    expect(await explained({ options: { id: "2" } })).toMatchObject({ recorded: { id: 2 }, newestWhole: 1 });
  });

  test("where none can be decided again, the way to all of them is named", async () => {
    await world.send("{", COLD);
    const text = await ask({});
    expect(text).toContain("`hookwright explain --id N`");
    expect(await explained({})).not.toHaveProperty("newestWhole");
  });

  test("a command of a person is no event, and that is said", async () => {
    await world.send(prompt(world, "hello"), COLD);
    personRan("allow something");
    const error = await failing("HW_NO_ENTRY", () => ask({ options: { id: "2" } }));
    expect(error.message).toContain("Entry 2 is the command `hookwright allow something`");
  });

  test("a journal without an event of an agent is not called empty", async () => {
    await world.send({ ...prompt(world, "x"), session_id: "hookwright-doctor" }, COLD);
    const error = await failing("HW_NO_ENTRY", () => ask({ options: { last: true } }));
    expect(error.message).toContain("no event of an agent");
  });
});

describe("for a person", () => {
  test("the whole story in words", async () => {
    const text = await ask(payload(forbiddenWrite(world, "a")));
    expect(text).toMatch(/^PreToolUse Write \(tool\.before, session session-1\)$/m);
    expect(text).toMatch(/^ 1 {2}security {2,}safety\/protected-paths +enforce +deny +sent +\d+\.\d\d ms$/m);
    expect(text).toMatch(/^Answer: deny, by safety\/protected-paths$/m);
    expect(text).toMatch(/^Sent to the agent: exit code 2$/m);
    expect(text).toMatch(/^What the policies read while they decided:$/m);
  });

  test("nothing in an event reaches the terminal as a command to it", async () => {
    const event = toolCall(world, "a", "Write", {
      file_path: path.join(world.project, ".git", "\u001b[2J\u202Ex"),
      content: "",
    });
    const text = await ask(payload(event));
    expect(text).toContain("\\u{1b}[2J");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test("what is no event is called that", async () => {
    expect(await ask({ args: ["-"], input: "{" })).toMatch(/^Input that is not an event$/m);
  });

  test("a pass is short", async () => {
    expect(await ask(payload(harmlessWrite(world, "a")))).toMatch(/^Sent to the agent: exit code 0, no output$/m);
  });
});

describe("wrong usage", () => {
  test.each([
    [{ args: ["a", "b"] }, "HW_USAGE"],
    [{ args: ["a"], options: { last: true } }, "HW_USAGE"],
    [{ options: { last: true, id: "1" } }, "HW_USAGE"],
    [{ options: { id: "x" } }, "HW_USAGE"],
    [{ options: { profile: "saftey" } }, "HW_UNKNOWN_PROFILE"],
    [{ args: ["missing.json"] }, "HW_READ_FAILED"],
    [{ options: { id: "7" } }, "HW_NO_ENTRY"],
  ] as const)("%j", async (asked, code) => {
    await failing(code, () => ask(asked));
  });
});
