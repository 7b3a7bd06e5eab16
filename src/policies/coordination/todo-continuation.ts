import { policy } from "../../core/policy.ts";
import { isHolding } from "../../domain/mode/mode-run.ts";
import { neededInput } from "../../domain/mode/signals.ts";
import { modeRuns } from "../../domain/mode/store.ts";
import { openPlanOf, STOP_GUARD_ENV } from "../../domain/plan/stop-guard.ts";
import { plan } from "../../domain/plan/store.ts";
import { afterCall, withCompleted, withTask } from "../../domain/tasks/follow-tasks.ts";
import { sessionTasks, TODO_POLICY } from "../../domain/tasks/store.ts";
import { openTasks, openTasksText } from "../../domain/tasks/task-list.ts";

/** Ranks after a plan and after every mode. */
const RANK = 400;

export default policy({
  id: TODO_POLICY,
  summary: "Follows the tasks that the agent lists in this session, so that a mode does not end over open ones.",
  why: "An agent that lists its tasks and then stops early leaves some of them undone, and nobody looks at the list again.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: (z) =>
    z.object({
      todos: z
        .enum(["off", "modes", "always"])
        .default("modes")
        .describe(
          "Where the open tasks of a session count: while a mode is on (`modes`), also at one stop per prompt without a mode (`always`), or nowhere (`off`).",
        )
        .meta({ tighter: "up", order: ["off", "modes", "always"] }),
    }),
  messages: {
    open: "This session has {tasks}. Complete them, or mark as completed or deleted what is not needed.",
  },
  examples: {
    hit: ["with `todos: always`, the first stop after a prompt while a task of this session is open"],
    pass: [
      "a stop without a mode, unless `todos: always` is set",
      "the second stop after the same prompt",
      "open tasks of another session",
      "a stop that `plan/stop-guard` holds",
    ],
  },
  reads: { env: STOP_GUARD_ENV },
  uses: sessionTasks,
  on: {
    "turn.stop"(event, ctx, store) {
      if (ctx.options.todos !== "always" || event.agentId !== "" || store.wasHeld()) return undefined;
      const open = openTasks(store.lists());
      if (open.names.length === 0 || neededInput(event.lastMessage) !== undefined) return undefined;
      // Others hold this stop, and a mode names the open tasks itself.
      if (
        ctx
          .store(modeRuns)
          .of(event.session)
          .some((run) => isHolding(run, ctx.now()))
      )
        return undefined;
      if (ctx.isEnforced("plan/stop-guard") && openPlanOf(event, ctx, ctx.store(plan))) return undefined;
      const exit = "This is said once after a prompt: the next stop passes.";
      return ctx.hold("open", { tasks: openTasksText(open) }, { strength: "soft", rank: RANK, exit });
    },
  },
  settled: {
    "prompt.submit"(event, _fate, ctx, store) {
      if (event.fromPerson && ctx.outcome !== "deny") store.setHeld(false);
    },
    "turn.stop"(_event, fate, ctx, store) {
      if (ctx.said("open") !== undefined && fate !== "dropped") store.setHeld(true);
    },
    "task.created"(event, _fate, ctx, store) {
      if (ctx.outcome !== "deny") store.save(withTask(store.lists(), event));
    },
    "task.completed"(event, _fate, ctx, store) {
      if (ctx.outcome !== "hold") store.save(withCompleted(store.lists(), event));
    },
    "tool.after"(event, _fate, _ctx, store) {
      const before = store.lists();
      const after = afterCall(before, event);
      if (after !== before) store.save(after);
    },
  },
});
