import { describe, expect, it } from "vitest";
import type { AnyEvent, Json } from "../../core/event.ts";
import { madeSecrets } from "../../core/secrets/secrets.samples.ts";
import { redactedOutput } from "../../domain/secrets/redacted-output.ts";
import { claudeEvent, shell, toolAfter } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./redact-output.ts";

const PASSWORD = "Kq7#mZ4tWx9p";
const TOKEN = madeSecrets(200).find(({ shape }) => shape === "GitLab")?.secret ?? "";
const AWS = madeSecrets(200).find(({ shape }) => shape === "AWS key id")?.secret ?? "";
const PRIVATE_KEY = madeSecrets(400).find(({ secret }) => secret.startsWith("-----BEGIN"))?.secret ?? "";

let calls = 0;
const after = (tool: string, tool_response: Json): AnyEvent =>
  toolAfter(tool, {}, `toolu_redact_${++calls}`, { tool_response });
const printed = (stdout: string, stderr = ""): AnyEvent =>
  after("Bash", { stdout, stderr, interrupted: false, isImage: false, noOutputExpected: false });
const failed = (error: string): AnyEvent =>
  claudeEvent({ hook_event_name: "PostToolUseFailure", tool_name: "Bash", tool_input: {}, tool_use_id: "f", error });

const removed = { says: "rewrite", message: "removed", also: [{ says: "note", message: "removed" }] } as const;

testPolicy(policy, {
  hit: [
    { name: "a token on stdout", event: printed(`token: ${TOKEN}\n`), ...removed, text: "1 value was removed" },
    { name: "a token on stderr", event: printed("", `using ${TOKEN}`), ...removed },
    {
      name: "several of two kinds",
      event: printed(`${TOKEN}\n${AWS}\nDB_PASSWORD=${PASSWORD}\nADMIN_PASSWORD=${PASSWORD}1`),
      ...removed,
      text: "4 values were removed from the output of Bash",
    },
    {
      name: "a file that is read",
      event: after("Read", { type: "text", file: { filePath: "/p/key", content: PRIVATE_KEY, numLines: 8 } }),
      ...removed,
      text: "private key",
    },
    { name: "the answer of a server", event: after("mcp__db__rows", [{ type: "text", text: TOKEN }]), ...removed },
    { name: "a field whose name says it", event: after("mcp__db__row", { row: { password: PASSWORD } }), ...removed },
    { name: "a plain text", event: after("mcp__db__row", `key ${TOKEN}`), ...removed },
    { name: "the report of a subagent", event: after("Agent", { content: [{ text: TOKEN }] }), ...removed },
    {
      name: "the error of a call that failed",
      event: failed(`Exit code 1\nlogin with ${TOKEN} was refused`),
      says: "notice",
      message: "stays",
      text: "(GitLab token)",
    },
  ],
  pass: [
    { name: "an ordinary output", event: printed("total 0\n") },
    { name: "a made-up key", event: printed("API_KEY=your-key-here") },
    { name: "what was removed before", event: printed("token: [removed: GitLab token]") },
    { name: "an output without fields", event: after("Bash", {}) },
    { name: "numbers and flags", event: after("mcp__x__y", { token: 12345678, ok: true, none: null }) },
    { name: "the bytes of an image", event: after("Read", { type: "image", file: { base64: `${TOKEN}AAAA` } }) },
    { name: "an image on stdout", event: after("Bash", { isImage: true, stdout: `data:image/png;base64,${TOKEN}` }) },
    {
      name: "an edit, whose text the model wrote itself",
      event: toolAfter("Write", { file_path: "/p/a", content: TOKEN }, "toolu_write", {
        tool_response: { type: "create", filePath: "/p/a", content: TOKEN, structuredPatch: [] },
      }),
    },
    { name: "a call that is still to come", event: shell(`echo ${TOKEN}`) },
    { name: "the error of a call without a secret", event: failed("Exit code 1") },
  ],
});

describe("the output that the model sees instead", () => {
  it("keeps its shape and says what stood there", () => {
    const response = {
      stdout: `a ${TOKEN} b`,
      stderr: "",
      list: [1, { deep: `DB_PASSWORD=${PASSWORD}` }],
      isImage: false,
    };
    expect(redactedOutput(response)?.output).toEqual({
      stdout: "a [removed: GitLab token] b",
      stderr: "",
      list: [1, { deep: "DB_PASSWORD=[removed: password or key]" }],
      isImage: false,
    });
  });

  it("keeps user and host of an address", () => {
    const output = redactedOutput(`postgres://app:${TOKEN.slice(6)}9@db.shop.io/app`)?.output;
    expect(output).toBe("postgres://app:[removed: password in an address]@db.shop.io/app");
  });

  it("has no secret any more, whatever its kind", () => {
    const kept = madeSecrets(300).filter(({ text, secret }) => {
      const redacted = redactedOutput({ stdout: `before\n${text}\nafter` });
      return redacted !== undefined && JSON.stringify(redacted.output).includes(secret);
    });
    expect(kept).toEqual([]);
  });

  it("is what the reply says, and neither the reply nor the journal has the secret", async () => {
    const sandbox = createSandbox([policy]);
    const { reply } = await sandbox.send(printed(`token: ${TOKEN}`));
    const { hookSpecificOutput: own } = JSON.parse(reply.stdout) as { hookSpecificOutput: Record<string, unknown> };
    expect(own.updatedToolOutput).toMatchObject({ stdout: "token: [removed: GitLab token]", interrupted: false });
    expect(own.additionalContext).toContain("GitLab token");
    expect(reply.stdout).not.toContain(TOKEN);
    expect(JSON.stringify(sandbox.db.all("SELECT * FROM journal"))).not.toContain(TOKEN);
    sandbox.close();
  });

  it("is not sent in observe mode", async () => {
    const sandbox = createSandbox([policy], { mode: "observe" });
    const { reply } = await sandbox.send(printed(`token: ${TOKEN}`));
    expect(reply.stdout).toBe("");
    sandbox.close();
  });

  it("of data that is nested without end is left as it is", () => {
    let nested: Json = TOKEN;
    for (let depth = 0; depth < 50_000; depth++) nested = [nested];
    expect(redactedOutput(nested)).toBeUndefined();
  });
});
