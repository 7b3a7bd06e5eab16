import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../core/event.ts";
import { handleRequestLine, type TeamService } from "./handle-request.ts";
import { applyLifecycle, type LifecycleEvent } from "./lifecycle.ts";
import { openRegistry } from "./registry.ts";
import { isMember, readTeam, type Team } from "./team-config.ts";

function memoryTable() {
  const rows = new Map<string, Json>();
  return {
    get: (key: string) => rows.get(key),
    keys: () => [...rows.keys()].sort(),
    isEmpty: () => rows.size === 0,
    set: (key: string, value: Json) => void rows.set(key, value),
    delete: (key: string) => void rows.delete(key),
    add: () => 0,
  };
}

const TEAM = readTeam({
  leadAgentId: "team-lead@dev",
  members: [{ name: "team-lead" }, { agentId: "bob@dev" }],
}) as Team;

function service(alive: (pid: number) => boolean = () => true): TeamService {
  const registry = openRegistry(memoryTable());
  let now = 1_000;
  const delivered = new Set<string>();
  return {
    database: "/state.db",
    now: () => now,
    isMember: (name, agent) => name === "dev" && isMember(TEAM, agent),
    deliver(id, entry, text) {
      const key = `${id} ${entry.agent} ${text}`;
      const duplicate = delivered.has(key);
      delivered.add(key);
      return { duplicate };
    },
    registry,
    isAlive: (entry) => entry.registry === "Active" && alive(entry.pid),
    receive: (_id, event) => applyLifecycle(event, registry, (name) => (name === "dev" ? TEAM : undefined), now++),
  };
}

const ask = (to: TeamService, command: string, payload: Json = {}, more: JsonObject = {}) =>
  handleRequestLine(JSON.stringify({ version: 1, request_id: "r", command, payload, ...more }), to);
const ok = (to: TeamService, command: string, payload: Json = {}): Json => {
  const answer = ask(to, command, payload);
  if (answer.status !== "ok") throw new Error(answer.error.message);
  return answer.payload;
};
const code = (to: TeamService, command: string, payload: Json = {}, more: JsonObject = {}): string => {
  const answer = ask(to, command, payload, more);
  return answer.status === "error" ? answer.error.code : answer.status;
};
const report = (event: string, agent: string, session: string, kind?: string, more: JsonObject = {}): JsonObject => ({
  event,
  agent,
  team: "dev",
  session_id: session,
  ...(kind ? { source: { kind } } : {}),
  ...more,
});

describe("requests that make no sense", () => {
  it.each([
    ["not json", "INVALID_REQUEST"],
    ["[]", "INVALID_REQUEST"],
    ["{}", "VERSION_MISMATCH"],
    ['{"version":2,"request_id":"r","command":"list-agents"}', "VERSION_MISMATCH"],
    ['{"version":1,"command":"list-agents"}', "INVALID_REQUEST"],
    ['{"version":1,"request_id":"r"}', "INVALID_REQUEST"],
    ['{"version":1,"request_id":"r","command":"list-agents","payload":5}', "INVALID_PAYLOAD"],
    ['{"version":1,"request_id":"r","command":"launch"}', "UNKNOWN_COMMAND"],
    ['{"version":1,"request_id":"r","command":"constructor"}', "UNKNOWN_COMMAND"],
    ['{"version":1,"request_id":"r","command":"agent-state"}', "MISSING_PARAMETER"],
    ['{"version":1,"request_id":"r","command":"session-query","payload":{"agent":"zoe"}}', "AGENT_NOT_FOUND"],
  ])("%s", (line, expected) => {
    const answer = handleRequestLine(line, service());
    expect(answer).toMatchObject({ version: 1, status: "error", error: { code: expected } });
    expect(answer.request_id).toBe(line.includes('"r"') ? "r" : "");
  });
});

