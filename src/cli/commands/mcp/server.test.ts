import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../../state/database.ts";
import { sampleEntry } from "../../../state/entry.samples.ts";
import { append } from "../../../state/journal.ts";
import { noteSession } from "../../../state/sessions.ts";
import { serveMcp } from "./server.ts";
import { toolsFor } from "./tools.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hwm-"));
  fs.mkdirSync(path.join(folder, ".claude/teams/dev"), { recursive: true });
  const team = { leadAgentId: "team-lead@dev", leadSessionId: "s", members: [{ name: "team-lead" }, { name: "bob" }] };
  fs.writeFileSync(path.join(folder, ".claude/teams/dev/config.json"), JSON.stringify(team));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

async function exchange(...lines: (object | string)[]): Promise<Record<string, never>[]> {
  const sent: string[] = [];
  const env = { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), XDG_RUNTIME_DIR: path.join(folder, "run") };
  const input = Readable.from(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`));
  const tools = toolsFor({ cwd: folder, env });
  await serveMcp({ version: "1.2.3", tools, input, send: (line) => void sent.push(line) });
  return sent.map((line) => JSON.parse(line) as Record<string, never>);
}
const call = (name: string, args: object = {}): object => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name, arguments: args },
});
async function result(name: string, args: object = {}): Promise<{ text: string; isError: boolean }> {
  const [answer] = await exchange(call(name, args));
  const { content, isError } = (answer?.result ?? {}) as { content: { text: string }[]; isError?: boolean };
  return { text: content[0]?.text ?? "", isError: isError === true };
}
const report = { event: "session_start", agent: "bob", team: "dev", session_id: "b" };

describe("the protocol", () => {
  it("greets in the version that was asked for, or in its own", async () => {
    const greet = (protocolVersion: string) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion },
    });
    const [old, unknown] = await exchange(greet("2024-11-05"), greet("1999-01-01"));
    expect(old).toMatchObject({
      id: 1,
      result: { protocolVersion: "2024-11-05", serverInfo: { name: "hookwright", version: "1.2.3" } },
    });
    expect(unknown).toMatchObject({ result: { protocolVersion: "2025-06-18", capabilities: { tools: {} } } });
  });

  it("answers what is asked and nothing else, in order", async () => {
    const answers = await exchange(
      { jsonrpc: "2.0", method: "notifications/initialized" },
      "",
      { jsonrpc: "2.0", id: "a", method: "ping" },
      { jsonrpc: "2.0", id: "b", method: "tools/list" },
    );
    expect(answers.map(({ id }) => id)).toEqual(["a", "b"]);
    const { tools } = (answers[1]?.result ?? {}) as { tools: { name: string; inputSchema: object }[] };
    expect(tools.map(({ name }) => name)).toEqual([
      "sessions",
      "teams",
      "journal",
      "policies",
      "explain",
      "hook_event",
    ]);
    for (const tool of tools) expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
  });

  it.each<[string, object | string, number]>([
    ["no JSON", "{", -32_700],
    ["no object", "[]", -32_600],
    ["no method", { jsonrpc: "2.0", id: 1 }, -32_600],
    ["a method nobody knows", { jsonrpc: "2.0", id: 1, method: "resources/list" }, -32_601],
    ["a tool nobody knows", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "rm" } }, -32_602],
  ])("refuses %s and goes on", async (_name, line, code) => {
    const answers = await exchange(line, { jsonrpc: "2.0", id: 9, method: "ping" });
    expect(answers).toMatchObject([{ error: { code } }, { id: 9, result: {} }]);
  });
});

describe("the tools", () => {
  it("reports a member, as what it is, and shows it afterwards", async () => {
    expect(JSON.parse((await result("hook_event", report)).text)).toEqual({ processed: true });
    const trail = fs.readFileSync(path.join(folder, ".claude/daemon/hooks/events.jsonl"), "utf8");
    expect(JSON.parse(trail)).toMatchObject({
      type: "session-start",
      agent: "bob",
      source: "atm_mcp",
      processed: true,
    });
    const [team] = JSON.parse((await result("teams", { team: "dev" })).text).teams;
    expect(team.members[1]).toMatchObject({ name: "bob", state: "launching", session: "b" });
  });

  it("believes nobody who is not a member, and no other source that a caller claims", async () => {
    const stranger = await result("hook_event", { ...report, agent: "mallory", source: { kind: "claude_hook" } });
    expect(JSON.parse(stranger.text)).toMatchObject({
      processed: false,
      reason: expect.stringContaining("not authorised"),
    });
    await result("hook_event", { ...report, source: { kind: "claude_hook" } });
    const lines = fs.readFileSync(path.join(folder, ".claude/daemon/hooks/events.jsonl"), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).source)).toEqual(["atm_mcp", "atm_mcp"]);
  });

  it("tells the model what is wrong with a call", async () => {
    expect(await result("teams", { team: "../x" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("cannot be used"),
    });
  });

  it("has nothing to show before anything happened", async () => {
    expect((await result("sessions")).text).toBe("[]");
    expect((await result("journal")).text).toBe("");
  });

  it("shows sessions with what the journal says of them, the latest first", async () => {
    const db = new Database(path.join(folder, "hw/state.db"), 50);
    const begin = (session: string, at: number): void => {
      const of = { agent: "claude-code", session, agentId: "", project: "/p" };
      noteSession(db, of, { via: "", lastAt: undefined }, { at, via: "user" });
    };
    begin("quiet", 2_000);
    begin("busy", 1_000);
    for (const [at, event] of [
      [1_000, "session.start"],
      [4_000, "tool.before"],
      [5_000, "tool.after"],
    ] as const)
      append(db, String(at), sampleEntry({ session: "busy", at, event }));
    db.close();
    const [busy, quiet] = JSON.parse((await result("sessions")).text);
    expect(busy).toEqual({
      agent: "claude-code",
      session: "busy",
      project: "/p",
      first: "1970-01-01T00:00:01.000Z",
      last: "1970-01-01T00:00:05.000Z",
      events: 3,
      toolCalls: 1,
    });
    expect(quiet).toMatchObject({ session: "quiet", last: "1970-01-01T00:00:02.000Z", events: 0, toolCalls: 0 });
    expect(JSON.parse((await result("sessions", { limit: 1 })).text)).toHaveLength(1);
  });

  it("shows one policy in full", async () => {
    expect(JSON.parse((await result("policies", { id: "teams/spawn-gate" })).text)).toMatchObject({
      id: "teams/spawn-gate",
    });
  });
});
