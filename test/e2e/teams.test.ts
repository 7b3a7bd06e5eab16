/** A team of agents in the real client: who may start whom, who is told what, and what is left at the end. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult, wholeText } from "./model-requests.ts";
import { queueMarker, type ToolCall } from "./model-script.ts";
import { hookwright, journal } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

const TEAM = "atm-dev";
const LEAD = "11111111-aaaa-4bbb-8ccc-222222222222";
const NEXT = "33333333-aaaa-4bbb-8ccc-444444444444";
const TEAMS_ON = { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" };

let scratch: Scratch;
let terminal: Terminal | undefined;
let listener: net.Server | undefined;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,teams"]);
  scratch.write(join(scratch.project, ".atm.toml"), `[core]\ndefault_team = "${TEAM}"\nidentity = "team-lead"\n`);
  const members = [{ name: "team-lead", agentId: `team-lead@${TEAM}` }, { name: "bob" }];
  const team = { name: TEAM, leadAgentId: `team-lead@${TEAM}`, leadSessionId: LEAD, members };
  scratch.write(join(scratch.home, ".claude", "teams", TEAM, "config.json"), JSON.stringify(team));
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  listener?.close();
  listener = undefined;
  await scratch.dispose();
});

const daemonFolder = (): string => join(scratch.home, ".claude", "daemon");
const trail = (): Record<string, unknown>[] => {
  const file = join(daemonFolder(), "hooks", "events.jsonl");
  const lines = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** Somebody else's daemon behind the socket, who writes down what he is told. */
async function listenOnSocket(): Promise<Record<string, unknown>[]> {
  const told: Record<string, unknown>[] = [];
  mkdirSync(daemonFolder(), { recursive: true, mode: 0o700 });
  listener = net.createServer((connection) => {
    connection.on("error", () => undefined);
    connection.on("data", (bytes) => {
      const request = JSON.parse(String(bytes)) as { request_id: string; payload: Record<string, unknown> };
      told.push(request.payload);
      const answer = { version: 1, request_id: request.request_id, status: "ok", payload: { processed: true } };
      connection.end(`${JSON.stringify(answer)}\n`);
    });
  });
  await new Promise<void>((resolve) => listener?.listen(join(daemonFolder(), "atm-daemon.sock"), resolve));
  return told;
}

interface Status {
  readonly teams: readonly {
    readonly team: string;
    readonly leadSession: string;
    readonly members: readonly {
      readonly name: string;
      readonly state: string;
      readonly alive: boolean | null;
      readonly pid: number | null;
    }[];
  }[];
}
async function member(team: string, name: string) {
  const status = JSON.parse(await hookwright(scratch, ["teams", "status", "--json"])) as Status;
  return status.teams.find((one) => one.team === team)?.members.find((one) => one.name === name);
}

const spawning = (id: string, input: Record<string, unknown>): ToolCall => ({
  tool: "Agent",
  id,
  input: { description: "work", prompt: `${queueMarker("worker")} Work.`, run_in_background: false, ...input },
});