describe("reports", () => {
  it.each<[string, JsonObject, string | true]>([
    ["the lead starts", report("session_start", "team-lead", "s", "claude_hook"), true],
    ["the lead starts, and nobody says how that is known", report("session_start", "team-lead", "s"), true],
    ["a member starts", report("session_start", "bob", "s", "claude_hook"), "only team-lead"],
    ["a member starts, source unknown", report("session_start", "bob", "s"), "only team-lead"],
    ["a member ends", report("session_end", "bob", "s"), "only team-lead"],
    ["a source nobody knows", report("session_start", "bob", "s", "root"), "only team-lead"],
    ["a source of the older kind", { ...report("session_start", "bob", "s"), source: "init" }, "only team-lead"],
    ["a member starts, by its MCP server", report("session_start", "bob", "s", "atm_mcp"), true],
    ["a member starts, by its adapter", report("session_start", "bob", "s", "agent_hook"), true],
    ["a member is idle", report("teammate_idle", "bob", "s"), true],
    ["a member is idle, in no known session", report("teammate_idle", "bob", ""), true],
    ["somebody who is no member", report("teammate_idle", "mallory", "s", "atm_mcp"), "not authorised"],
    ["a team nobody knows", { ...report("teammate_idle", "bob", "s"), team: "other" }, "not authorised"],
    ["a team that is a path", { ...report("teammate_idle", "bob", "s"), team: "../dev" }, "not a team name"],
    ["no agent", report("teammate_idle", "", "s"), "missing agent"],
    ["no team", { ...report("teammate_idle", "bob", "s"), team: null }, "missing team"],
    ["no session", report("session_start", "team-lead", ""), "missing session_id"],
    ["an event nobody knows", report("dance", "bob", "s"), "unknown event type"],
    ["nothing at all", {}, "missing agent"],
  ])("%s", (_name, payload, expected) => {
    const result = ok(service(), "hook-event", payload);
    if (expected === true) expect(result).toEqual({ processed: true });
    else expect(result).toEqual({ processed: false, reason: expect.stringContaining(expected) });
  });
});

it("the lead is whom the team's file names, and team-lead where it names nobody", () => {
  expect(readTeam({ leadAgentId: "boss@dev", members: [] })?.lead).toBe("boss");
  expect(readTeam({ members: [] })?.lead).toBe("team-lead");
  expect(readTeam([])).toBeUndefined();
});

describe("the state of an agent", () => {
  const story = (...events: JsonObject[]): TeamService => {
    const to = service();
    for (const event of events) ok(to, "hook-event", event);
    return to;
  };
  const state = (to: TeamService, agent = "team-lead"): Json =>
    (ok(to, "agent-state", { agent, team: "dev" }) as JsonObject).state ?? null;
  const start = report("session_start", "team-lead", "s1", "claude_hook", { process_id: 7 });

  it("goes from launching over idle to closed", () => {
    expect(state(story(start))).toBe("launching");
    expect(state(story(start, report("teammate_idle", "team-lead", "s1")))).toBe("idle");
    expect(state(story(start, report("session_end", "team-lead", "s1")))).toBe("closed");
  });

  it("begins anew with a new session and stays as it is over a compaction", () => {
    const idle = report("teammate_idle", "team-lead", "s1");
    expect(state(story(start, idle, start))).toBe("idle");
    expect(state(story(start, idle, report("session_start", "team-lead", "s2")))).toBe("launching");
    expect(
      state(story(start, report("session_end", "team-lead", "s1"), report("session_start", "team-lead", "s2"))),
    ).toBe("launching");
  });

  it("is not ended by the end of another session", () => {
    const to = story(start);
    expect(ok(to, "hook-event", report("session_end", "team-lead", "s0"))).toMatchObject({ processed: false });
    expect(state(to)).toBe("launching");
  });

  it("is not brought back by a late report", () => {
    const to = story(start, report("session_end", "team-lead", "s1"));
    expect(ok(to, "hook-event", report("teammate_idle", "team-lead", "s1"))).toMatchObject({ processed: false });
    expect(state(to)).toBe("closed");
  });

  it("comes back with another session, and not with a report that names none", () => {
    const ended = [start, report("session_end", "team-lead", "s1")];
    const to = story(...ended);
    expect(ok(to, "hook-event", report("teammate_idle", "team-lead", ""))).toMatchObject({ processed: false });
    expect(ok(to, "hook-event", report("teammate_idle", "team-lead", "s2"))).toEqual({ processed: true });
    expect(state(to)).toBe("idle");
  });

  it("keeps its process until another one is named or another session begins", () => {
    const pid = (to: TeamService): Json =>
      (ok(to, "session-query", { name: "team-lead" }) as JsonObject).process_id ?? null;
    expect(pid(story(start, report("teammate_idle", "team-lead", "s1")))).toBe(7);
    expect(pid(story(start, report("teammate_idle", "team-lead", "s1", undefined, { process_id: 9 })))).toBe(9);
    expect(pid(story(start, report("teammate_idle", "team-lead", "s2")))).toBeNull();
  });

  it("remembers sessions before, and which of them ended", () => {
    const to = story(
      start,
      report("session_start", "team-lead", "s2", undefined, { process_id: 8 }),
      report("session_start", "team-lead", "s3", undefined, { process_id: 9 }),
      report("session_end", "team-lead", "s1"),
    );
    expect(state(to)).toBe("launching");
    expect(to.registry.all()[0]).toMatchObject({
      session: "s3",
      registry: "Active",
      earlier: [
        { session: "s2", pid: 8, registry: "Active" },
        { session: "s1", pid: 7, registry: "Dead" },
      ],
    });
  });

  it("does not end with a session that is not its own", () => {
    const to = story(start, report("teammate_idle", "bob", "s9"), report("session_end", "team-lead", "s1"));
    expect([state(to), state(to, "bob")]).toEqual(["closed", "idle"]);
  });

  it("is closed once its process is gone, although nobody said so", () => {
    const to = service((pid) => pid !== 7);
    ok(to, "hook-event", start);
    expect(state(to)).toBe("closed");
    expect(ok(to, "session-query", { name: "team-lead" })).toMatchObject({
      session_id: "s1",
      process_id: 7,
      alive: false,
    });
  });

  it("is dead although its process lives on", () => {
    const to = story(start, report("session_end", "team-lead", "s1"));
    expect(ok(to, "session-query", { name: "team-lead", team: "dev" })).toMatchObject({
      alive: false,
      registry: "Dead",
    });
  });

  it("is busy from the start of a turn to its end", () => {
    const busy = report("turn_start", "team-lead", "s1");
    expect(state(story(start, busy))).toBe("busy");
    expect(state(story(start, busy, report("stop", "team-lead", "s1")))).toBe("idle");
    expect(state(story(start, busy, start))).toBe("busy");
    const ended = story(start, busy, report("session_end", "team-lead", "s1"));
    expect(ok(ended, "hook-event", busy)).toMatchObject({ processed: false, reason: "the session has ended" });
    expect(state(ended)).toBe("closed");
  });

  it("is listed, for one team or all", () => {
    const to = story(start, report("teammate_idle", "bob", "s1"));
    const names = (payload: JsonObject) => (ok(to, "list-agents", payload) as JsonObject[]).map(({ agent }) => agent);
    expect(names({})).toEqual(["bob", "team-lead"]);
    expect(names({ team: "dev" })).toEqual(["bob", "team-lead"]);
    expect(names({ team: "de" })).toEqual([]);
  });

  it("keeps no process number that is none", () => {
    const odd = (pid: Json): LifecycleEvent["pid"] =>
      (
        ok(story(report("session_start", "team-lead", "s", "claude_hook", { process_id: pid })), "session-query", {
          name: "team-lead",
        }) as JsonObject
      ).process_id as number;
    expect([-1, 0, 1.5, "7", null].map(odd)).toEqual([null, null, null, null, null]);
  });
});

