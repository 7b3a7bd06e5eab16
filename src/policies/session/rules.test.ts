import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import {
  bash,
  call,
  hasRun,
  noSession,
  playSessionEvents,
  read,
  STATE,
  worldInSession,
} from "../../domain/session/session.samples.ts";
import { claudeEvent, PROJECT, prompt, SESSION, USER_HOME } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./rules.ts";

const MINE = `${USER_HOME}/.claude/engine/guards.json`;
const THEIRS = `${PROJECT}/.claude/guards.json`;
const rule = (id: string, more: object = {}) => ({
  id,
  trigger: { type: "phase", condition: { matches: "Build" } },
  payload: { text: `${id} speaks in $currentPhase.` },
  urgency: "block",
  priority: 10,
  ...more,
});
const building = { currentPhase: "2: Build" };
const world = (rules: readonly object[], state: object = building, files: Record<string, string> = {}) =>
  worldInSession(state, { [MINE]: JSON.stringify(rules), ...files });
const work = (): AnyEvent => bash("make");
const blocked = { says: "deny", message: "blocked" } as const;
const later = { says: "later", message: "said" } as const;
const broken = { says: "notice", message: "broken" } as const;
const started = claudeEvent({ hook_event_name: "SessionStart", source: "startup" });

testPolicy(policy, {
  hit: [
    {
      name: "a blocking rule",
      event: work(),
      ...world([rule("no-builds")]),
      ...blocked,
      text: "These rules block this call: no-builds.",
    },
    {
      name: "its text, with what the state says",
      event: work(),
      ...world([rule("a")]),
      ...blocked,
      text: "in 2: Build.",
    },
    {
      name: "two rules, in their order",
      event: work(),
      ...world([rule("b"), rule("a", { priority: 1 })]),
      ...blocked,
      text: "a, b",
    },
    {
      name: "on one rule's list but not on the other's",
      event: bash("ls"),
      ...world([rule("a", { whitelist: ["Bash(ls)"] }), rule("b")]),
      ...blocked,
      text: "These rules block this call: b.",
    },
    {
      name: "a line of which one part is not listed",
      event: bash("ls; make"),
      ...world([rule("a", { whitelist: ["Bash(ls)"] })]),
      ...blocked,
    },
    {
      name: "a listed command that writes a file",
      event: bash("ls > /etc/x"),
      ...world([rule("a", { whitelist: ["Bash(ls*)"] })]),
      ...blocked,
    },
    {
      name: "a listed command with variables",
      event: bash("X=1 ls"),
      ...world([rule("a", { whitelist: ["Bash(ls*)"] })]),
      ...blocked,
    },
    { name: "an interrupting rule", event: work(), ...world([rule("a", { urgency: "interrupt" })]), ...blocked },
    {
      name: "a rule of the project",
      event: work(),
      ...worldInSession(building, { [THEIRS]: JSON.stringify([rule("theirs")]) }),
      ...blocked,
      text: "theirs",
    },
    {
      name: "injections.json",
      event: work(),
      ...worldInSession(building, { [`${USER_HOME}/.claude/engine/injections.json`]: JSON.stringify([rule("old")]) }),
      ...blocked,
    },
    {
      name: "files to read",
      event: work(),
      ...world([rule("a", { mode: "read", payload: { files: ["/x.md"] } })]),
      ...blocked,
      text: "Read: /x.md.",
    },
    {
      name: "a command",
      event: work(),
      ...world([rule("a", { payload: { command: "/do $skill" } })]),
      ...blocked,
      text: "Run `/do implement`.",
    },
    {
      name: "without a session, if the rule says so",
      event: work(),
      env: noSession.env,
      files: {
        [MINE]: JSON.stringify([rule("a", { trigger: { type: "lifecycle", condition: { noActiveSession: true } } })]),
      },
      ...blocked,
    },
    {
      name: "a full context",
      event: toolWith(0.8),
      ...world(
        [rule("full", { trigger: { type: "contextThreshold", condition: { gte: "OVERFLOW_THRESHOLD" } } })],
        {},
        { "/t.jsonl": usage(160_000) },
      ),
      ...blocked,
    },
    {
      name: "what is only said comes after the tool",
      event: work(),
      ...world([rule("a", { urgency: "allow" })]),
      ...later,
      text: "a speaks in 2: Build.",
    },
    {
      name: "the way to close, when the synthesis begins",
      event: work(),
      ...worldInSession({ currentPhase: "4: Synthesis" }),
      ...later,
      text: "engine session debrief",
    },
    {
      name: "templates",
      event: work(),
      ...worldInSession({ pendingTemplates: [`${PROJECT}/T.md`] }, { [`${PROJECT}/T.md`]: "the form" }),
      ...later,
      text: `${PROJECT}/T.md:\nthe form`,
    },
    {
      name: "documents of a phase's commands",
      event: work(),
      ...worldInSession(
        { pendingCommands: ["~/.claude/commands/x.md"] },
        { [`${USER_HOME}/.claude/commands/x.md`]: "how" },
      ),
      ...later,
      text: "how",
    },
    {
      name: "directives, where they are not asked for",
      event: work(),
      ...worldInSession({ pendingDirectives: [`${PROJECT}/A.md`] }, { [`${PROJECT}/A.md`]: "mind" }),
      options: { directives: "inject" },
      ...later,
      text: "mind",
    },
    {
      name: "a file that is not there is named",
      event: work(),
      ...worldInSession({ pendingTemplates: [`${PROJECT}/gone.md`] }),
      ...later,
      text: "gone.md was to be loaded",
    },
    {
      name: "a long file is cut",
      event: work(),
      ...worldInSession({ pendingTemplates: [`${PROJECT}/T.md`] }, { [`${PROJECT}/T.md`]: "y".repeat(9_000) }),
      ...later,
      text: "Read it for the rest",
    },
    {
      name: "the person's own rule may load from anywhere",
      event: work(),
      ...world([rule("a", { urgency: "allow", payload: { preload: ["/srv/x.md"] } })], building, {
        "/srv/x.md": "far",
      }),
      ...later,
      text: "far",
    },
    {
      name: "a broken file, at a prompt",
      event: prompt("go"),
      env: noSession.env,
      files: { [MINE]: "[{" },
      ...broken,
      text: MINE,
    },
    {
      name: "a broken file, at the start",
      event: started,
      env: noSession.env,
      files: { [MINE]: "{}" },
      ...broken,
      text: "list of rules",
    },
  ],
  pass: [
    { name: "no rules", event: work(), ...worldInSession(building) },
    { name: "rules that do not hold", event: work(), ...world([rule("a")], { currentPhase: "1: Plan" }) },
    { name: "a listed call", event: bash("ls"), ...world([rule("a", { whitelist: ["Bash(ls)"] })]) },
    {
      name: "a call on every list",
      event: read("/a"),
      ...world([rule("a", { whitelist: ["Read"] }), rule("b", { whitelist: ["Read(/a)"] })]),
    },
    { name: "an engine command", event: bash("engine session find"), ...world([rule("a")]) },
    {
      name: "while the session hands over",
      event: work(),
      ...world([rule("a")], { ...building, lifecycle: "dehydrating" }),
    },
    {
      name: "when it is about to be ended",
      event: work(),
      ...world([rule("a")], { ...building, killRequested: true }),
    },
    { name: "a type that nobody knows", event: work(), ...world([rule("a", { trigger: { type: "moon" } })]) },
    {
      name: "said already",
      after: [work()],
      event: hasRun(work()),
      ...worldInSession({ currentPhase: "4: Synthesis" }),
    },
    {
      name: "loaded already",
      event: work(),
      ...worldInSession({ pendingTemplates: [`${PROJECT}/T.md`], preloadedFiles: [`${PROJECT}/T.md`] }),
    },
    {
      name: "nothing is put in while it is loading",
      event: work(),
      ...worldInSession({ pendingTemplates: [`${PROJECT}/T.md`], loading: true }),
    },
    {
      name: "directives, where they are asked for",
      event: work(),
      ...worldInSession({ pendingDirectives: [`${PROJECT}/A.md`] }),
    },
    {
      name: "a state file cannot bring in what lies elsewhere",
      event: work(),
      ...worldInSession({ pendingTemplates: ["/home/dev/.ssh/id"] }, { "/home/dev/.ssh/id": "key" }),
    },
    {
      name: "nor can a project's rule",
      event: work(),
      ...worldInSession(building, {
        [THEIRS]: JSON.stringify([rule("a", { urgency: "allow", payload: { preload: ["/srv/x"] } })]),
        "/srv/x": "far",
      }),
    },
    {
      name: "the person's rule stands before the project's of that name",
      event: work(),
      ...world([rule("a", { whitelist: ["Bash"] })], building, { [THEIRS]: JSON.stringify([rule("a")]) }),
    },
    { name: "a broken file has no rules at first", event: work(), ...worldInSession(building, { [MINE]: "[{" }) },
    {
      name: "a broken file is told once",
      after: [prompt("a")],
      event: prompt("b"),
      env: noSession.env,
      files: { [MINE]: "[{" },
    },
    {
      name: "another program's file",
      event: prompt("a"),
      env: noSession.env,
      files: { [`${PROJECT}/.claude/settings.json`]: "[{" },
    },
  ],
});

