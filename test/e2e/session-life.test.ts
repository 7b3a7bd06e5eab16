/** What goes on around the work of a session, in the real client: subagents, compaction, /clear, and its end. */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { type ModelRequest, newText, toolResult, wholeText } from "./model-requests.ts";
import { queueMarker, type Turn } from "./model-script.ts";
import { hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

const DIR = "sessions/2026_01_02_LOGIN";
const TEAM = "atm-dev";
const LEAD = "11111111-aaaa-4bbb-8ccc-222222222222";
const PLAN = "docs/plans/2026-02-16-login-design.md";

let scratch: Scratch;
let terminal: Terminal | undefined;
beforeEach(async () => {
  scratch = new Scratch();
  terminal = undefined;
  await scratch.run("git", ["init", "--quiet"]);
});
afterEach(async () => {
  await terminal?.stop();
  await scratch.dispose();
});

const inProject = (name: string): string => join(scratch.project, name);
const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });
const activate = bash("toolu_activate", `engine session activate ${DIR} implement < /dev/null`);
const state = (): Record<string, unknown> =>
  JSON.parse(readFileSync(inProject(`${DIR}/.state.json`), "utf8")) as Record<string, unknown>;
const first = (requests: readonly ModelRequest[]): ModelRequest => requests[0] ?? expect.fail("no request");

async function install(profiles: string, config = ""): Promise<void> {
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", profiles]);
  scratch.write(join(scratch.hookwrightHome, "config.yml"), `profiles: [${profiles}]\n${config}`);
}

describe("a subagent", () => {
  it("is told at its start how to log and what its parent has loaded, and is counted on its own", async () => {
    await install("session");
    scratch.write(inProject("docs/TEMPLATE_LOG.md"), "## What was found\n**Where**: file and line\n");
    scratch.write(inProject("docs/rules.md"), "Names are never shortened.\n");
    const settings = [
      `engine session update ${DIR} logTemplate docs/TEMPLATE_LOG.md`,
      `engine session update ${DIR} preloadedFiles '["docs/rules.md"]'`,
      `engine session update ${DIR} toolUseWithoutLogsBlockAfter 3`,
    ];
    const prompt = `${queueMarker("scout")} Look around.`;
    const input = { description: "look around", prompt, subagent_type: "general-purpose", run_in_background: false };
    const outcome = await runClaude(scratch, {
      prompt: "send a scout",
      script: {
        main: [
          activate,
          bash("toolu_settings", settings.join(" && ")),
          bash("toolu_main", "touch by-main"),
          { tool: "Agent", id: "toolu_agent", input },
          bash("toolu_after", "touch by-main-after"),
          "The scout is back.",
        ],
        queues: {
          scout: [
            bash("toolu_s1", "touch s1"),
            bash("toolu_s2", "touch s2"),
            bash("toolu_s3", "touch s3"),
            "Nothing but trees.",
          ],
        },
      },
      args: NO_PERMISSION_CHECKS.args,
      env: { ...NO_PERMISSION_CHECKS.env, SESSION_REQUIRED: "1" },
    });
    const scout = outcome.model.conversation("scout");
    const told = wholeText(first(scout));
    for (const part of [
      "You work in the session `2026_01_02_LOGIN`",
      `engine log ${inProject(`${DIR}/LOG.md`)}`,
      "**Where**: file and line",
      "Names are never shortened.",
    ]) {
      expect(told).toContain(part);
    }
    // Its own third call waits for a log; its parent's second does not, though both together made many more.
    expect(existsSync(inProject("s2"))).toBe(true);
    expect(toolResult(scout, "toolu_s3")).toMatchObject({ isError: true });
    expect(toolResult(scout, "toolu_s3").text).toContain("[session/heartbeat]");
    expect(existsSync(inProject("s3"))).toBe(false);
    expect(existsSync(inProject("by-main-after"))).toBe(true);
    const counts = Object.values(state().toolCallsByTranscript as Record<string, number>);
    // The denied call of the subagent is not counted.
    expect(counts.sort()).toEqual([2, 2]);
  });
});

