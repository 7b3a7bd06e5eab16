import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { LARGE_WINDOW_ENV } from "../../domain/compaction/context-window.ts";
import {
  contextWarnings,
  mayReadTranscript,
  mayWarn,
  type Warnings,
  warningAt,
} from "../../domain/compaction/warnings.ts";

export default policy({
  id: "recovery/preemptive-compaction",
  summary: "Tells the agent that its context is nearly full, before it is compacted.",
  why: "A compaction in the middle of a step loses what the agent knows and has not written down.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    nearly:
      "The context is {percent} % full and will be compacted before long. Complete the step that is begun, and write down what must not be lost: decisions, names of files, what is still open.",
    full: "The context is {percent} % full and can be compacted at any moment. Write down now what must not be lost, and begin nothing that reads much. The person can choose the moment with `/compact`.",
  },
  examples: {
    hit: ["a call of a tool when 85 % of the context are used", "one when 95 % are used"],
    pass: [
      "a call less than a minute after such a note",
      "the fourth note since the last compaction",
      "any usage with contextPolicy: restart",
      "a call of a subagent, which has a context of its own",
    ],
  },
  reads: { env: LARGE_WINDOW_ENV },
  uses: contextWarnings,
  on: {
    "tool.after"(event, ctx, store) {
      const given = store.get();
      if (!isAsked(event, ctx.contextPolicy, given, ctx.now())) return undefined;
      const usage =
        ctx.contextUsage("status line") ?? (mayReadTranscript(given, ctx.now()) ? ctx.contextUsage() : undefined);
      const warning = usage === undefined ? undefined : warningAt(usage, given);
      return warning && ctx.note(warning, { percent: Math.round((usage ?? 0) * 100) });
    },
  },
  settled: {
    "tool.after"(event, fate, ctx, store) {
      const [given, now] = [store.get(), ctx.now()];
      if (!isAsked(event, ctx.contextPolicy, given, now)) return;
      const wasRead = ctx.looked.contextUsage("status line") === undefined && mayReadTranscript(given, now);
      const isGiven = fate === "sent" || fate === "observed";
      if (!wasRead && !isGiven) return;
      store.save({
        count: given.count + (isGiven ? 1 : 0),
        at: isGiven ? now : given.at,
        readAt: wasRead ? now : given.readAt,
      });
    },
    "compact.after": (_event, _fate, _ctx, store) => store.forget(),
    "session.start"({ source }, _fate, _ctx, store) {
      if (source === "compact") store.forget();
    },
  },
});

function isAsked(
  { agentId }: EventOf<"tool.after">,
  contextPolicy: PolicyContext["contextPolicy"],
  given: Warnings,
  now: number,
): boolean {
  return contextPolicy !== "restart" && agentId === "" && mayWarn(given, now);
}
