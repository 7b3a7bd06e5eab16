import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import type { PersonAnswer } from "../../core/policy.ts";
import { keyOfCall } from "../../engine/decide/approvals.ts";
import { openRequest, standingOf } from "../../state/waiting/permission-requests.ts";
import { claudeEvent, prompt, shell, stop, toolAfter } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import destructiveCommand from "../safety/destructive-command.ts";
import ownCommands from "../safety/own-commands.ts";
import policy from "./browser.ts";

function request(command: string, input: JsonObject = {}, more: JsonObject = {}): AnyEvent {
  const tool_input = { command, ...input };
  return claudeEvent({ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input, ...more });
}
const offered = { says: "wait", message: "offered" } as const;
const answer = (says: "yes" | "no", reason = ""): { readonly answer: PersonAnswer } => ({
  answer: { says, reason, by: "browser", at: Date.UTC(2026, 0, 2) },
});
const always = { options: { always: [{ tool: "Bash", command: "npm publish", project: "/home/dev/app" }] } };

testPolicy(policy, {
  hit: [
    { name: "a request", event: request("npm publish"), ...offered },
    { name: "of a subagent", event: request("npm publish", {}, { agent_id: "a1" }), ...offered },
    {
      name: "of another tool",
      event: claudeEvent({ hook_event_name: "PermissionRequest", tool_name: "WebFetch", tool_input: { url: "x" } }),
      ...offered,
    },
    {
      name: "a call that a guard asks about, with its question",
      event: request("git reset --hard"),
      beside: [destructiveCommand],
      ...offered,
      text: "[safety/destructive-command]",
    },
    {
      name: "a yes",
      event: request("npm publish"),
      ...answer("yes"),
      says: "approve",
      message: "approved",
      text: "said yes in the browser at 2026-01-02T00:00:00.000Z",
    },
    {
      name: "a yes to what a guard only asks about",
      event: request("git reset --hard"),
      beside: [destructiveCommand],
      ...answer("yes"),
      says: "approve",
      message: "approved",
    },
    {
      name: "a no with a reason",
      event: request("x"),
      ...answer("no", "use make"),
      says: "deny",
      message: "refused",
      text: "use make",
    },
    { name: "a bare no", event: request("x"), ...answer("no"), says: "deny", message: "refusedBare" },
    {
      name: "a command of the list",
      event: request("npm publish", { description: "x", timeout: 5 }),
      ...always,
      says: "approve",
      message: "listed",
      also: [offered],
    },
    { name: "a longer command than that of the list", event: request("npm publish --x"), ...always, ...offered },
    {
      name: "the same command outside of the sandbox",
      event: request("npm publish", { dangerouslyDisableSandbox: true }),
      ...always,
      ...offered,
    },
    {
      name: "the same command elsewhere",
      event: request("npm publish", {}, { cwd: "/srv/other" }),
      ...always,
      ...offered,
    },
  ],
  pass: [
    ...["AskUserQuestion", "ExitPlanMode"].map((tool_name) => ({
      name: `${tool_name}, which needs more than a yes`,
      event: claudeEvent({ hook_event_name: "PermissionRequest", tool_name, tool_input: {} }),
    })),
    { name: "what a guard denies", event: request("hookwright off"), beside: [ownCommands] },
    { name: "a call that nobody was asked about", event: shell("npm publish") },
  ],
});

it("does not carry out a yes to what a guard denies, and says why", async () => {
  const sandbox = createSandbox([policy, ownCommands], answer("yes"));
  const { ruling } = await sandbox.send(request("hookwright off"));
  sandbox.close();
  expect(ruling.outcome).toBe("pass");
  expect(ruling.notices.map(({ text }) => text)).toEqual([
    "Your yes was not carried out, because safety/own-commands would stop it.",
  ]);
});

it("approves nothing from its list that a guard asks about", async () => {
  const command = "git reset --hard";
  const options = { always: [{ tool: "Bash", command, project: "/home/dev/app" }] };
  const sandbox = createSandbox([policy, destructiveCommand], { options });
  const { ruling } = await sandbox.send(request(command));
  sandbox.close();
  expect(ruling.outcome).toBe("pass");
  expect(ruling.wait?.text).toContain("[safety/destructive-command]");
});

describe("a request that was answered in the agent's own dialog", () => {
  const ran = toolAfter("Bash", { command: "npm publish" }, "toolu_1");
  const failed = claudeEvent({
    hook_event_name: "PostToolUseFailure",
    tool_name: "Bash",
    tool_input: { command: "npm publish" },
    tool_use_id: "toolu_1",
    error: "x",
  });
  it.each<[string, AnyEvent, string]>([
    ["the report of the call", ran, "elsewhere"],
    ["its failure", failed, "elsewhere"],
    ["the end of the turn", stop(), "elsewhere"],
    ["a new prompt", prompt("something else"), "elsewhere"],
    ["the end of the session", claudeEvent({ hook_event_name: "SessionEnd", reason: "other" }), "elsewhere"],
    ["the report of another call", toolAfter("Bash", { command: "ls" }, "toolu_2"), "open"],
    ["the same call of a subagent", { ...ran, agentId: "a1" }, "open"],
    ["the end of a subagent", { ...stop(), name: "subagent.stop", agentId: "a1" } as AnyEvent, "open"],
    ["the same call of another session", { ...ran, session: "another" }, "open"],
  ])("is closed by what tells of it: %s", async (_name, event, state) => {
    const sandbox = createSandbox([policy]);
    const about = {
      agent: ran.agent,
      session: ran.session,
      agentId: "",
      project: "/home/dev/app",
      cwd: "/home/dev/app",
    };
    const asked = { tool: "Bash", input: "{}", call: keyOfCall(ran.tool ?? expect.fail()), asks: "", askedAt: 1 };
    const id = openRequest(sandbox.db, { ...about, ...asked, until: 2, owner: "" });
    await sandbox.send(event);
    expect(standingOf(sandbox.db, id)?.state).toBe(state);
    sandbox.close();
  });
});
