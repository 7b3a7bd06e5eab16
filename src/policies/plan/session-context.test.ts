import { PLAN_PATH, planText, project, sessionStarts, stateOf, TITLE } from "../../domain/plan/plan.samples.ts";
import { PROJECT } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./session-context.ts";

const on = "session_context: true";
const noted = { event: sessionStarts("clear"), says: "note", message: "active" } as const;

testPolicy(policy, {
  hit: [
    {
      name: "after /clear",
      ...noted,
      ...project({ hooks: on }),
      text: `Active implementation: ${TITLE} (${PLAN_PATH}). Progress: 1/3 tasks complete, 1 in-progress, 1 pending. The plan has the details: ${PLAN_PATH}`,
    },
    {
      name: "after a resume",
      ...noted,
      event: sessionStarts("resume"),
      ...project({ hooks: on }),
      text: "1/3 tasks complete",
    },
    {
      name: "after a compaction",
      ...noted,
      event: sessionStarts("compact"),
      ...project({ hooks: on }),
      text: "1/3 tasks complete",
    },
    {
      name: "statuses that nobody has count as none",
      ...noted,
      ...project({ hooks: on, statuses: ["complete", "complete"] }),
      text: "2/2 tasks complete, 0 in-progress, 0 pending.",
    },
    {
      name: "what waits for a person is named",
      ...noted,
      ...project({ hooks: on, statuses: ["complete", "blocked", "blocked", "escalated"] }),
      text: "1/4 tasks complete, 0 in-progress, 0 pending. 2 blocked. 1 escalated (needs human).",
    },
    {
      name: "one worktree",
      ...noted,
      ...project({ hooks: on, text: planText(["pending"], "## Worktree\n\n- **Path:** `/wt/a`\n") }),
      text: "Worktrees are configured",
    },
    {
      name: "several worktrees",
      ...noted,
      ...project({
        hooks: on,
        text: planText(["pending"], "## Worktrees\n\n| Service | Path | Branch |\n|--|--|--|\n| api | /wt/api | x |\n"),
      }),
      text: "Worktrees are configured",
    },
    {
      name: "worktrees that the state names",
      ...noted,
      ...project({ hooks: on, state: stateOf({ worktrees: { api: "/wt/api", web: "/wt/web" } }) }),
      text: "Worktrees: api: /wt/api, web: /wt/web.",
    },
    {
      name: "quotes and newlines in the title do no harm",
      ...noted,
      ...project({ hooks: on, text: planText(["pending"]).replace(TITLE, 'The "big" $(one) \\ `x`') }),
      text: 'The "big" $(one) \\ `x` (',
    },
  ],
  pass: [
    { name: "a fresh session", event: sessionStarts("startup"), ...project({ hooks: on }) },
    { name: "a fork", event: sessionStarts("fork"), ...project({ hooks: on }) },
    { name: "a source nobody knows", event: sessionStarts("later"), ...project({ hooks: on }) },
    { name: "no source at all", event: sessionStarts(""), ...project({ hooks: on }) },
    { name: "switched off", event: sessionStarts("clear"), ...project({ hooks: "session_context: false" }) },
    { name: "no project.yml", event: sessionStarts("clear"), ...project() },
    {
      name: "no active plan",
      event: sessionStarts("clear"),
      files: { [`${PROJECT}/.claude/project.yml`]: "hooks: { session_context: true }" },
    },
    {
      name: "a missing plan",
      event: sessionStarts("clear"),
      ...project({ hooks: on, state: stateOf({ active_plan: "gone.md" }) }),
    },
    {
      name: "after a compaction whose snapshot says it already",
      event: sessionStarts("compact"),
      ...project({ hooks: "session_context: true\n  precompact_state: true" }),
    },
  ],
});
