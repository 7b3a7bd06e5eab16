import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import type { StageName } from "../../core/stages.ts";
import type { Verdict } from "../../core/verdict.ts";
import guard from "../../policies/safety/destructive-command.ts";
import oneStrike from "../../policies/session/one-strike.ts";
import { claudeEvent, shell } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";

const approving = policy({
  id: "test/approving",
  summary: "Approves everything.",
  why: "To see what an approval can open.",
  stage: "delegation",
  messages: { approved: "Approved." },
  examples: { hit: ["everything"], pass: ["nothing"] },
  on: {
    "permission.request": (_event, ctx) => ctx.approve("approved"),
    "permission.denied": (_event, ctx) => ctx.approve("approved"),
  },
});

const request = (command: string): AnyEvent =>
  claudeEvent({ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } });

async function answers(policies: Parameters<typeof createSandbox>[0], events: readonly AnyEvent[]) {
  const sandbox = createSandbox(policies);
  const sent = [];
  for (const event of events) sent.push((await sandbox.send(event)).ruling);
  sandbox.close();
  return sent;
}

it("what no guard has anything against is approved", async () => {
  const [said] = await answers([guard, approving], [request("npm test")]);
  expect(said).toMatchObject({ outcome: "approve", policy: "test/approving" });
});

it.each(["rm -rf /", "git push --force", "git reset --hard"])("no approval lets `%s` through", async (command) => {
  const [said] = await answers([guard, approving], [request(command)]);
  expect(said).toMatchObject({ outcome: "pass" });
  expect(said?.notices.map(({ text }) => text)).toEqual([
    "This call was not approved without asking you, because safety/destructive-command would stop it.",
  ]);
});

it("a call that was stopped in this session is not approved later, even when nobody would stop it again", async () => {
  const command = "rm -rf old";
  const said = await answers([oneStrike, approving], [shell(command), request(command), request("rm -rf other")]);
  expect(said.map(({ outcome }) => outcome)).toEqual(["deny", "pass", "approve"]);
  expect(said[1]?.notices[0]?.text).toContain("was stopped before in this session");
});

it("the same command with other words about it is the same call", async () => {
  const [before, after] = ["PreToolUse", "PermissionRequest"].map((name, index) =>
    claudeEvent({
      hook_event_name: name,
      tool_name: "Bash",
      tool_use_id: "1",
      tool_input: { command: "rm -rf old", description: `words ${index}`, timeout: 1_000 * (index + 1) },
    }),
  ) as [AnyEvent, AnyEvent];
  expect((await answers([oneStrike, approving], [before, after])).map(({ outcome }) => outcome)).toEqual([
    "deny",
    "pass",
  ]);
});

it("a guard that only observes objects to nothing", async () => {
  const sandbox = createSandbox([guard, approving], { mode: "observe" });
  const { ruling, results } = await sandbox.send(request("git reset --hard"));
  sandbox.close();
  expect(ruling.outcome).toBe("pass");
  expect(results.flatMap(({ verdicts }) => verdicts.map(({ kind }) => kind))).toEqual(["approve"]);
});

describe("nothing is approved where", () => {
  const speaking = (stage: StageName, say: (ctx: PolicyContext<"said">) => Verdict) =>
    policy({
      id: "test/speaking",
      summary: "Says something about every call.",
      why: "To see which words keep an approval from counting.",
      stage,
      messages: { said: "Said." },
      examples: { hit: ["everything"], pass: ["nothing"] },
      on: { "tool.before": (_event, ctx) => say(ctx) },
    });
  const failing = () => {
    throw new Error("broken");
  };

  it.each<[string, StageName, (ctx: PolicyContext<"said">) => Verdict, string]>([
    ["a guard denies", "ntm", (ctx) => ctx.deny("said"), "test/speaking would stop it"],
    ["a guard asks", "delegation", (ctx) => ctx.ask("said"), "test/speaking would stop it"],
    ["a guard ends the turn", "heartbeat", (ctx) => ctx.end("said"), "test/speaking would stop it"],
    ["the call would be changed", "advice", (ctx) => ctx.rewrite("said", {}), "test/speaking would change it"],
    ["a security guard warns", "security", (ctx) => ctx.note("said"), "test/speaking has something to say about it"],
    ["a guard of files warns", "scope", (ctx) => ctx.note("said"), "test/speaking has something to say about it"],
    ["a guard fails", "destructive", failing, "test/speaking could not check it"],
    ["a guard fails that elsewhere lets calls pass", "session", failing, "test/speaking could not check it"],
  ])("%s", async (_name, stage, say, objection) => {
    const [said] = await answers([speaking(stage, say), approving], [request("npm test")]);
    expect(said?.outcome).toBe("pass");
    expect(said?.notices.map(({ text }) => text)).toEqual([
      `This call was not approved without asking you, because ${objection}.`,
    ]);
  });

  it.each<[string, StageName, (ctx: PolicyContext<"said">) => Verdict]>([
    ["a note about the session", "heartbeat", (ctx) => ctx.note("said")],
    ["advice", "advice", (ctx) => ctx.note("said")],
    ["a line for the person", "security", (ctx) => ctx.notice("said")],
    ["an adviser that fails", "advice", failing],
  ])("but %s is no objection", async (_name, stage, say) => {
    const [said] = await answers([speaking(stage, say), approving], [request("npm test")]);
    expect(said).toMatchObject({ outcome: "approve", policy: "test/approving" });
  });

  it("a call is called malformed", async () => {
    const event = claudeEvent({ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: "npm test" });
    const [said] = await answers([guard, approving], [event]);
    expect(said?.outcome).toBe("pass");
  });
});

it("a call that was denied when its permission was asked for is not approved the next time", async () => {
  let asked = 0;
  const denying = policy({
    id: "test/denying",
    summary: "Denies the first request.",
    why: "To see whether the session remembers it.",
    stage: "scope",
    messages: { no: "No." },
    examples: { hit: ["the first"], pass: ["the second"] },
    on: { "permission.request": (_event, ctx) => (asked++ === 0 ? ctx.deny("no") : undefined) },
  });
  const said = await answers([denying, approving], [request("npm test"), request("npm test"), request("npm ci")]);
  expect(said.map(({ outcome }) => outcome)).toEqual(["deny", "pass", "approve"]);
});

it("a subagent gets no approval of what was stopped for its parent", async () => {
  const command = "rm -rf old";
  const subagent = claudeEvent({
    hook_event_name: "PermissionRequest",
    tool_name: "Bash",
    tool_input: { command },
    agent_id: "agent-1",
  });
  const said = await answers([oneStrike, approving], [shell(command), subagent]);
  expect(said.map(({ outcome }) => outcome)).toEqual(["deny", "pass"]);
});

describe("that the agent may try a denied call again", () => {
  const denied = (command: string): AnyEvent =>
    claudeEvent({
      hook_event_name: "PermissionDenied",
      tool_name: "Bash",
      tool_use_id: "1",
      tool_input: { command },
      reason: "no",
    });
  it.each([
    ["npm test", "approve"],
    ["git reset --hard", "pass"],
  ])("counts for `%s`: %s", async (command, outcome) => {
    const [said] = await answers([guard, approving], [denied(command)]);
    expect(said?.outcome).toBe(outcome);
  });
});
