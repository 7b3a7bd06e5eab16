import { type PolicyContext, policy } from "../../core/policy.ts";
import { type AtmConfig, atmOf, oneLine } from "../../domain/team/atm-config.ts";
import { ATM_ENV } from "../../domain/team/atm-paths.ts";
import { teams } from "../../domain/team/registry.ts";
import {
  atmEnvironmentOf,
  atmInSettled,
  findTeam,
  prefetchReportFacts,
  reportLifecycle,
} from "../../domain/team/report-lifecycle.ts";

const HOW: ReadonlyMap<string, string> = new Map([
  ["compact", "returning from compact"],
  ["resume", "resumed"],
  ["clear", "cleared"],
  ["fork", "forked"],
]);

export default policy({
  id: "teams/session-start",
  summary: "Tells the model its session id and team, and registers the session.",
  why: "A lead that does not know its own session id cannot take over its team, and other programs do not know that its session is running.",
  origin: "agent-team-mail",
  stage: "advice",
  messages: {
    announced: "SESSION_ID={session} ({how}){team}{welcome}{lead}",
  },
  examples: {
    hit: ["a session starts, is resumed, cleared or forked, or comes back from a compaction"],
    pass: ["a start without a session id"],
  },
  reads: { env: ATM_ENV },
  uses: teams,
  on: {
    "session.start"(event, ctx) {
      const { session } = event;
      if (session === "") return undefined;
      prefetchReportFacts(ctx);
      const atm = atmOf(ctx.read, atmEnvironmentOf(ctx));
      return ctx.note("announced", {
        session: oneLine(session),
        how: HOW.get(event.source) ?? "starting fresh",
        team: atm?.team ? `\nATM team: ${atm.team}` : "",
        welcome: atm?.file.welcome ? `\nWelcome: ${atm.file.welcome}` : "",
        lead: atm ? otherLead(session, atm, ctx) : "",
      });
    },
  },
  settled: {
    "session.start"(event, _fate, ctx, registry) {
      const atm = event.session === "" ? undefined : atmInSettled(ctx);
      if (!atm) return;
      const { pid } = ctx.actor;
      const about = {
        agent: atm.identity,
        team: atm.team,
        session: event.session,
        pid,
        source: "claude_hook",
      } as const;
      const more = { source: { kind: "claude_hook", start: event.source || "startup" } };
      reportLifecycle(ctx, registry, { event: "session_start", ...about }, more, event.raw);
    },
  },
});

/** Tells a restarted lead that another session is recorded as lead, before the spawn gate refuses its calls. */
function otherLead(session: string, { team: name, identity }: AtmConfig, ctx: PolicyContext): string {
  const team = name === "" ? undefined : findTeam(name, atmEnvironmentOf(ctx), ctx.read.json);
  if (!team || identity !== team.lead || team.leadSession === "" || team.leadSession === session) return "";
  return `\n${name} is led by session ${oneLine(team.leadSession.slice(0, 8))}; \`hookwright teams resume ${name} --session-id ${oneLine(session)}\` makes this session the lead.`;
}
