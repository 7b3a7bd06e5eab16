import { DIR, noSession, worldInSession } from "../../domain/session/session.samples.ts";
import { prompt, USER_HOME } from "../../testing/events.ts";
import { ENGINE } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./prompt-gate.ts";

const go = prompt("build it");
const none = { event: go, ...noSession, says: "note", message: "none" } as const;
const over = (lifecycle: string) =>
  ({ event: go, ...worldInSession({ lifecycle }), says: "note", message: "completed" }) as const;

testPolicy(policy, {
  hit: [
    { name: "no session: ask the user", ...none, text: "AskUserQuestion" },
    { name: "no session: the command", ...none, text: `\`${ENGINE} session activate sessions/` },
    {
      name: "no session: skills that are installed",
      ...none,
      files: { [`${USER_HOME}/.claude/skills/do/SKILL.md`]: "" },
      text: "which skill to use (installed: /do), then",
    },
    {
      name: "a completed session: how to continue it",
      ...over("completed"),
      text: `\`${ENGINE} session continue ${DIR}\``,
    },
    {
      name: "standards come first",
      ...none,
      options: { standards: ["docs/A.md", "~/B.md"] },
      text: "docs/A.md, ~/B.md",
    },
    { name: "a completed session is named", ...over("completed"), text: "`2026_01_02_LOGIN` (implement) is completed" },
    { name: "an idle session", ...over("idle"), text: "is idle" },
    { name: "standards after a completed one", ...over("completed"), options: { standards: ["A.md"] }, text: "A.md" },
    { name: "by configuration", event: go, options: { required: "always" }, says: "note", message: "none" },
  ],
  pass: [
    { name: "without SESSION_REQUIRED", event: go },
    { name: "no program can begin a session", event: go, ...noSession, hasNoEngine: true },
    { name: "an active session", event: go, ...worldInSession() },
    { name: "a session that hands over", event: go, ...worldInSession({ lifecycle: "dehydrating" }) },
    { name: "a session that resumes", event: go, ...worldInSession({ lifecycle: "resuming" }) },
    { name: "a prompt that a machine wrote", event: prompt("<task-notification>x</task-notification>"), ...noSession },
  ],
});