function usage(tokens: number): string {
  return JSON.stringify({ type: "assistant", message: { id: "m", usage: { input_tokens: tokens } } });
}

function toolWith(_usage: number): AnyEvent {
  return claudeEvent({
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    tool_use_id: "u",
    tool_input: { file_path: "/a", content: "" },
    transcript_path: "/t.jsonl",
  });
}

describe("what a rule said", () => {
  const template = `${PROJECT}/T.md`;
  it("is delivered with the result of the call, and only there", async () => {
    const sandbox = createSandbox([policy], worldInSession({ currentPhase: "4: Synthesis" }));
    const before = await sandbox.send(work());
    expect(before.ruling.notes).toEqual([]);
    const after = await sandbox.send(hasRun(work()));
    expect(after.reply.stdout).toContain("engine session debrief");
    expect((await sandbox.send(hasRun(work()))).ruling.notes).toEqual([]);
    sandbox.close();
  });
  it("is remembered in the state file", async () => {
    const state = { currentPhase: "4: Synthesis", pendingTemplates: [template, "other.md"] };
    const done = await playSessionEvents(
      [policy],
      [work()],
      worldInSession(state, { [template]: "form", [`${PROJECT}/other.md`]: "o" }),
    );
    expect(done.state).toMatchObject({
      injectedRules: { "synthesis-commands": true },
      preloadedFiles: [template, `${PROJECT}/other.md`],
      pendingTemplates: [],
    });
  });
  it("is not when the call was denied", async () => {
    const state = { ...building, pendingTemplates: [template] };
    const done = await playSessionEvents(
      [policy],
      [work()],
      worldInSession(state, { [MINE]: JSON.stringify([rule("a")]), [template]: "form" }),
    );
    expect(done.sent[0]?.ruling.outcome).toBe("deny");
    expect(done.state?.preloadedFiles).toBeUndefined();
  });
  it("a rule that blocks once blocks once", async () => {
    const { sent } = await playSessionEvents([policy], [work(), work()], world([rule("a", { inject: "once" })]));
    expect(sent.map(({ ruling }) => ruling.outcome)).toEqual(["deny", "pass"]);
  });
});

