import { policy } from "../../core/policy.ts";
import { ATM_ENV } from "../../domain/team/atm-paths.ts";
import { teams } from "../../domain/team/registry.ts";
import { atmInSettled, prefetchReportFacts, reportLifecycle } from "../../domain/team/report-lifecycle.ts";

export default policy({
  id: "teams/session-end",
  summary: "Marks the session as ended in the team's registry.",
  why: "A session that ends without a record looks alive until its process is checked, and blocks the next lead.",
  origin: "agent-team-mail",
  stage: "recorder",
  messages: {},
  examples: {
    hit: ["a session of a project with `.atm.toml` ends"],
    pass: ["a session of any other project ends"],
  },
  reads: { env: ATM_ENV },
  uses: teams,
  on: { "session.end": (_event, ctx) => prefetchReportFacts(ctx) },
  settled: {
    "session.end"(event, _fate, ctx, registry) {
      const atm = event.session === "" ? undefined : atmInSettled(ctx);
      if (!atm) return;
      const about = {
        agent: atm.identity,
        team: atm.team,
        session: event.session,
        pid: 0,
        source: "claude_hook",
      } as const;
      const more = { reason: event.reason || "other", source: { kind: "claude_hook" } };
      reportLifecycle(ctx, registry, { event: "session_end", ...about }, more, event.raw);
    },
  },
});
