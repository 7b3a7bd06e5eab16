import type { AnyEvent, EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { limitOf, lookAtLimit, PERMISSIONS_SAID } from "../../domain/background/limit.ts";
import { withSaid } from "../../domain/background/session-tasks.ts";
import { type BackgroundTasks, backgroundTasks, followTasks } from "../../domain/background/store.ts";
import { addAuditLine } from "../../domain/delegation/audit.ts";
import { CALLER_ENV } from "../../domain/delegation/callers-files.ts";
import { SAID as DELEGATION_SAID, judgeCall, judgedCall } from "../../domain/delegation/judge-call.ts";
import { LEVELS } from "../../domain/delegation/level.ts";
import { selfKillPattern } from "../../domain/self-kill.ts";

const LIMIT_ENV = "OMC_MAX_BACKGROUND_TASKS";
const ATTENDED_ENV = "CLAUDE_CODE_SESSION_ATTENDED";

type Call = EventOf<"tool.before">;
type Options = { delegation: (typeof LEVELS)[number]; maxBackgroundTasks: number };
type Message = "delegate" | "strict" | "unusable" | "selfKill" | "tooMany" | "permissions";
type Context = PolicyContext<Message, Options>;

const TOLD_ONCE = ["delegate", "unusable", "permissions", "selfKill"] as const;
const SAID = { ...DELEGATION_SAID, permissions: PERMISSIONS_SAID };
/** A subagent does not know what the main agent was told. */
const killKey = ({ agentId }: AnyEvent): string => `self-kill:${agentId}`;

export default policy({
  id: "coordination/omc-orchestrator",
  summary: "Reminds the main agent once to leave edits to subagents, and limits what runs in the background.",
  why: "A main agent that edits everything itself fills its context, and tasks that nobody counts use up the machine.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: (z) =>
    z.object({
      delegation: z
        .enum(LEVELS)
        .default("warn")
        .describe(
          "Edits of the main agent: reminded of once in a session (`warn`), denied (`strict`), or left alone (`off`).",
        )
        .meta({ tighter: "up", order: [...LEVELS] }),
      maxBackgroundTasks: z
        .int()
        .min(1)
        .max(1_000)
        .default(5)
        .describe("How many commands and agents of a session may run in the background at once.")
        .meta({ tighter: "down" }),
    }),
  messages: {
    delegate: "{path}: edits are left to subagents here, such as {agent}. This one is not stopped.",
    strict:
      "{path} is to be changed by a subagent, because delegation is strict here. Start one with the Agent tool, for example of the type {agent}, and tell it what to change. Files in .omc and .claude, CLAUDE.md and AGENTS.md may be edited directly.",
    unusable:
      "{files} is not used for the delegation level. It needs `delegationEnforcementLevel` as off, warn or strict.",
    selfKill:
      "`pkill -f {pattern}` looks at whole command lines, and the shell that runs this line has {pattern} in its own: it is ended too, and what follows does not run. Compare names without -f, put one letter of the pattern into brackets, or use the number of the process.",
    tooMany:
      "{count} background tasks of this session run, and {limit} is the limit:\n{list}\nWait until one has ended, stop one of them, or run this in the foreground.",
    permissions:
      "An agent in the background cannot ask the person for permission: what is not allowed beforehand is refused to it. Let an agent in the foreground do what needs permission. This is said once in a session.",
  },
  examples: {
    hit: [
      "with `delegation: strict`, Edit of a source by the main agent",
      "the sixth command in the background",
      "`pkill -f vite`",
    ],
    pass: ["the same edit by a subagent", "the second edit of a session", "Write `.omc/plan.md`", "`pkill vite`"],
  },
  reads: { env: [LIMIT_ENV, ATTENDED_ENV, ...CALLER_ENV] },
  uses: backgroundTasks,
  on: {
    async "tool.before"(event, ctx, store) {
      const { said } = store.of(event.session);
      const tooMany = backgroundVerdict(event, ctx, store);
      if (tooMany?.kind === "deny") return tooMany;
      const pattern = said.includes(killKey(event)) ? undefined : selfKillPattern(event, ctx.places.userHome);
      const kill = pattern === undefined ? [] : [ctx.note("selfKill", { pattern })];
      return [...(tooMany ? [tooMany] : []), ...kill, ...(await delegationVerdicts(event, ctx, said))];
    },
  },
  settled: {
    "tool.before"(event, fate, ctx, store) {
      followTasks(event, fate, ctx, store);
      const call = judgedCall(event);
      const told = fate === "dropped" ? [] : TOLD_ONCE.filter((message) => ctx.said(message) !== undefined);
      const keys = told.map((message) => (message === "selfKill" ? killKey(event) : SAID[message]));
      if (call?.isWorker) keys.push(SAID.worker);
      const before = store.of(event.session);
      const after = keys.reduce(withSaid, before);
      if (after !== before) store.save(event.session, after);
      if (call && !call.isWorker) addAuditLine(event, call, ctx);
    },
    "tool.after": followTasks,
    "tool.failed": followTasks,
    "subagent.stop": followTasks,
    "prompt.submit": followTasks,
    "turn.stop": followTasks,
    "session.end": followTasks,
  },
});

function backgroundVerdict(event: Call, ctx: Context, store: BackgroundTasks) {
  const limit = limitOf(ctx.env(LIMIT_ENV), ctx.options.maxBackgroundTasks);
  const attended = ctx.env(ATTENDED_ENV);
  const says = lookAtLimit(event, store.of(event.session), { limit, attended });
  if (says === undefined) return undefined;
  return says === "permissions" ? ctx.note(says) : ctx.deny("tooMany", says, "after one of them has ended");
}

async function delegationVerdicts(event: Call, ctx: Context, said: readonly string[]) {
  const call = await judgeCall(event, ctx, ctx.options.delegation, said);
  if (!call) return [];
  const { path, agent, says, unusable } = call;
  const notice = unusable.length > 0 ? [ctx.notice("unusable", { files: unusable.join(", ") })] : [];
  if (says === undefined) return notice;
  return [...notice, says === "strict" ? ctx.deny(says, { path, agent }) : ctx.note(says, { path, agent })];
}