describe("a command that a rule types", () => {
  const paste = [rule("a", { urgency: "allow", inject: "once", payload: { command: "/review $skill" } })];
  const inTmux = { CLAUDE_SUPERVISOR_PID: "4242", TMUX: "/tmp/t,1,0", TMUX_PANE: "%7" };
  async function typed(options: SandboxOptions) {
    const sandbox = createSandbox([policy], options);
    await sandbox.send(work());
    const jobs = sandbox.db.all("SELECT name, args FROM jobs");
    const notes = sandbox.db.all("SELECT text FROM outbox");
    sandbox.close();
    return {
      jobs: jobs.map(({ name, args }) => [name, JSON.parse(String(args))]),
      notes: notes.map(({ text }) => text),
    };
  }

  it("goes into the agent's pane, once, with an interruption if it is that urgent", async () => {
    const { jobs, notes } = await typed({ ...world(paste), env: inTmux });
    expect(jobs).toEqual([["session/type", { pane: "%7", text: "/review implement", isInterrupt: false }]]);
    expect(notes).toEqual([]);
    const urgent = [rule("a", { urgency: "interrupt", payload: { command: "/stop" } })];
    expect((await typed({ ...world(urgent), env: inTmux })).jobs).toMatchObject([
      ["session/type", { isInterrupt: true }],
    ]);
  });
  it("is only named outside of tmux, and when a project asks for it", async () => {
    expect(await typed(world(paste))).toEqual({ jobs: [], notes: ["Run `/review implement`."] });
    const theirs = { ...worldInSession(building, { [THEIRS]: JSON.stringify(paste) }), env: inTmux };
    expect(await typed(theirs)).toEqual({ jobs: [], notes: ["Run `/review implement`."] });
  });
  it("is not typed by a policy that only observes", async () => {
    expect(await typed({ ...world(paste), env: inTmux, mode: "observe" })).toEqual({ jobs: [], notes: [] });
  });
});

describe("a file that breaks", () => {
  it("leaves its last good rules in force until it is good again", async () => {
    const files: Record<string, string> = {
      [MINE]: JSON.stringify([rule("good")]),
      [STATE]: JSON.stringify({ pid: 4242, ...building }),
    };
    const options: SandboxOptions = { env: noSession.env, files };
    const sandbox = createSandbox([policy], options);
    const decide = async () => (await sandbox.send(call("Write", { file_path: "/a" }))).ruling;
    expect((await decide()).reason).toContain("good");
    files[MINE] = "[{";
    expect((await decide()).reason).toContain("good");
    files[MINE] = JSON.stringify([rule("better")]);
    expect((await decide()).reason).toContain("better");
    delete files[MINE];
    expect((await decide()).outcome).toBe("pass");
    sandbox.close();
  });
});

it("the state file stays as it is where no rule speaks", async () => {
  const sandbox = createSandbox([policy], worldInSession({ sessionId: SESSION }));
  await sandbox.send(work());
  expect(sandbox.db.get("SELECT is_written FROM mirrors WHERE path = ?", STATE)?.is_written).toBe(1);
  sandbox.close();
});