describe("an automatic compaction", () => {
  it("without a hand-over: the first request after it has what the session's state tells", async () => {
    await install("session");
    const large: Turn = { say: { tool: "Bash", input: { command: "true" } }, inputTokens: 95_000 };
    const log = `engine log ${DIR}/IMPLEMENT_LOG.md <<'EOF'\n## The field\nIt is written.\nEOF`;
    const outcome = await runClaude(scratch, {
      prompt: "build the login",
      script: {
        main: [
          activate,
          bash("toolu_about", `engine session update ${DIR} taskSummary 'A login form.'`),
          bash("toolu_log", log),
          // One such turn is too short a history to compact.
          large,
          large,
          "Done.",
          "Done again.",
        ],
        compaction: "Summary: nothing of note.",
      },
      args: NO_PERMISSION_CHECKS.args,
      env: { ...NO_PERMISSION_CHECKS.env, SESSION_REQUIRED: "1", CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" },
    });
    const { requests } = outcome.model;
    const at = requests.findLastIndex(({ purpose }) => purpose.kind === "compaction");
    const compaction = requests[at] ?? expect.fail("nothing was compacted");
    expect(wholeText(compaction)).toContain("Keep in the summary: the work session `2026_01_02_LOGIN`");
    const after = requests.slice(at + 1).find(({ purpose }) => purpose.kind === "turn") ?? expect.fail("no request");
    const told = wholeText(after);
    for (const part of [
      "This run continues the work session",
      "A login form.",
      "It is written.",
      "about to be compacted",
    ])
      expect(told).toContain(part);
    expect(told).not.toContain("toolu_activate");
    // The conversation went on and has it: it is not to be told again.
    expect(state()).toMatchObject({ lifecycle: "active" });
    expect(state()).not.toHaveProperty("killRequested", true);
    expect(state()).not.toHaveProperty("dehydratedContext");
    expect(readFileSync(inProject(`${DIR}/DEHYDRATED_CONTEXT.md`), "utf8")).toContain("**Delivered**");
  });
});

const MEMBERS = [{ name: "team-lead", agentId: `team-lead@${TEAM}` }, { name: "bob" }];
interface Member {
  readonly name: string;
  readonly session: string;
  readonly state: string;
  readonly alive: boolean | null;
}

describe("/clear by keys", () => {
  async function inTeam(): Promise<void> {
    await install("session,plan,teams", "contextPolicy: restart\n");
    scratch.write(inProject(".atm.toml"), `[core]\ndefault_team = "${TEAM}"\nidentity = "team-lead"\n`);
    const team = { name: TEAM, leadAgentId: `team-lead@${TEAM}`, leadSessionId: LEAD, members: MEMBERS };
    scratch.write(teamFile(), JSON.stringify(team));
    scratch.write(inProject(".claude/project.yml"), "hooks:\n  session_context: true\n");
    const table = "| # | Task | Depends On | Status |\n|---|---|---|---|\n| 1 | Build the form | — | pending |\n";
    scratch.write(inProject(PLAN), `# Login for everybody\n\n## Implementation Tasks\n\n${table}`);
    await hookwright(scratch, ["plan", "start", PLAN]);
  }
  const teamFile = (): string => join(scratch.home, ".claude", "teams", TEAM, "config.json");
  const teamOf = () => JSON.parse(readFileSync(teamFile(), "utf8")) as { leadSessionId: string; members: unknown };
  async function members(): Promise<readonly Member[]> {
    const status = JSON.parse(await hookwright(scratch, ["teams", "status", "--json"])) as {
      teams: { team: string; members: Member[] }[];
    };
    return status.teams.find(({ team }) => team === TEAM)?.members ?? [];
  }

  it("of a restart loses neither the session, nor the plan, nor the team", async () => {
    await inTeam();
    const handover = JSON.stringify({ summary: "Half the form is done.", nextSteps: ["write the button"] });
    terminal = await Terminal.start(scratch, {
      script: {
        main: [
          activate,
          bash("toolu_phase", `engine session update ${DIR} currentPhase '2: Build'`),
          bash("toolu_dehydrate", `engine session dehydrate <<'EOF'\n${handover}\nEOF`),
          // The old run ends its turn; the new one does what it was told to lead its team.
          "Handed over.",
          bash("toolu_lead", `hookwright teams resume ${TEAM} --session-id $CLAUDE_CODE_SESSION_ID`),
        ],
        whenExhausted: "Going on.",
      },
      args: ["--session-id", LEAD],
      env: { SESSION_REQUIRED: "1" },
    });
    // The client shows its prompt before its hooks have ended.
    await terminal.until(async () => (await members())[0]?.alive === true, "nobody leads the team");
    const before = await members();
    expect(before).toMatchObject([{ name: "team-lead", alive: true }, { name: "bob" }]);
    await terminal.type("build the login");
    const { model } = terminal;
    const isNext = (request: ModelRequest): boolean =>
      !wholeText(request).includes("build the login") && wholeText(request).includes("Half the form is done.");
    await terminal.until(() => model.conversation().some(isNext), "there was no next run", 90_000);
    const told = wholeText(model.conversation().find(isNext) ?? expect.fail("no request"));
    expect(told).toContain("skill: implement, phase: 2: Build");
    expect(told).toContain("Active implementation: Login for everybody");
    expect(told).toContain(TEAM);
    await terminal.until(() => !("dehydratedContext" in state()), "not: it counts as delivered", 30_000);
    expect(state()).toMatchObject({ lifecycle: "active", skill: "implement", currentPhase: "2: Build" });
    expect(state().sessionId).not.toBe(LEAD);
    const { sessionId } = state();
    // Whether it works or waits at this moment is its own business.
    const now = { session: sessionId, state: expect.any(String) };
    expect(await members()).toEqual(before.map((one) => (one.session === LEAD ? { ...one, ...now } : one)));
    expect(told).toContain(`hookwright teams resume ${TEAM} --session-id ${sessionId}`);
    await terminal.until(() => teamOf().leadSessionId === sessionId, "not: the new run leads its team", 30_000);
    expect(teamOf().members).toMatchObject(MEMBERS);
  });

  it("of a person goes on in the same session", async () => {
    await inTeam();
    const prompt = `${queueMarker("worker")} Work.`;
    const about = { description: "work", subagent_type: "general-purpose", run_in_background: false };
    const joining = { ...about, prompt, name: "dev", team_name: TEAM };
    terminal = await Terminal.start(scratch, {
      script: {
        main: [activate, "Well.", { tool: "Agent", id: "toolu_join", input: joining }],
        whenExhausted: "Well.",
      },
      args: ["--session-id", LEAD],
      env: { SESSION_REQUIRED: "1", CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" },
    });
    const { model } = terminal;
    await terminal.type("build the login");
    await terminal.until(() => model.conversation().length === 2, "the first turn did not end");
    await terminal.sees(/Well\./);
    await terminal.type("/clear");
    await terminal.until(() => state().sessionId !== LEAD, "the conversation was not cleared");
    await terminal.type("where were we?");
    await terminal.until(() => model.conversation().length >= 4, "nobody was asked");
    // Still the lead, who alone may add teammates.
    expect(toolResult(model.conversation(), "toolu_join").text).not.toContain("teams/spawn-gate");
    const asked = model.conversation()[2] ?? expect.fail("no request");
    expect(wholeText(asked)).not.toContain("build the login");
    expect(newText(asked)).toContain("Session: 2026_01_02_LOGIN | Skill: implement");
    expect(wholeText(asked)).toContain("Active implementation: Login for everybody");
    expect((await members())[0]).toMatchObject({ name: "team-lead", alive: true, session: state().sessionId });
    expect(teamOf()).toMatchObject({ leadSessionId: LEAD, members: MEMBERS });
  });
});

describe("the end of a session", () => {
  it("is written down within the client's time, and does not wait for who shows it", async () => {
    await install("session", "policies:\n  session/fleet:\n    sinks: [desktop]\n");
    const bin = scratch.folder("desktop");
    const told = join(bin, "told");
    const over = join(bin, "over");
    const slow = `#!/bin/sh\necho "$*" >> ${told}\nsleep 4\necho over >> ${over}\n`;
    scratch.write(join(bin, "notify-send"), slow, 0o755);
    const outcome = await runClaude(scratch, {
      prompt: "hello",
      script: { main: ["Hello."] },
      env: { PATH: [bin, scratch.environment.PATH].join(delimiter) },
    });
    const endedFirst = !existsSync(over);
    expect(outcome.result.result).toBe("Hello.");
    expect(endedFirst).toBe(true);
    const rows = (await hookwright(scratch, ["journal", "--json"]))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { event: string });
    // The client ends a hook that takes longer than it gives the end of a session; nothing would be recorded then.
    expect(rows.map(({ event }) => event)).toContain("session.end");
    for (let waited = 0; !existsSync(over) && waited < 20_000; waited += 100) await sleep(100);
    expect(readFileSync(told, "utf8")).toContain(`The agent in ${scratch.project} is done.`);
  });
});
