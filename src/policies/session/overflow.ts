import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { AUTO_COMPACT_ENV, isHandOverCall, isSkill, overflowAt } from "../../domain/session/handover/overflow.ts";
import { IDENTITY_ENV, inSession, saveSession, sessionName } from "../../domain/session/sessions.ts";
import { ENGINE_ENV, engineCommand } from "../../domain/session/start-hints.ts";
import {
  flagIn,
  isHandingOver,
  isOpenSession,
  lifecycleOf,
  numberIn,
  type SessionState,
  withFields,
} from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";

export default policy({
  id: "session/overflow",
  summary: "Requires a hand-over of the work once the context is nearly full.",
  why: "A context that overflows is cut or summarised automatically, and information that was not written down is lost.",
  origin: "workflow engine",
  stage: "overflow",
  messages: {
    full: "{tool} was not run, because the context is {percent} % full and the session `{name}` has to be handed over first. Use the skill `hookwright:dehydrate` with the argument `restart`; it explains what to write. Without the plugin: run `{engine} session dehydrate` with the hand-over as JSON (summary, lastAction, nextSteps, handoverInstructions, requiredFiles) on standard input.",
  },
  examples: {
    hit: ["an edit when 76 % of the context are used, with contextPolicy: restart"],
    pass: ["the same with contextPolicy: preserve", "engine session dehydrate at 80 %", "`ls`"],
  },
  reads: { env: [...IDENTITY_ENV, ...ENGINE_ENV, AUTO_COMPACT_ENV] },
  uses: sessions,
  when: inSession,
  on: {
    "tool.before"(event, ctx, store) {
      // A subagent has its own context, and cannot hand over the session.
      if (ctx.contextPolicy !== "restart" || event.agentId !== "") return undefined;
      const found = store.of(event, ctx.env);
      if (!found || !isOpenSession(found.state) || isAlreadyLeaving(found.state)) return undefined;
      const used = usageOf(found.state, ctx);
      const isFull = flagIn(found.state, "overflowed") || used >= overflowAt(ctx.env);
      if (!isFull || isHandOverCall(event, ctx.places)) return undefined;
      const data = { percent: Math.round(used * 100), tool: event.tool.name, name: sessionName(found.dir) };
      return ctx.deny(
        "full",
        { ...data, engine: engineCommand(ctx) ?? "engine" },
        "after the hand-over, in the new run",
      );
    },
  },
  settled: {
    "tool.before"(event, _fate, ctx, store) {
      const found = event.agentId === "" ? store.of(event, ctx.env) : undefined;
      if (!found || !isOpenSession(found.state)) return;
      const said = ctx.said("full");
      const next = said
        ? withFields(found.state, { overflowed: true, contextUsage: Number(said.percent) / 100 })
        : begins(event) && ctx.outcome !== "deny"
          ? withFields(found.state, { lifecycle: "dehydrating" })
          : found.state;
      // During a hand-over no policy may hold the agent's stop.
      ctx.session.handOver(isHandingOver(next));
      if (next !== found.state) saveSession(store, ctx, found.dir, next);
    },
    "prompt.submit"(event, _fate, ctx, store) {
      const found = store.of(event, ctx.env);
      if (!found || !event.fromPerson || lifecycleOf(found.state) !== "dehydrating") return;
      // The person continues although a started hand-over was not finished.
      if (!flagIn(found.state, "killRequested")) {
        saveSession(store, ctx, found.dir, withFields(found.state, { lifecycle: "active" }));
      }
    },
  },
});

const begins = (event: EventOf<"tool.before">): boolean => isSkill(event, "dehydrate");

function isAlreadyLeaving(state: SessionState): boolean {
  return lifecycleOf(state) === "dehydrating" || flagIn(state, "killRequested");
}

/** The usage that the agent reports; else the one that another program wrote into the session's state. */
function usageOf(state: SessionState, ctx: Pick<PolicyContext, "contextUsage">): number {
  return ctx.contextUsage() ?? numberIn(state, "contextUsage", 0);
}
