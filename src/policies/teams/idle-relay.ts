import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { ATM_ENV } from "../../domain/team/atm-paths.ts";
import { timestamp } from "../../domain/team/protocol.ts";
import { teams } from "../../domain/team/registry.ts";
import { atmInSettled, prefetchReportFacts, reportLifecycle } from "../../domain/team/report-lifecycle.ts";

export default policy({
  id: "teams/idle-relay",
  summary: "Reports that a teammate has finished its turn and is idle.",
  why: "Without it a program that watches the team has to poll, and an idle teammate looks like a busy one.",
  origin: "agent-team-mail",
  stage: "recorder",
  messages: {},
  examples: {
    hit: ["a teammate of a project with `.atm.toml` goes idle"],
    pass: ["a teammate of any other project goes idle"],
  },
  reads: { env: ATM_ENV },
  uses: teams,
  on: { "teammate.idle": ({ team }, ctx) => prefetchReportFacts(ctx, team) },
  settled: {
    "teammate.idle"(event, _fate, ctx, registry) {
      const atm = atmInSettled(ctx);
      if (!atm) return;
      const { raw, session } = event;
      const input = isObject(raw.tool_input) ? raw.tool_input : {};
      // Clients and people's own hooks use different field names.
      const team = event.team || text(input.team_name) || text(raw.team) || atm.team;
      const agent =
        event.teammate || text(raw.name) || text(raw.agent) || text(input.name) || (ctx.env("ATM_IDENTITY") ?? "");
      const { pid } = ctx.actor;
      const more = { received_at: timestamp(ctx.now()), source: { kind: "claude_hook" } };
      reportLifecycle(
        ctx,
        registry,
        { event: "teammate_idle", agent, team, session, pid, source: "claude_hook" },
        more,
        raw,
      );
    },
  },
});

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
