import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { AGENT_NAMES, agentNamed } from "../../src/agents/known-agents.ts";
import {
  clients,
  compiledClient,
  listen,
  nodeClient,
  type Place,
  run,
  test,
  unavailable,
  wholeFrame,
  writeEngine,
} from "./harness.ts";

const ALONE = ["--no-daemon", "--deadline-ms", "700"];
const GUARDED = [...ALONE, "--event", "PreToolUse"];

/** What an agent without --event sends, and what looks like something else at first sight. */
const TOOL_CALLS: [string, string][] = [
  ["plain", '{"session_id":"a","hook_event_name":"PreToolUse","tool_name":"Bash"}'],
  ["with blanks", '\n { "tool_name" : "Bash" ,\t"hook_event_name"\n:\r\n "PreToolUse" }'],
  ["without an event name", '{"tool_name":"Bash","tool_input":{"command":"ls"}}'],
  [
    "another name inside its input",
    '{"tool_input":{"hook_event_name":"Stop","a":[{"b":"}"}]},"hook_event_name":"PreToolUse","tool_name":"x"}',
  ],
  ["another name only inside its input", '{"tool_input":{"hook_event_name":"Stop"},"tool_name":"mcp__a__b"}'],
  ["another name in a text", '{"cwd":"\\"hook_event_name\\":\\"Stop\\",","tool_name":"Bash"}'],
  ["a text that ends in a backslash", '{"cwd":"a\\\\","hook_event_name":"PreToolUse"}'],
  ["as Gemini CLI names it", '{"hook_event_name":"BeforeTool","tool_name":"run_shell_command"}'],
  ["as Copilot CLI names it", '{"hook_event_name":"preToolUse","tool_name":"bash"}'],
  ["escaped letters", '{"hook_event_name":"Pre\\u0054oolUse"}'],
  ["cut", '{"hook_event_name":"PreToolUse","tool_input":{"command":"l'],
  ["cut, without an event name", '{"tool_name":"Write","tool_input":{"content":"l'],
];
const OTHER_EVENTS: [string, string][] = [
  ["another event of a tool", '{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{}}'],
  ["its own name in a text", '{"hook_event_name":"Stop","last":"{\\"hook_event_name\\":\\"PreToolUse\\"}"}'],
  ["its own name inside", '{"hook_event_name":"PostToolUse","tool_response":{"hook_event_name":"PreToolUse"}}'],
  ["no event", '{"session_id":"a"}'],
  ["a list", '["hook_event_name","PreToolUse"]'],
  ["no JSON", "PreToolUse"],
  ["nothing", ""],
];

/** Every agent but Claude Code, with each name that it gives a call before it runs, as its hooks are registered. */
const CALLS_ELSEWHERE = AGENT_NAMES.filter((agent) => agent !== "claude-code").flatMap((agent) =>
  Object.entries(agentNamed(agent)?.declaration.events ?? {})
    .filter(([, { name }]) => name === "tool.before")
    .map(([event]) => ({ agent, event })),
);

/** Several of them read standard output first, and would find nothing there that they know as a denial. */
const stoppedByExitCode = { exit: 2, stdout: "", stderr: expect.stringMatching(/stopped for safety.*doctor\n$/) };

function denial(stdout: Buffer): unknown {
  return JSON.parse(stdout.toString());
}

const denied = (reason: unknown) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
});

function caches(place: Place): string[] {
  return fs.readdirSync(place.dist).filter((name) => name.includes(".cache"));
}

