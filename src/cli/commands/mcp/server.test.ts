import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { LAUNCHER } from "../../../../test/support/world.ts";
import { Database } from "../../../state/database.ts";
import { sampleEntry } from "../../../state/entry.samples.ts";
import { append } from "../../../state/journal.ts";
import { noteSession } from "../../../state/sessions.ts";
import { readBuild } from "../../installation/version-folder.ts";
import { resultOf } from "./server.ts";
import { toolsFor } from "./tools.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hwm-"));
  fs.mkdirSync(path.join(folder, ".claude/teams/dev"), { recursive: true });
  const team = { leadAgentId: "team-lead@dev", leadSessionId: "s", members: [{ name: "team-lead" }, { name: "bob" }] };
  fs.writeFileSync(path.join(folder, ".claude/teams/dev/config.json"), JSON.stringify(team));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** The result as the library would send it: the tool's text, or the text of its error. */
async function result(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
  const env = { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), XDG_RUNTIME_DIR: path.join(folder, "run") };
  const tool = toolsFor({ cwd: folder, env }).find((one) => one.name === name) ?? expect.fail(name);
  const { content, isError } = await resultOf(tool, args);
  return { text: content[0]?.text ?? "", isError: isError === true };
}
const report = { event: "session_start", agent: "bob", team: "dev", session_id: "b" };

const NAMES = ["sessions", "teams", "journal", "policies", "explain", "hook_event"];

/** The official client starts the built command line and talks to it over standard input and output. */
describe("with the official client", () => {
  const connect = async (mode: "legacy" | { pin: string }): Promise<Client> => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const env = { PATH: process.env.PATH ?? "", HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw") };
    const args = [LAUNCHER, "mcp"];
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: folder }));
    return client;
  };

  it.each([
    ["2026-07-28", { pin: "2026-07-28" }],
    ["2025-11-25", "legacy" as const],
  ])("speaks %s: lists tools, calls one, says what is wrong, and goes on", async (version, mode) => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "hookwright", version: readBuild(ROOT).version });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    for (const { name, inputSchema, annotations } of tools) {
      expect(inputSchema.type).toBe("object");
      expect(annotations?.readOnlyHint).toBe(name !== "hook_event");
    }
    const unknown = await client.callTool({ name: "teams", arguments: { team: "../x" } });
    expect(unknown).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("cannot be used") }] });
    const wrong = await client.callTool({ name: "sessions", arguments: { limit: "many" } });
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("limit") }] });
    await expect(client.callTool({ name: "rm" })).rejects.toThrow(/rm/);
    expect(await client.callTool({ name: "sessions" })).toMatchObject({ content: [{ type: "text", text: "[]" }] });
  });

  it("ends when the agent closes its input, and survives a line that is no message", () => {
    const done = spawnSync(process.execPath, [LAUNCHER, "mcp"], {
      env: { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw") },
      input: "no JSON\n",
      encoding: "utf8",
    });
    expect({ status: done.status, stdout: done.stdout }).toEqual({ status: 0, stdout: "" });
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