describe("an agent that coordinates others", () => {
  it.each(["user", "project"])("is not started without a name, set up for the %s; with one it is", async (scope) => {
    if (scope !== "user") {
      await hookwright(scratch, ["uninstall", "--yes", "--scope", "user"]);
      await hookwright(scratch, ["init", "--yes", "--scope", scope, "--profile", "safety,teams"]);
    }
    const front = "---\nname: scrum-master\ndescription: Coordinates.\n---\nCoordinate.\n";
    scratch.write(join(scratch.project, ".claude", "agents", "scrum-master.md"), front);
    const planner = front
      .replaceAll("scrum-master", "planner")
      .replace("\n---\n", "\nmetadata:\n  spawn_policy: named_teammate_required\n---\n");
    scratch.write(join(scratch.project, ".claude", "agents", "planner.md"), planner);
    const outcome = await runClaude(scratch, {
      prompt: "run a sprint",
      script: {
        main: [
          spawning("toolu_unnamed", { subagent_type: "scrum-master" }),
          spawning("toolu_planner", { subagent_type: "planner" }),
          spawning("toolu_named", { subagent_type: "scrum-master", name: "sm-1" }),
          "The sprint runs.",
        ],
        queues: { worker: ["Coordinated."] },
        whenExhausted: "ok",
      },
      args: NO_PERMISSION_CHECKS.args,
      env: { ...NO_PERMISSION_CHECKS.env, ...TEAMS_ON },
    });
    const refused = toolResult(outcome.requests.slice(0, 2), "toolu_unnamed");
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining("`scrum-master` coordinates other agents"),
    });
    expect(refused.text).toContain("teams/spawn-gate");
    expect(toolResult(outcome.requests, "toolu_planner").text).toContain("`planner` coordinates other agents");
    expect(toolResult(outcome.requests, "toolu_named").isError).toBe(false);
    expect(outcome.model.conversation("worker")).toHaveLength(1);
  });
});

describe("a session", () => {
  it("knows its id and team, holds its team while it lives, and lets go of it at its end", async () => {
    let early: { exitCode: number | null; stderr: string } | undefined;
    let during: Awaited<ReturnType<typeof member>>;
    const resume = ["teams", "resume", TEAM, "--session-id", NEXT];
    const outcome = await runClaude(scratch, {
      prompt: "hello",
      script: {
        main: [
          {
            say: "Hello.",
            before: async () => {
              during = await member(TEAM, "team-lead");
              early = await scratch.hookwright(resume);
            },
          },
        ],
      },
      args: [...NO_PERMISSION_CHECKS.args, "--session-id", LEAD],
      env: NO_PERMISSION_CHECKS.env,
    });
    const first = outcome.requests[0] ?? expect.fail("no request");
    expect(wholeText(first)).toContain(`SESSION_ID=${LEAD} (starting fresh)\nATM team: ${TEAM}`);
    expect(during).toMatchObject({ state: "busy", alive: true });
    expect(during?.pid).toBeGreaterThan(1);
    expect(early).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("led by session 11111111, which is still running"),
    });

    expect(await member(TEAM, "team-lead")).toMatchObject({ state: "closed", alive: false });
    const rows = JSON.parse(
      `[${(await hookwright(scratch, ["journal", "--json", "--session", LEAD])).trim().split("\n").join(",")}]`,
    ) as { event: string }[];
    expect(rows.find(({ event }) => event === "session.end")).toBeDefined();
    expect(trail().map(({ type, session_id }) => [type, session_id])).toEqual([
      ["session-start", LEAD],
      ["turn-start", LEAD],
      ["stop", LEAD],
      ["session-end", LEAD],
    ]);
    expect(await hookwright(scratch, resume)).toContain(`${TEAM} is led by session 33333333 now`);
    const config = JSON.parse(readFileSync(join(scratch.home, ".claude", "teams", TEAM, "config.json"), "utf8"));
    expect(config.leadSessionId).toBe(NEXT);
  });

  it("may name its team when it leads it, and not when another session does", async () => {
    const run = async (session: string) => {
      const outcome = await runClaude(scratch, {
        prompt: "go",
        script: {
          main: [spawning("toolu_join", { subagent_type: "general-purpose", name: "dev", team_name: TEAM }), "Done."],
          queues: { worker: ["Worked."] },
          whenExhausted: "ok",
        },
        args: [...NO_PERMISSION_CHECKS.args, "--session-id", session],
        env: { ...NO_PERMISSION_CHECKS.env, ...TEAMS_ON },
      });
      return toolResult(outcome.requests, "toolu_join").text;
    };
    expect(await run(LEAD)).not.toContain("teams/spawn-gate");
    expect(await run(NEXT)).toContain(`only the lead of \`${TEAM}\` adds teammates`);
  });
});