describe("control", () => {
  const begun = (...events: JsonObject[]): TeamService => {
    const to = service();
    for (const event of events) expect(ok(to, "hook-event", event)).toEqual({ processed: true });
    return to;
  };
  const started = report("session_start", "bob", "b1", "atm_mcp");
  const idle = report("teammate_idle", "bob", "b1", "atm_mcp");
  const busy = report("turn_start", "bob", "b1", "agent_hook");
  const request = { agent_id: "bob", team: "dev", session_id: "b1", sender: "team-lead", payload: "look at this" };

  it.each([
    ["waits", idle],
    ["works", busy],
  ])("takes input for an agent with an adapter that %s, once", (_name, event) => {
    const to = begun(started, event);
    expect(ok(to, "control", request)).toMatchObject({ request_id: "r", result: "ok", duplicate: false });
    expect(ok(to, "control", request)).toMatchObject({ result: "ok", duplicate: true });
    expect(ok(to, "control", { ...request, payload: undefined as unknown as Json, content: "more" })).toBeTruthy();
  });

  it.each<[string, JsonObject[], JsonObject, string]>([
    ["nobody knows", [started], { agent_id: "zoe" }, "AGENT_NOT_FOUND"],
    ["is in another session", [started, idle], { session_id: "b0" }, "AGENT_NOT_FOUND"],
    ["has ended", [started, idle, report("session_end", "bob", "b1", "atm_mcp")], {}, "AGENT_CLOSED"],
    ["has not begun", [started], {}, "UNAVAILABLE"],
    ["is a session of Claude Code", [report("teammate_idle", "bob", "b1", "claude_hook")], {}, "UNAVAILABLE"],
    ["came from an unknown source", [report("teammate_idle", "bob", "b1")], {}, "UNAVAILABLE"],
    ["is to be interrupted", [started, idle], { action: "interrupt" }, "UNAVAILABLE"],
    ["is addressed by a stranger", [started, idle], { sender: "mallory" }, "UNAUTHORIZED"],
    ["is addressed by nobody", [started, idle], { sender: null }, "UNAUTHORIZED"],
    ["is told nothing", [started, idle], { payload: " \n" }, "MISSING_PARAMETER"],
    ["is told too much", [started, idle], { payload: "x".repeat(65_537) }, "INVALID_PAYLOAD"],
  ])("is refused for one that %s", (_name, events, more, expected) => {
    expect(code(begun(...events), "control", { ...request, ...more })).toBe(expected);
  });
});
