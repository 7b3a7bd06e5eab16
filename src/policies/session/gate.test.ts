import { describe, expect, it } from "vitest";
import { sessionStarts } from "../../domain/plan/plan.samples.ts";
import {
  bash,
  call,
  DIR,
  edit,
  noSession,
  playSessionEvents,
  read,
  STATE,
  WRAPPED,
  worldInSession,
} from "../../domain/session/session.samples.ts";
import { PROJECT, toolBefore, USER_HOME } from "../../testing/events.ts";
import { ENGINE } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./gate.ts";

const none = { ...noSession, says: "deny", message: "none" } as const;
const over = (lifecycle: string) => ({ ...worldInSession({ lifecycle }), says: "deny", message: "completed" }) as const;

/** Plugins as the client installs them, each with one skill. */
function plugins(enabledPlugins: Record<string, boolean>) {
  const folder = `${USER_HOME}/.claude/plugins`;
  const cache = (name: string): string => `${folder}/cache/${name}`;
  const names = Object.keys(enabledPlugins);
  const installed = Object.fromEntries(names.map((name) => [name, [{ scope: "user", installPath: cache(name) }]]));
  return {
    [`${USER_HOME}/.claude/settings.json`]: JSON.stringify({ enabledPlugins }),
    [`${folder}/installed_plugins.json`]: JSON.stringify({ version: 2, plugins: installed }),
    ...Object.fromEntries(
      names.filter((name) => !name.startsWith("gone")).map((name) => [`${cache(name)}/skills/plan/SKILL.md`, ""]),
    ),
  };
}