describe("a teammate in a terminal", () => {
  it("cannot add teammates, and its idleness reaches the file and the socket", async () => {
    const told = await listenOnSocket();
    const inner = { subagent_type: "general-purpose", name: "carl", team_name: TEAM };
    terminal = await Terminal.start(scratch, {
      env: TEAMS_ON,
      args: ["--session-id", LEAD],
      script: {
        main: [
          {
            tool: "Agent",
            id: "toolu_bob",
            input: {
              description: "work",
              prompt: `${queueMarker("bob")} Work.`,
              subagent_type: "general-purpose",
              name: "bob",
            },
          },
          "Bob is at work.",
        ],
        queues: { bob: [spawning("toolu_inner", inner), "I am done."] },
        whenExhausted: "ok",
      },
    });
    const { model } = terminal;
    await terminal.type("have bob work");
    await terminal.until(() => trail().some(({ type }) => type === "teammate-idle"), "bob never became idle");
    const asked = model.conversation("bob");
    // Bob shares the lead's session; it is his agent id that gives him away.
    const refused = toolResult(asked, "toolu_inner");
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("comes from the agent bob") });
    expect(newText(asked[1] ?? expect.fail("bob was not asked again"))).toContain("SPAWN_UNAUTHORIZED");
    expect(model.conversation("worker")).toHaveLength(0);

    const idle = trail().find(({ type }) => type === "teammate-idle");
    expect(idle).toMatchObject({
      agent: "bob",
      session_id: LEAD,
      payload: { teammate_name: "bob", hook_event_name: "TeammateIdle" },
    });
    await terminal.until(() => told.some(({ event }) => event === "teammate_idle"), "the socket was never told");
    expect(told.find(({ event }) => event === "teammate_idle")).toMatchObject({
      agent: "bob",
      team: idle?.team,
      session_id: LEAD,
    });
    // The team that the client made by itself is one of those that we know members of.
    expect(await member(String(idle?.team), "bob")).toMatchObject({ state: "idle", alive: true });

    await terminal.leave();
    await terminal
      .until(() => told.some(({ event }) => event === "session_end"), "the socket never heard of the end")
      .catch((error: unknown) => {
        throw new Error(`${String(error)} ${JSON.stringify(told)}`);
      });
    expect(await member(TEAM, "team-lead")).toMatchObject({ state: "closed", alive: false });
    expect(await member(String(idle?.team), "bob")).not.toMatchObject({ alive: true });
    const [end] = (await journal(scratch, "--session", LEAD)).filter(({ event }) => event === "session.end");
    expect(end).toBeDefined();
  });
});

describe("hookwright mcp", () => {
  it("lets an agent report itself and look at its team", async () => {
    const report = { event: "session_start", agent: "bob", team: TEAM, session_id: "of-bob" };
    const outcome = await runClaude(scratch, {
      prompt: "report",
      script: {
        main: [
          { tool: "mcp__hookwright__hook_event", id: "toolu_report", input: report },
          { tool: "mcp__hookwright__teams", id: "toolu_teams", input: { team: TEAM } },
          { tool: "mcp__hookwright__journal", id: "toolu_journal", input: { limit: 1 } },
          "Reported.",
        ],
      },
      args: [
        ...NO_PERMISSION_CHECKS.args,
        "--mcp-config",
        JSON.stringify({ mcpServers: { hookwright: { command: "hookwright", args: ["mcp"] } } }),
      ],
      env: NO_PERMISSION_CHECKS.env,
    });
    expect(toolResult(outcome.requests, "toolu_report").text).toContain('"processed":true');
    expect(toolResult(outcome.requests, "toolu_teams").text).toMatch(/"name":"bob","isLead":false,"state":"launching"/);
    expect(toolResult(outcome.requests, "toolu_journal").text).toContain('"event":"tool.before"');
    expect(trail().find(({ agent }) => agent === "bob")).toMatchObject({ type: "session-start", source: "atm_mcp" });
  });
});
