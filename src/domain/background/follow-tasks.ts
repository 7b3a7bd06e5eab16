import type { AnyEvent, EventOf } from "../../core/event.ts";
import { backgroundCall, begunTask, readTask, showsDefault } from "./background-call.ts";
import {
  asListed,
  begun,
  endedTask,
  isPending,
  missed,
  type SessionTasks,
  starting,
  type TaskStatus,
  withoutTasks,
} from "./session-tasks.ts";
import { listedTasks, stoppedTask, taskReports } from "./task-reports.ts";

export interface TaskView {
  readonly outcome: "pass" | "deny" | "ask" | "hold" | "approve";
  readonly now: number;
  readonly pid: number;
}

const ENDINGS: Readonly<Record<string, Exclude<TaskStatus, "starting" | "running">>> = {
  completed: "completed",
  failed: "failed",
  error: "failed",
  killed: "stopped",
  stopped: "stopped",
  cancelled: "stopped",
};

/**
 * The background tasks of the event's session after the event; the same object when it says nothing about them. Looking
 * at the same event twice changes nothing the second time, because several policies need what this finds.
 */
export function tasksAfter(state: SessionTasks, event: AnyEvent, view: TaskView): SessionTasks {
  switch (event.name) {
    case "tool.before": {
      const task = view.outcome === "deny" || event.tool.useId === "" ? undefined : backgroundCall(event.tool, state);
      return task ? located(starting(state, task, view.now), event, view) : state;
    }
    case "tool.after":
      return located(afterCall(state, event, view.now), event, view, state);
    case "tool.failed":
      return begun(state, event.tool.useId, undefined, view.now);
    case "subagent.stop":
      return view.outcome === "hold"
        ? state
        : endedTask(state, event.agentId, "completed", view.now, event.lastMessage);
    case "prompt.submit":
      return afterPrompt(state, event, view);
    case "turn.stop":
      return event.agentId === "" ? located(afterTurn(state, event, view.now), event, view, state) : state;
    case "session.end":
      return afterEnd(state, event.reason, view.now);
    default:
      return state;
  }
}

/** Where the tasks run is written down together with them, for the next session that looks for them. */
function located(after: SessionTasks, event: AnyEvent, { pid }: TaskView, before?: SessionTasks): SessionTasks {
  if (after === before) return after;
  const { transcript } = event;
  const isSame = after.pid === pid && after.transcript === transcript && after.over === "";
  return isSame ? after : { ...after, pid, transcript, over: "" };
}

function afterCall(state: SessionTasks, event: EventOf<"tool.after">, now: number): SessionTasks {
  const known = showsDefault(event) && !state.isDefault ? { ...state, isDefault: true } : state;
  const after = begun(known, event.tool.useId, begunTask(event), now);
  const told = stoppedTask(event) ?? readTask(event);
  return told === undefined ? after : withoutTasks(after, ({ id }) => id === told);
}

/** With a prompt the client hands over all reports that wait; what was refused before is not handed over again. */
function afterPrompt(state: SessionTasks, event: EventOf<"prompt.submit">, { outcome, now }: TaskView): SessionTasks {
  const after = taskReports(event).reduce((before, { id, status, summary, result }) => {
    const end = endedTask(before, id, ENDINGS[status] ?? "ended", now, result || summary);
    return outcome === "deny" ? missed(end, id) : end;
  }, state);
  return outcome === "deny" ? after : withoutTasks(after, (task) => !isPending(task) && !task.isMissed);
}

function afterTurn(state: SessionTasks, event: EventOf<"turn.stop">, now: number): SessionTasks {
  const listed = listedTasks(event);
  return listed ? asListed(state, listed, now) : withoutTasks(state, ({ status }) => status === "starting");
}

/** After a cleared conversation the tasks may go on in the next session of the same process. */
function afterEnd(state: SessionTasks, reason: string, now: number): SessionTasks {
  if (state.tasks.length === 0) return state;
  if (reason === "clear") return { ...state, over: "clear" };
  return { ...withLost(state, now), over: "end" };
}

/** What still ran when its session was over has no end that anybody saw. */
export function withLost(state: SessionTasks, now: number): SessionTasks {
  const known = withoutTasks(state, ({ status }) => status === "starting");
  return known.tasks.filter(isPending).reduce((before, { id }) => endedTask(before, id, "lost", now), known);
}