testPolicy(policy, {
  hit: [
    { name: "a shell command without a session", event: bash("ls"), ...none, text: "AskUserQuestion" },
    {
      name: "the guidance names the command by its path",
      event: bash("ls"),
      ...none,
      text: `\`${ENGINE} session activate sessions/YYYY_MM_DD_TOPIC SKILL\``,
    },
    {
      name: "our own engine is gone, but the PATH has one",
      event: bash("ls"),
      ...none,
      hasNoEngine: true,
      env: { ...WRAPPED, PATH: "bin:/usr/bin" },
      files: { "/usr/bin/engine": "" },
      text: "run `engine session activate",
    },
    {
      name: "in a terminal the tool to ask with is there",
      event: bash("ls"),
      ...none,
      env: { ...WRAPPED, CLAUDE_CODE_ENTRYPOINT: "cli" },
      text: "Ask the user with AskUserQuestion which skill to use and which session this work belongs to, then run",
    },
    {
      name: "elsewhere it may not be",
      event: bash("ls"),
      ...none,
      env: { ...WRAPPED, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" },
      text: "Ask the user (with AskUserQuestion if you have that tool) which skill",
    },
    {
      name: "and then it is said what to do without an answer",
      event: bash("ls"),
      ...none,
      env: { ...WRAPPED, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" },
      text: "If nobody can answer, decide it yourself from the task.",
    },
    {
      name: "skills that are installed are named, and nothing else",
      event: bash("ls"),
      ...none,
      files: {
        [`${PROJECT}/.claude/skills/fix/SKILL.md`]: "",
        [`${PROJECT}/.claude/skills/empty/README.md`]: "",
        [`${PROJECT}/.claude/skills/odd name/SKILL.md`]: "",
        [`${USER_HOME}/.claude/skills/do/SKILL.md`]: "",
      },
      text: "which skill to use (installed: /fix, /do) and which session",
    },
    {
      name: "skills of another configuration folder",
      event: bash("ls"),
      ...none,
      env: { ...WRAPPED, CLAUDE_CONFIG_DIR: "/conf" },
      files: { "/conf/skills/do/SKILL.md": "", [`${USER_HOME}/.claude/skills/not/SKILL.md`]: "" },
      text: "which skill to use (installed: /do) and",
    },
    {
      name: "skills of plugins that are switched on",
      event: bash("ls"),
      ...none,
      files: plugins({ "tools@shop": true, "old@shop": false, "hookwright@hookwright": true, "gone@shop": true }),
      text: "which skill to use (installed: /tools:plan) and",
    },
    {
      name: "many skills",
      event: bash("ls"),
      ...none,
      files: Object.fromEntries(
        Array.from("abcdefghij", (name) => [`${PROJECT}/.claude/skills/${name}/SKILL.md`, ""] as const),
      ),
      text: "/h and 2 more)",
    },
    {
      name: "a file that is named as our engine",
      event: bash(`${PROJECT}/engine session activate sessions/X do`),
      ...none,
      files: { [`${PROJECT}/engine`]: "" },
    },
    { name: "more behind our own engine", event: bash(`${ENGINE} session find; make`), ...none },
    { name: "variables set for our own engine", event: bash(`NODE_OPTIONS=-r/x ${ENGINE} session find`), ...none },
    {
      name: "a gate that cannot be opened is told to the person",
      event: sessionStarts("startup"),
      ...noSession,
      hasNoEngine: true,
      says: "notice",
      message: "unopenable",
      text: `${ENGINE} is missing, and the agent's PATH has no \`engine\`. Therefore tool calls without a session are not denied.`,
    },
    { name: "an edit without a session", event: edit(`${PROJECT}/a.ts`), ...none, text: "Edit" },
    { name: "a write without a session", event: call("Write", { file_path: `${PROJECT}/a.ts`, content: "" }), ...none },
    { name: "a search without a session", event: call("Grep", { pattern: "x" }), ...none },
    { name: "a subagent without a session", event: call("Agent", { prompt: "x" }), ...none },
    { name: "another program's file", event: read("/etc/passwd"), ...none },
    { name: "a project's source", event: read(`${PROJECT}/src/a.ts`), ...none },
    { name: "a document outside of sessions", event: read(`${PROJECT}/docs/a.md`), ...none },
    { name: "the state file itself", event: read(STATE), ...none },
    { name: "a way out of the agent's folder", event: read(`${USER_HOME}/.claude/../.ssh/id`), ...none },
    { name: "more behind an engine command", event: bash("engine session find; rm x"), ...none },
    { name: "more behind a pipe", event: bash("engine session find | sh"), ...none },
    { name: "more in a substitution", event: bash("engine session activate $(make) do"), ...none },
    { name: "more in a here-document that is expanded", event: bash("engine log f <<EOF\n$(make)\nEOF"), ...none },
    { name: "a file written by an engine command", event: bash("engine session find > ~/.bashrc"), ...none },
    { name: "variables set for an engine command", event: bash("PATH=/tmp/x engine session find"), ...none },
    { name: "a script of that name by its path", event: bash("./engine session find"), ...none },
    { name: "a script path of the origin", event: bash("~/.claude/scripts/session.sh activate x do"), ...none },
    { name: "an engine command through a launcher", event: bash("sudo engine session find"), ...none },
    { name: "an engine command under another name", event: bash("alias engine=make; engine session find"), ...none },
    { name: "a name that only begins alike", event: bash("engineer session find"), ...none },
    { name: "a line that cannot be read", event: bash("engine session find 'x"), ...none },
    { name: "a completed session", event: bash("ls"), ...over("completed"), text: "2026_01_02_LOGIN" },
    { name: "a completed session: its skill", event: bash("ls"), ...over("completed"), text: "implement" },
    { name: "a completed session: continue", event: bash("ls"), ...over("completed"), text: `session continue ${DIR}` },
    { name: "an idle session", event: bash("ls"), ...over("idle"), text: "idle" },
    { name: "a session that restarts", event: bash("ls"), ...over("restarting") },
    { name: "a lifecycle that nobody knows", event: bash("ls"), ...over("sleeping") },
    {
      name: "a state file that cannot be read",
      event: bash("ls"),
      env: WRAPPED,
      files: { [STATE]: '{"pid": 42' },
      says: "deny",
      message: "broken",
      text: STATE,
    },
    {
      name: "another process's session",
      event: bash("ls"),
      ...worldInSession({ pid: 1 }),
      says: "deny",
      message: "none",
    },
    {
      name: "by configuration, without the environment",
      event: bash("ls"),
      options: { required: "always" },
      says: "deny",
      message: "none",
    },
  ],
  pass: [
    { name: "without SESSION_REQUIRED", event: bash("make") },
    { name: "our own engine by its path", event: bash(`${ENGINE} session activate sessions/X do`), ...noSession },
    { name: "a gate that cannot be opened", event: bash("make"), ...noSession, hasNoEngine: true },
    {
      name: "a relative folder on the PATH opens nothing",
      event: bash("make"),
      env: { ...WRAPPED, PATH: "bin" },
      files: { [`${PROJECT}/bin/engine`]: "" },
      hasNoEngine: true,
    },
    { name: "a session starts where the gate can be opened", event: sessionStarts("startup"), ...noSession },
    { name: "a session starts where none is required", event: sessionStarts("startup"), hasNoEngine: true },
    { name: "SESSION_REQUIRED with another value", event: bash("make"), env: { SESSION_REQUIRED: "0" } },
    { name: "asking the user", event: call("AskUserQuestion"), ...noSession },
    { name: "a skill", event: call("Skill", { skill: "do" }), ...noSession },
    { name: "finding tools", event: call("ToolSearch", { query: "x" }), ...noSession },
    { name: "engine session activate", event: bash("engine session activate sessions/X do"), ...noSession },
    {
      name: "with parameters in a here-document",
      event: bash("engine session activate s do <<'E'\n{}\nE"),
      ...noSession,
    },
    { name: "engine log", event: bash("engine log sessions/X/A.md <<'E'\n## x; rm -rf y\nE"), ...noSession },
    { name: "engine tag", event: bash("engine tag find '#needs-x'"), ...noSession },
    { name: "the long form", event: bash("hookwright session find 2>/dev/null"), ...noSession },
    { name: "two engine commands", event: bash("engine session find && engine session rules"), ...noSession },
    { name: "an engine command in a folder", event: bash(`cd ${PROJECT} && engine session find`), ...noSession },
    { name: "a log that is piped in", event: bash("printf '## x' | engine log sessions/X/A.md"), ...noSession },
    { name: "saving a fleet", event: bash("ntm save fleet"), ...noSession },
    { name: "the agent's own folder", event: read(`${USER_HOME}/.claude/standards/A.md`), ...noSession },
    { name: "the project's agent folder", event: read(`${PROJECT}/.claude/rules.md`), ...noSession },
    { name: "CLAUDE.md", event: read(`${PROJECT}/CLAUDE.md`), ...noSession },
    { name: "MEMORY.md", event: read(`${PROJECT}/x/MEMORY.md`), ...noSession },
    { name: "memory", event: read("/home/dev/memory/a.md"), ...noSession },
    { name: "an earlier session's document", event: read(`${PROJECT}/sessions/OLD/DEBRIEF.md`), ...noSession },
    {
      name: "an earlier session's document, from a folder below the project",
      event: toolBefore("Read", { file_path: `${PROJECT}/sessions/OLD/DEBRIEF.md` }, { cwd: `${PROJECT}/src` }),
      ...noSession,
      files: { [`${PROJECT}/.git`]: { dir: 0o755 } },
    },
    { name: "an active session", event: bash("make"), ...worldInSession() },
    { name: "an active session: an edit", event: edit(`${PROJECT}/a.ts`), ...worldInSession() },
    {
      name: "a session without a lifecycle counts as active",
      event: bash("make"),
      ...worldInSession({ lifecycle: undefined }),
    },
    { name: "a session that hands over", event: bash("make"), ...worldInSession({ lifecycle: "dehydrating" }) },
    { name: "a session that resumes", event: bash("make"), ...worldInSession({ lifecycle: "resuming" }) },
    { name: "a pid written as text", event: bash("make"), ...worldInSession({ pid: "4242" }) },
  ],
});

describe("finding the session", () => {
  it("no session is made up where there is none", async () => {
    const { state } = await playSessionEvents([policy], [bash("ls")], noSession);
    expect(state).toBeUndefined();
  });

  it("an agent that was found by its process is known by its id from then on", async () => {
    const { state } = await playSessionEvents([policy], [bash("ls")], worldInSession());
    expect(state).toMatchObject({ pid: 4242, sessionId: "11111111-2222-3333-4444-555555555555", skill: "implement" });
  });

  it("is by the pane after the agent began anew, unless another process lives there", async () => {
    const env = { SESSION_REQUIRED: "1", TMUX: "/tmp/tmux/fleet,1,0", TMUX_PANE: "%3" };
    const files = { [STATE]: JSON.stringify({ pid: 7, tmuxPane: "/tmp/tmux/fleet:%3", lifecycle: "active" }) };
    const dead = await playSessionEvents([policy], [bash("ls")], { env, files });
    expect(dead.sent[0]?.ruling.outcome).toBe("pass");
    const alive = await playSessionEvents([policy], [bash("ls")], { env, files, alive: [7] });
    expect(alive.sent[0]?.ruling.outcome).toBe("deny");
  });
});
