import type { AnyEvent } from "../../core/event.ts";
import { policy, type SettledContext } from "../../core/policy.ts";
import { isFleetServer, SHOW_ACTIVITY_JOB } from "../../domain/lifecycle/fleet.ts";
import { type Activity, ATTENTION, lifecycle } from "../../domain/lifecycle/store.ts";

const WORTH_A_MESSAGE: Readonly<Partial<Record<Activity, string>>> = {
  attention: "needs an answer",
  error: "has a problem",
  done: "is done",
};

interface Options {
  readonly sinks: readonly string[];
}
type Store = ReturnType<typeof lifecycle.open>;

export default policy({
  id: "session/fleet",
  summary: "Shows what an agent is doing: in the panes of a tmux fleet, in the terminal, on the desktop.",
  why: "When many agents run, a person cannot see which of them waits for an answer.",
  origin: "workflow engine",
  stage: "recorder",
  options: (z) =>
    z.object({
      sinks: z
        .array(z.enum(["tmux", "terminal", "desktop"]))
        .default(["tmux"])
        .describe(
          "Where it is shown: panes of a tmux server whose socket is called `fleet` or `fleet-…`, a notification of the terminal, the desktop.",
        )
        .meta({ tighter: "none" }),
    }),
  messages: { needed: "{message}" },
  examples: {
    hit: ["a permission prompt, with the sink `terminal`"],
    pass: ["a permission prompt that only tmux shows", "`ls`"],
  },
  reads: { env: ["TMUX", "TMUX_PANE"] },
  uses: lifecycle,
  on: {
    "notification.sent"(event, ctx) {
      const isWanted = ctx.options.sinks.includes("terminal") && ATTENTION.includes(event.kind);
      return isWanted ? ctx.notice("needed", { message: event.message || "The agent needs an answer." }) : undefined;
    },
  },
  settled: {
    "prompt.submit": (event, _fate, ctx, store) => show(event, "working", ctx, store),
    "tool.before"(event, _fate, ctx, store) {
      if (event.agentId !== "") return;
      const isStuck = ctx.outcome === "deny" && ctx.decidedBy === "session/overflow";
      show(event, isStuck ? "error" : "working", ctx, store);
    },
    "notification.sent"(event, _fate, ctx, store) {
      if (ATTENTION.includes(event.kind)) show(event, "attention", ctx, store);
      else if (event.kind === "idle_prompt") show(event, "idle", ctx, store);
    },
    // A held turn continues, so it is not done.
    "turn.stop": (event, _fate, ctx, store) => ctx.outcome !== "hold" && show(event, "done", ctx, store),
    "turn.failed": (event, _fate, ctx, store) => show(event, "error", ctx, store),
    "session.end": (event, _fate, ctx, store) => show(event, "done", ctx, store),
  },
});

/** Records a changed activity. A job displays it, because tmux may take longer than the agent waits. */
function show(event: AnyEvent, activity: Activity, ctx: SettledContext<"needed", Options>, store: Store): void {
  if (store.activity() !== activity) store.set(activity, ctx.now());
  if (store.shown() === activity) return;
  const { sinks } = ctx.options;
  const isInFleet = sinks.includes("tmux") && isFleetServer(ctx.env("TMUX")) && ctx.env("TMUX_PANE") !== undefined;
  const text = sinks.includes("desktop") ? (WORTH_A_MESSAGE[activity] ?? "") : "";
  store.setShown(activity);
  if (!isInFleet && text === "") return;
  const desktop = text === "" ? "" : `The agent in ${ctx.actor.project} ${text}.`;
  ctx.job(SHOW_ACTIVITY_JOB, { agent: event.agent, session: event.session, activity, desktop });
}
