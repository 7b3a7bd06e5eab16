import { policy } from "../../core/policy.ts";
import { claimsCompletion, showsEvidence } from "../../domain/evidence.ts";
import { ntm } from "../../domain/ntm/store.ts";

/** In some clients a subagent hands over its report with this tool instead of in its last message. */
const HANDBACK = "SubagentHandback";

export default policy({
  id: "ntm/subagent-evidence",
  summary: "Holds a subagent once when it reports its work as done without naming any check.",
  why: "An orchestrator that believes an unverified claim builds the next step on work that may not run.",
  origin: "ntm-orchestrator",
  stage: "ntm",
  messages: {
    unverified:
      "The report says that the work is done but names no check. Run the checks that apply (typecheck, lint, tests) and report their results; if none applies, say how the work was verified.",
  },
  examples: {
    hit: ['SubagentStop with "Task complete."'],
    pass: ['SubagentStop with "Done, all tests pass."', 'SubagentStop with "Found 3 call sites."'],
  },
  uses: ntm,
  on: {
    "subagent.stop"(event, ctx, store) {
      // A compaction is reported as a subagent without a name. A subagent that was held once may stop.
      if (event.agentType === "" || event.continued) return undefined;
      const report = `${event.lastMessage}\n${store.handback(event.agentId)}`;
      if (!claimsCompletion(report) || showsEvidence(report)) return undefined;
      return ctx.hold("unverified", {}, { exit: "Then finish." });
    },
  },
  settled: {
    "tool.before"(event, _fate, _ctx, store) {
      if (event.tool.name !== HANDBACK || event.agentId === "") return;
      const { message } = event.tool.input;
      if (typeof message === "string") store.keepHandback(event.agentId, message);
    },
  },
});
