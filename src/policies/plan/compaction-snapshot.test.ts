import { describe, expect, it } from "vitest";
import { compactionStarts, PLAN_PATH, project, sessionStarts, stateOf, TITLE } from "../../domain/plan/plan.samples.ts";
import { PROJECT } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./compaction-snapshot.ts";

const on = "precompact_state: true";
const LATER = "/home/dev/later";
const trees = stateOf({ worktrees: { _all: "/wt/login" } });

testPolicy(policy, {
  hit: [
    {
      name: "before an automatic compaction",
      event: compactionStarts("auto"),
      ...project({ hooks: on, state: trees }),
      says: "note",
      message: "preserve",
      text: `preserve this across compaction. Plan: ${TITLE} (${PLAN_PATH}). Slug: login. Team: implement-login. Progress: 1/3 tasks complete, 1 in-progress, 1 pending. Worktrees: /wt/login.`,
    },
    {
      name: "before one that was asked for",
      event: compactionStarts("manual"),
      ...project({ hooks: on, statuses: ["complete", "blocked", "escalated"] }),
      says: "note",
      message: "preserve",
      text: "1/3 tasks complete, 0 in-progress, 0 pending. 1 blocked. 1 escalated (needs human).",
    },
    {
      name: "a state without a team",
      event: compactionStarts(),
      ...project({ hooks: on, state: { active_plan: PLAN_PATH } }),
      says: "note",
      message: "preserve",
      text: "Team: none.",
    },
    {
      name: "after it, from what is true now",
      after: [compactionStarts()],
      event: sessionStarts("compact"),
      ...project({ hooks: on, state: trees }),
      says: "note",
      message: "restored",
      text: "Progress: 1/3 tasks complete, 1 in-progress, 1 pending. Worktrees: /wt/login.",
    },
    {
      name: "after it, also when nobody was asked before",
      event: sessionStarts("compact"),
      ...project({ hooks: on }),
      says: "note",
      message: "restored",
      text: TITLE,
    },
    {
      name: "after it, when the plan has become unreadable",
      after: [compactionStarts()],
      // The later events see another folder, whose state file names a plan that does not exist.
      event: sessionStarts("compact", { cwd: LATER }),
      files: {
        ...project({ hooks: on, statuses: ["complete", "pending"] }).files,
        [`${LATER}/.claude/project.yml`]: "hooks: { precompact_state: true }",
        [`${LATER}/.claude/orchestrator-state.json`]: JSON.stringify(stateOf()),
      },
      says: "note",
      message: "remembered",
      text: `Plan: ${TITLE} (${PLAN_PATH}). Team: implement-login. Progress: 1/2 tasks complete`,
    },
  ],
  pass: [
    { name: "switched off", event: compactionStarts(), ...project({ hooks: "precompact_state: false" }) },
    { name: "no project.yml", event: compactionStarts(), ...project() },
    {
      name: "no active plan",
      event: compactionStarts(),
      files: { [`${PROJECT}/.claude/project.yml`]: "hooks: { precompact_state: true }" },
    },
    {
      name: "a missing plan",
      event: compactionStarts(),
      ...project({ hooks: on, state: stateOf({ active_plan: "gone.md" }) }),
    },
    {
      name: "a missing plan, after it",
      event: sessionStarts("compact"),
      ...project({ hooks: on, state: stateOf({ active_plan: "gone.md" }) }),
    },
    { name: "after /clear", event: sessionStarts("clear"), ...project({ hooks: on }) },
    {
      name: "after a compaction, switched off",
      event: sessionStarts("compact"),
      ...project({ hooks: "session_context: true" }),
    },
  ],
});

describe("a compaction", () => {
  it("is never refused, and its instructions are plain text", async () => {
    const sandbox = createSandbox([policy], { files: project({ hooks: on }).files });
    const { reply, ruling } = await sandbox.send(compactionStarts());
    expect(ruling.outcome).toBe("pass");
    expect(reply).toMatchObject({ exit: 0, stderr: "" });
    expect(reply.stdout).toMatch(/^Orchestration state: preserve this across compaction\./);
    sandbox.close();
  });
});
