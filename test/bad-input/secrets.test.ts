import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Event, forbiddenWrite, prompt, stop, toolCall } from "../support/events.ts";
import type { Running } from "../support/processes.ts";
import { journal, storedBytes } from "../support/records.ts";
import { AVAILABLE } from "../support/routes.ts";
import { type Payload, World } from "../support/world.ts";

/** The text as a person or a program would write it, and the part of it that must not be kept. */
const SECRETS: readonly (readonly [name: string, text: string, secret: string])[] = [
  own("an Anthropic key", `sk-ant-api03-${"Zx9_".repeat(8)}`),
  own("a GitHub token", `ghp_${"aB3d".repeat(9)}`),
  own("a GitHub fine-grained token", `github_pat_${"11ABC_".repeat(6)}`),
  own("a GitLab token", `glpat-${"q1W2".repeat(5)}`),
  own("a Slack token", `xoxb-${"123456789-".repeat(3)}a`),
  own("an AWS key id", "AKIAIOSFODNN7EXAMPLX"),
  own("an npm token", `npm_${"k9Lm".repeat(9)}`),
  own("a JSON web token", `eyJ${"hbGc".repeat(4)}.eyJ${"zdWI".repeat(4)}.${"SflK".repeat(4)}`),
  ["a password in an assignment", "password=hunter2-correct-horse", "hunter2-correct-horse"],
  ["a password in a header", "Authorization: Bearer mF_9.B5f-4.1JqM", "mF_9.B5f-4.1JqM"],
  ["a password in an address", "postgres://app:s3cr3t-Pa55@db.example/app", "s3cr3t-Pa55"],
  ["a key in a setting", 'API_KEY: "0123456789abcdef-live"', "0123456789abcdef-live"],
  [
    "a private key",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----",
    "MIIEowIBAAKCAQEA7",
  ],
];

function own(name: string, secret: string): [string, string, string] {
  return [name, secret, secret];
}

/** What may stand around it: a line before, a tab, quotes, a backslash. */
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `see below\n${text}\nthanks`,
  (text) => `a\t${text}\tb`,
  (text) => `curl -H "${text}" 'http://x'`,
  (text) => `C:\\${text}\\"`,
];

/** Where in an event it can stand. */
const PLACES: readonly (readonly [name: string, event: (text: string, id: string) => Payload])[] = [
  ["a command", (text, id) => toolCall(world, id, "Bash", { command: `echo ${text}`, description: text })],
  ["written content", (text, id) => toolCall(world, id, "Write", { file_path: inProject("a"), content: text })],
  ["the path of a denied write", (text, id) => withPath(forbiddenWrite(world, id), text)],
  ["an argument of an unknown tool", (text, id) => toolCall(world, id, "mcp__x__y", { deep: [{ value: text }] })],
  ["the name of a field", (text, id) => toolCall(world, id, "mcp__x__y", { answers: { [text]: "yes" } })],
  ["a malformed event", (text, id) => ({ ...toolCall(world, id, "Write", { file_path: text }), session_id: 7 })],
  ["a tool's output", (text, id) => ({ ...after(id, "PostToolUse"), tool_response: { stdout: text, lines: [text] } })],
  ["a tool's error", (text, id) => ({ ...after(id, "PostToolUseFailure"), error: text })],
  ["a prompt", (text) => prompt(world, text)],
  ["the last message", (text) => ({ ...stop(world), last_assistant_message: text })],
  ["a field nobody knows", (text) => ({ ...prompt(world, "hello"), session_title: text })],
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
  return { ...event, tool_input: { file_path: path.join(inProject(".git"), text.replaceAll("/", "_")) } };
}

function after(id: string, hookEventName: string): Event {
  return toolCall(world, id, "Bash", { command: "true" }, "session-1", hookEventName);
}

function route(daemonAnswers: boolean) {
  const found = AVAILABLE.find((one) => one.daemon === daemonAnswers);
  if (!found) throw new Error("no client at all");
  return found;
}

describe.each(SECRETS)("%s", (_, text, secret) => {
  it.each(PLACES)("in %s is not kept", async (place, event) => {
    const rows = journal(world).length;
    for (const around of AROUND) await world.send(event(around(text), `call-${++calls}`), route(true));
    // Once from a process of its own as well: it writes through another connection.
    await world.send(event(text, `call-${++calls}`), route(false));
    expect(journal(world)).toHaveLength(rows + AROUND.length + 1);
    expect(storedBytes(world).includes(secret), place).toBe(false);
  });
});

describe("afterwards", () => {
  it("the rows say that something was masked, and can be read", async () => {
    const printed = await world.hookwright("journal", "--json");
    expect(printed).toMatchObject({ exit: 0, stderr: "" });
    const lines = printed.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(journal(world).length);
    const masked = lines.filter((line) => line.includes("[masked]"));
    // Not where only a hash, or nothing, is kept of the body: written content, unknown events and cut input.
    expect(masked.length).toBeGreaterThan(lines.length / 2);
  });

  it("nothing of it is in the files when the daemon has ended", async () => {
    daemon.kill("SIGTERM");
    await daemon.ended;
    const bytes = storedBytes(world);
    for (const [name, , secret] of SECRETS) expect(bytes.includes(secret), name).toBe(false);
  });
});

describe("a token in the environment of the hook", () => {
  const TOKEN = `sk-ant-oat01-${"Qw7-".repeat(8)}`;

  it.each(["CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_API_KEY", "ANTHROPIC_API_KEY"])(
    "%s is not kept",
    async (name) => {
      const other = new World();
      const started = { ...prompt(other, "hello"), hook_event_name: "SessionStart", source: "startup" };
      const answer = await other.send(started, route(false), { env: { [name]: TOKEN } });
      expect(answer.exit).toBe(0);
      expect(journal(other).length).toBeGreaterThan(0);
      expect(storedBytes(other).includes(TOKEN)).toBe(false);
      await other.dispose();
    },
  );
});