describe.concurrent.each(clients)("$name without a daemon", (client) => {
  describe.skipIf(unavailable(client))("that can decide", () => {
    test("gives the engine the whole frame and passes its answer on", async ({ makePlace }) => {
      const place = makePlace();
      const body = Buffer.alloc(10 << 20, "0123456789abcde");
      const done = await run(client, place, ["--no-daemon", "--x", "y"], { stdin: body });
      expect(done.exit).toBe(7);
      expect(done.stderr).toMatch(/^cold \d+$/);
      const frame = wholeFrame(done.stdout);
      expect(frame.fields.slice(7, 10)).toEqual(["arg=--no-daemon", "arg=--x", "arg=y"]);
      expect(frame.body.equals(body)).toBe(true);
    });

    test("also when it was started without standard input", async ({ makePlace }) => {
      const through = ["/bin/sh", "-c", 'exec "$@" <&-', "sh"];
      const done = await run(client, makePlace(), ALONE, { through });
      expect([done.exit, wholeFrame(done.stdout).body.length]).toEqual([7, 0]);
    });

    test("keeps V8's code cache beside the engine, and does without one that does not fit", async ({ makePlace }) => {
      const place = makePlace();
      const cache = path.join(place.dist, `engine-${process.version}-${process.arch}.cache`);
      const state = () => ({ ino: fs.statSync(cache).ino, mode: fs.statSync(cache).mode & 0o777 });
      const exits = [];
      exits.push((await run(client, place, ALONE)).exit);
      const first = state();
      expect(first.mode).toBe(0o600);
      exits.push((await run(client, place, ALONE)).exit);
      expect(state()).toEqual(first);
      fs.writeFileSync(cache, "nonsense");
      exits.push((await run(client, place, ALONE)).exit);
      expect(fs.readFileSync(cache, "latin1")).not.toBe("nonsense");
      expect(exits).toEqual([7, 7, 7]);
      expect(caches(place)).toEqual([path.basename(cache)]);
    });

    test("has the engine rehearse before the cache is written, once, even where that fails", async ({ makePlace }) => {
      const place = makePlace();
      writeEngine(
        place,
        `exports.decideFrame = async () => ({ exit: 0, stdout: "", stderr: "" });
        exports.rehearseFor = async (frame) => {
          require("node:fs").appendFileSync(__dirname + "/rehearsed", frame.toString("latin1", 0, 4));
          throw new Error("forgot the words");
        };`,
      );
      const done = [await run(client, place, ALONE), await run(client, place, ALONE)];
      expect(done.map(({ exit, stderr }) => [exit, stderr])).toEqual(Array(2).fill([0, ""]));
      expect(fs.readFileSync(path.join(place.dist, "rehearsed"), "latin1")).toBe("HW01");
      expect(caches(place)).toHaveLength(1);
    });

    test("does not run yesterday's engine from the cache of one of the same length", async ({ makePlace }) => {
      const place = makePlace();
      const engine = (word: string) =>
        `exports.decideFrame = async () => ({ exit: 0, stdout: "${word}", stderr: "" });`;
      writeEngine(place, engine("old"));
      expect((await run(client, place, ALONE)).stdout.toString()).toBe("old");
      await new Promise((resolve) => setTimeout(resolve, 20));
      writeEngine(place, engine("new"));
      expect((await run(client, place, ALONE)).stdout.toString()).toBe("new");
    });
  });

  describe.skipIf(unavailable(client))("that cannot decide", () => {
    test.for<[string, string | undefined, RegExp]>([
      ["is missing", undefined, /engine\.cjs/],
      ["does not load", 'throw new Error("broken \\"load\\" \\n ü")', /broken \?load\?/],
      ["throws", 'exports.decideFrame = () => { throw new Error("broken call"); }', /broken call/],
      ["rejects", 'exports.decideFrame = async () => { throw new Error("broken wait"); }', /broken wait/],
      [
        "breaks later",
        'exports.decideFrame = () => new Promise(() => setTimeout(() => { throw new Error("stray"); }))',
        /stray/,
      ],
      ["never settles", "exports.decideFrame = () => new Promise(() => undefined)", /no answer in time/],
      ["answers nonsense", "exports.decideFrame = async () => undefined", /no exit code/],
    ])("stops a tool call when the engine %s", async ([_name, code, reason], { makePlace }) => {
      const place = makePlace();
      if (code === undefined) fs.rmSync(path.join(place.dist, "engine.cjs"));
      else writeEngine(place, code);
      const done = await run(client, place, GUARDED);
      expect(done.exit).toBe(2);
      expect(done.stderr).toMatch(reason);
      expect(done.stderr).toMatch(/stopped for safety.*hookwright doctor\n$/);
      expect(denial(done.stdout)).toEqual(denied(done.stderr.trimEnd()));
    });

    test.for<[string, string]>(TOOL_CALLS)(
      "stops a tool call that only its body names so: %s",
      async ([_name, stdin], { makePlace }) => {
        const place = makePlace();
        writeEngine(place, "exports.decideFrame = () => new Promise(() => undefined)");
        const done = await run(client, place, ALONE, { stdin });
        expect(done.exit).toBe(2);
        expect(denial(done.stdout)).toEqual(denied(done.stderr.trimEnd()));
        expect(done.stderr).toMatch(/no answer in time.*stopped for safety/);
      },
    );

    test.for<[string, string]>(OTHER_EVENTS)(
      "lets pass what its body names so: %s",
      async ([_name, stdin], { makePlace }) => {
        const place = makePlace();
        fs.rmSync(path.join(place.dist, "engine.cjs"));
        const done = await run(client, place, ALONE, { stdin });
        expect([done.exit, done.stdout.length]).toEqual([0, 0]);
        expect(done.stderr).toMatch(/passed unchecked/);
      },
    );

    test("stops a tool call when neither a daemon nor the engine ever answers", async ({ makePlace }) => {
      const place = makePlace();
      writeEngine(place, "exports.decideFrame = () => new Promise(() => undefined)");
      const daemon = await listen(place, { onFrame: () => undefined });
      const stdin = '{"hook_event_name":"PreToolUse","tool_name":"Bash"}';
      const done = await run(client, place, ["--deadline-ms", "1600"], { stdin });
      expect([done.exit, daemon.connections > 0]).toEqual([2, true]);
      expect(denial(done.stdout)).toEqual(denied(expect.stringContaining("no answer in time")));
    });

    test("stops a tool call whose body never ends", async ({ makePlace }) => {
      const place = makePlace();
      writeEngine(place, "exports.decideFrame = () => new Promise(() => undefined)");
      const stdin = '{"session_id":"a","hook_event_name":"PreToolUse","tool_input":{"command":"l';
      const done = await run(client, place, ALONE, { stdin, keepOpen: true });
      expect(done.exit).toBe(2);
    });

    test("stops what is too large to be kept", async ({ makePlace }) => {
      const place = makePlace();
      fs.rmSync(path.join(place.dist, "engine.cjs"));
      const stdin = Buffer.concat([Buffer.from('{"tool_name":"Write","tool_input":"'), Buffer.alloc(65 << 20, "a")]);
      const done = await run(client, place, ["--no-daemon"], { stdin });
      expect(done.exit).toBe(2);
    });

    test("goes by --event where the body names no event", async ({ makePlace }) => {
      const place = makePlace();
      fs.rmSync(path.join(place.dist, "engine.cjs"));
      const done = await run(client, place, [...ALONE, "--event", "PostToolUse"], { stdin: '{"tool_name":"Bash"}' });
      expect([done.exit, done.stdout.length]).toEqual([0, 0]);
    });

    test.for(CALLS_ELSEWHERE)("stops $event of $agent by exit code and text alone", async (call, { makePlace }) => {
      const place = makePlace();
      fs.rmSync(path.join(place.dist, "engine.cjs"));
      const args = [...ALONE, "--agent", call.agent, "--event", call.event];
      const { exit, stdout, stderr } = await run(client, place, args, { stdin: '{"cwd":"/' });
      expect({ exit, stdout: stdout.toString(), stderr }).toEqual(stoppedByExitCode);
    });

    test("stops it with exit code 0 where the agent reads JSON", async ({ makePlace }) => {
      const place = makePlace();
      fs.rmSync(path.join(place.dist, "engine.cjs"));
      const done = await run(client, place, [...GUARDED, "--reply", "json"]);
      expect(done.exit).toBe(0);
      expect(denial(done.stdout)).toEqual(denied(expect.stringContaining("engine.cjs")));
    });

    test.for([["--event", "PostToolUse"], ["PreToolUse", "--event"], ["nothing"]])(
      "lets %j pass",
      async (args, { makePlace }) => {
        const place = makePlace();
        fs.rmSync(path.join(place.dist, "engine.cjs"));
        const done = await run(client, place, [...ALONE, ...args]);
        expect([done.exit, done.stdout.length]).toEqual([0, 0]);
        expect(done.stderr).toMatch(/^Hookwright [^\n]*engine\.cjs[^\n]*hookwright doctor\n$/);
      },
    );
  });
});

