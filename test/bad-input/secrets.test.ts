import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Event, forbiddenWrite, prompt, stop, toolCall } from "../support/events.ts";
import { IS_LONG } from "../support/long.ts";
import type { Running } from "../support/processes.ts";
import { rowCount, storedBytes } from "../support/records.ts";
import { AVAILABLE } from "../support/routes.ts";
import { type Payload, World } from "../support/world.ts";

/** The text as a person or a program would write it around `tag`, and the part of it that must not be kept. */
const SECRETS: readonly (readonly [name: string, make: (tag: string) => readonly [text: string, secret: string]])[] = [
  ["an Anthropic key", (tag) => alone(`sk-ant-api03-${tag}_Zx9-Zx9-Zx9`)],
  ["a GitHub token", (tag) => alone(`ghp_${tag}aB3daB3daB3daB3daB3d`)],
  ["a GitHub fine-grained token", (tag) => alone(`github_pat_${tag}_11ABC_11ABC_11ABC`)],
  ["a GitLab token", (tag) => alone(`glpat-${tag}-q1W2q1W2`)],
  ["a Slack token", (tag) => alone(`xoxb-123456789-${tag}`)],
  ["an AWS key id", (tag) => alone(`AKIA${tag}IOSFODNN7EXAMPLE`.slice(0, 20))],
  ["an npm token", (tag) => alone(`npm_${tag}k9Lmk9Lmk9Lmk9Lmk9Lmk9Lm`)],
  ["a JSON web token", (tag) => alone(`eyJhbGciOiJIUzI1.eyJzdWIiOiIx${tag}.SflKxwRJSMeK`)],
  ["a password in an assignment", (tag) => [`password=hunter2-${tag}`, `hunter2-${tag}`]],
  ["a token in a header", (tag) => [`Authorization: Bearer mF_9.B5f-${tag}`, `mF_9.B5f-${tag}`]],
  ["a password in an address", (tag) => [`postgres://app:s3cr3t-${tag}@db.example/app`, `s3cr3t-${tag}`]],
  ["a key in a setting", (tag) => [`API_KEY: "${tag}-live"`, `${tag}-live`]],
  [
    "a private key",
    (tag) => [`-----BEGIN RSA PRIVATE KEY-----\nMII${tag}\n-----END RSA PRIVATE KEY-----`, `MII${tag}`],
  ],
];

function alone(secret: string): readonly [string, string] {
  return [secret, secret];
}

/** What may stand around it: a line before, a tab, quotes, a backslash. */
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `see below\n${text}\nthanks`,
  (text) => `a\t${text}\tb`,
  (text) => `curl -H "${text}" 'http://x'`,
  (text) => `C:\\${text}\\"`,
];

/** All of it in the long form; else two of them for each secret in each place, others each time. */
function aroundOf(number: number): typeof AROUND {
  return IS_LONG ? AROUND : [0, 2].flatMap((more) => AROUND[(number + more) % AROUND.length] ?? []);
}

const DENIED_PATH = "the path of a denied write";

/** A path has no double slash, without which nothing tells an address. */
function fits(secret: string, place: string): boolean {
  return place !== DENIED_PATH || secret !== "a password in an address";
}

