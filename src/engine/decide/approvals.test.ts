import { expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
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
  on: { "permission.request": (_event, ctx) => ctx.approve("approved") },
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

it("a guard that only observes objects to nothing", async () => {
  const sandbox = createSandbox([guard, approving], { mode: "observe" });
  const { ruling, results } = await sandbox.send(request("git reset --hard"));
  sandbox.close();
  expect(ruling.outcome).toBe("pass");
  expect(results.flatMap(({ verdicts }) => verdicts.map(({ kind }) => kind))).toEqual(["approve"]);
});
