import { DIR, noSession, worldInSession } from "../../domain/session/session.samples.ts";
import { claudeEvent, PROJECT } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./subagent-context.ts";

const start = claudeEvent({ hook_event_name: "SubagentStart", agent_id: "a1", agent_type: "coder" });
const begin = { says: "note", message: "begin" } as const;
const TEMPLATE = "/home/dev/.claude/skills/x/TEMPLATE_FIX_LOG.md";
const files = {
  [TEMPLATE]: "## Heading of a log",
  [`${PROJECT}/PITFALLS.md`]: "Mind the gap.",
  "/home/dev/.claude/standards/COMMANDS.md": "Global standard.",
};
const loaded = [`${PROJECT}/PITFALLS.md`, "~/.claude/standards/COMMANDS.md", `${PROJECT}/gone.md`];

testPolicy(policy, {
  hit: [
    {
      name: "in a session",
      event: start,
      ...worldInSession({ currentPhase: "2: Build" }),
      ...begin,
      text: "(implement, phase 2: Build)",
    },
    { name: "before the first phase", event: start, ...worldInSession(), ...begin, text: "(implement, no phase)" },
    { name: "how to log", event: start, ...worldInSession(), ...begin, text: `engine log ${DIR}/IMPLEMENT_LOG.md` },
    {
      name: "the log's template",
      event: start,
      ...worldInSession({ logTemplate: TEMPLATE }, files),
      ...begin,
      text: "Heading of a log",
    },
    {
      name: "what was loaded",
      event: start,
      ...worldInSession({ preloadedFiles: loaded }, files),
      ...begin,
      text: "Mind the gap.",
    },
    {
      name: "but no standards, and no word of a file that is gone",
      event: start,
      ...worldInSession({ preloadedFiles: loaded }, files),
      ...begin,
      text: `standard input).\n\n--- ${PROJECT}/PITFALLS.md\nMind the gap.`,
    },
    { name: "a session that resumes", event: start, ...worldInSession({ lifecycle: "resuming" }), ...begin },
  ],
  pass: [
    { name: "without a session", event: start, ...noSession },
    { name: "in a closed one", event: start, ...worldInSession({ lifecycle: "completed" }) },
  ],
});