describe.skipIf(unavailable(compiledClient))("hook.c without Node", () => {
  const breakages: [string, (place: Place) => void, RegExp][] = [
    [
      "is missing",
      (place) => fs.writeFileSync(path.join(place.dist, "node.path"), '/no "such"\\ node\nsecond line'),
      /\(\/no \?such\?\? node: No such file or directory\)/,
    ],
    [
      "is no program",
      (place) => {
        const file = path.join(place.root, "node");
        fs.writeFileSync(file, "exit 0", { mode: 0o755 });
        fs.writeFileSync(path.join(place.dist, "node.path"), file);
      },
      /node: Exec format error/,
    ],
    ["has nothing to run", (place) => fs.rmSync(path.join(place.dist, "hook.cjs")), /hook\.cjs: No such file/],
    ["is not in PATH", (place) => fs.rmSync(path.join(place.dist, "node.path")), /\(node: No such file or directory\)/],
  ];

  test.for(breakages)("stops a tool call when it %s", async ([_name, spoil, reason], { makePlace }) => {
    const place = makePlace();
    spoil(place);
    const done = await run(compiledClient, place, GUARDED, { env: { PATH: place.root } });
    expect(done.exit).toBe(2);
    expect(done.stderr).toMatch(reason);
    expect(done.stderr).toMatch(/could not start Node.*stopped for safety.*hookwright doctor\n$/);
    expect(denial(done.stdout)).toEqual(denied(done.stderr.trimEnd()));
    const json = await run(compiledClient, place, [...GUARDED, "--reply", "json"], { env: { PATH: place.root } });
    expect([json.exit, json.stdout.equals(done.stdout)]).toEqual([0, true]);
  });

  test.for(TOOL_CALLS)("stops a tool call that only its body names so: %s", async ([_name, stdin], { makePlace }) => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.dist, "node.path"), "/no/node");
    const done = await run(compiledClient, place, ALONE, { stdin });
    expect(done.exit).toBe(2);
    expect(denial(done.stdout)).toEqual(denied(done.stderr.trimEnd()));
  });

  test.for(CALLS_ELSEWHERE)("stops $event of $agent by exit code and text alone", async (call, { makePlace }) => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.dist, "node.path"), "/no/node");
    const args = [...ALONE, "--agent", call.agent, "--event", call.event];
    const { exit, stdout, stderr } = await run(compiledClient, place, args, { stdin: '{"cwd":"/' });
    expect({ exit, stdout: stdout.toString(), stderr }).toEqual(stoppedByExitCode);
  });

  test.for(OTHER_EVENTS)("lets pass what its body names so: %s", async ([_name, stdin], { makePlace }) => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.dist, "node.path"), "/no/node");
    const done = await run(compiledClient, place, ALONE, { stdin });
    expect([done.exit, done.stdout.length]).toEqual([0, 0]);
  });

  test("lets other events pass with one line", async ({ makePlace }) => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.dist, "node.path"), "/no/node");
    const done = await run(compiledClient, place, [...ALONE, "--event", "Stop"]);
    expect([done.exit, done.stdout.length]).toEqual([0, 0]);
    expect(done.stderr).toMatch(/^Hookwright could not start Node \(\/no\/node: [^\n]*hookwright doctor\n$/);
  });

  test("finds Node through PATH when nothing else is said", async ({ makePlace }) => {
    const place = makePlace();
    fs.rmSync(path.join(place.dist, "node.path"));
    const done = await run(compiledClient, place, ALONE, { env: { PATH: path.dirname(process.execPath) } });
    expect(done.exit).toBe(7);
  });

  test("keeps the settings of other Node programs away from ours", async ({ makePlace }) => {
    const place = makePlace();
    writeEngine(
      place,
      `exports.decideFrame = async () => ({ exit: 0, stderr: "", stdout:
        [process.env.NODE_OPTIONS, process.env.NODE_EXTRA_CA_CERTS, process.env.KEPT].join() });`,
    );
    const env = { NODE_OPTIONS: "--require /no/such/file", NODE_EXTRA_CA_CERTS: "/no/such/file", KEPT: "kept" };
    const done = await run(compiledClient, place, ALONE, { env });
    expect([done.stdout.toString(), done.stderr]).toEqual([",,kept", ""]);
  });
});

test("hook.cjs says so when it is handed something that is no frame", async ({ makePlace }) => {
  const done = await run(nodeClient, makePlace(), ["--cold-frame"], { stdin: "{}" });
  expect([done.exit, done.stdout.length]).toEqual([0, 0]);
  expect(done.stderr).toMatch(/passed no frame/);
});