/** Where in an event it can stand. */
const PLACES: readonly (readonly [name: string, event: (text: string, id: string) => Payload])[] = [
  ["a command", (text, id) => toolCall(world, id, "Bash", { command: `echo ${text}`, description: text })],
  ["written content", (text, id) => toolCall(world, id, "Write", { file_path: inProject("a"), content: text })],
  [DENIED_PATH, (text, id) => withPath(forbiddenWrite(world, id), text)],
  ["an argument of an unknown tool", (text, id) => toolCall(world, id, "mcp__x__y", { deep: [{ value: text }] })],
  ["the name of a field", (text, id) => toolCall(world, id, "mcp__x__y", { answers: { [text]: "yes" } })],
  ["a malformed event", (text, id) => ({ ...toolCall(world, id, "Write", { file_path: text }), session_id: 7 })],
  ["a tool's output", (text, id) => ({ ...after(id, "PostToolUse"), tool_response: { stdout: text, lines: [text] } })],
  ["a tool's error", (text, id) => ({ ...after(id, "PostToolUseFailure"), error: text })],
  ["a prompt", (text) => prompt(world, text)],
  ["the last message", (text) => ({ ...stop(world), last_assistant_message: text })],
  ["a field nobody knows", (text) => ({ ...prompt(world, "hello"), session_title: text })],
  ["the name of a field nobody knows", (text) => ({ ...prompt(world, "hello"), [text]: 1 })],
  ["an unknown event", (text) => ({ ...prompt(world, text), hook_event_name: "BrandNew" })],
  ["input cut in the middle", (text) => JSON.stringify(prompt(world, text)).slice(0, -2)],
];

let world: World;
let daemon: Running;
let calls = 0;
beforeAll(async () => {
  world = new World();
  daemon = await world.startDaemon();
});
afterAll(() => world.dispose());

function inProject(name: string): string {
  return path.join(world.project, name);
}

function withPath(event: Event, text: string): Event {
  return { ...event, tool_input: { file_path: path.join(inProject(".git"), text) } };
}

function after(id: string, hookEventName: string): Event {
  return toolCall(world, id, "Bash", { command: "true" }, "session-1", hookEventName);
}

function route(daemonAnswers: boolean) {
  const found = AVAILABLE.find((one) => one.daemon === daemonAnswers);
  if (!found) throw new Error("no client at all");
  return found;
}

/** All that was sent, to look for once more at the end. */
const sent: string[] = [];

describe.each(PLACES)("in %s", (place, event) => {
  it.each(SECRETS.filter(([name]) => fits(name, place)))("%s is not kept", async (secretName, make) => {
    const [text, secret] = make(`T${String(sent.length).padStart(7, "0")}`);
    sent.push(secret);
    const rows = rowCount(world);
    const arounds = aroundOf(sent.length);
    await Promise.all([
      ...arounds.map((around) => world.send(event(around(text), `call-${++calls}`), route(true))),
      // Once from a process of its own as well: it writes through another connection.
      ...(secretName === SECRETS[0]?.[0] ? [world.send(event(text, `call-${++calls}`), route(false))] : []),
    ]);
    expect(rowCount(world)).toBeGreaterThanOrEqual(rows + arounds.length);
    expect(storedBytes(world).includes(secret), place).toBe(false);
  });
});

describe("afterwards", () => {
  it("the rows say that something was masked, and can be read", async () => {
    const printed = await world.hookwright("journal", "--json");
    expect(printed).toMatchObject({ exit: 0, stderr: "" });
    const lines = printed.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(rowCount(world));
    const masked = lines.filter((line) => line.includes("[masked]"));
    // Not where only a hash, or nothing, is kept of the body: written content, unknown events and cut input.
    expect(masked.length).toBeGreaterThan(lines.length / 2);
  });

  it("nothing of it is in the files when the daemon has ended", async () => {
    daemon.kill("SIGTERM");
    await daemon.ended;
    const bytes = storedBytes(world);
    expect(sent.filter((secret) => bytes.includes(secret))).toEqual([]);
  });
});

describe("a token in the environment of the hook", () => {
  const TOKEN = `sk-ant-oat01-${"Qw7-".repeat(8)}`;

  it.each(["CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_API_KEY", "ANTHROPIC_API_KEY"])(
    "%s is not kept",
    async (name) => {
      const other = new World();
      onTestFinished(() => other.dispose());
      const started = { ...prompt(other, "hello"), hook_event_name: "SessionStart", source: "startup" };
      const answer = await other.send(started, route(false), { env: { [name]: TOKEN } });
      expect(answer.exit).toBe(0);
      expect(rowCount(other)).toBe(1);
      expect(storedBytes(other).includes(TOKEN)).toBe(false);
    },
  );
});
