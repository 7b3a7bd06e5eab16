import path from "node:path";
import type { AnyEvent, EventOf } from "../../core/event.ts";
import { defineStore } from "../../core/store.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { subjectOf, subjectText } from "../../state/subject.ts";
import { ATTENTION } from "../lifecycle/store.ts";
import type { Kind } from "./notification.ts";

/** What is remembered of a session, so that each thing is told once. A type alias, because store rows need JSON. */
export type Followed = {
  readonly activity: "working" | "waiting" | "failed" | "done";
  /** A person has asked for something that is not over. */
  readonly isAsked: boolean;
  /** Identifies the last denied call. */
  readonly stopped: string;
};

/** What became of an event. */
export interface Outcome {
  readonly outcome: "pass" | "deny" | "ask" | "hold" | "approve";
  readonly decidedBy: string;
  readonly subagents: boolean;
  /** The agent waits for an answer that a person may give elsewhere. */
  readonly isWaiting?: boolean;
}

export interface Followup {
  readonly state: Followed;
  /** What the person should be told, if the person wants to be told of this kind. */
  readonly thing?: { readonly kind: Kind; readonly text: string };
}

const START: Followed = { activity: "working", isAsked: false, stopped: "" };

/** These agents report a question that nobody has answered for some seconds; others only that they ask. */
const REPORT_WAITING: ReadonlySet<string> = new Set(["claude-code"]);

/** The state after an event. It is the same object when nothing has changed. */
export function follow(state: Followed, event: AnyEvent, about: Outcome): Followup {
  const next = (change: Partial<Followed>): Followed => {
    const isSame = Object.entries(change).every(([key, value]) => state[key as keyof Followed] === value);
    return isSame ? state : { ...state, ...change };
  };
  const isMain = event.agentId === "";
  switch (event.name) {
    case "prompt.submit":
      if (about.outcome === "deny") return { state };
      return { state: next({ activity: "working", ...(event.fromPerson ? { isAsked: true, stopped: "" } : {}) }) };
    case "tool.before": {
      if (!isMain && !about.subagents) return { state };
      if (about.outcome !== "deny") return { state: isMain ? next({ activity: "working" }) : state };
      const stopped = fingerprint(about.decidedBy, event.tool.name, JSON.stringify(event.tool.input));
      if (stopped === state.stopped) return { state };
      const text = `a call of ${event.tool.name} was denied by ${about.decidedBy}`;
      return { state: next({ stopped, ...(isMain ? { activity: "working" } : {}) }), thing: { kind: "stopped", text } };
    }
    case "tool.after":
    case "tool.failed":
      return { state: isMain ? next({ activity: "working" }) : state };
    case "notification.sent":
      return ATTENTION.includes(event.kind) ? waiting(state, next, event.message) : { state };
    case "permission.request":
      if (about.outcome !== "pass") return { state: isMain ? next({ activity: "working" }) : state };
      if (REPORT_WAITING.has(event.agent) && !about.isWaiting) return { state };
      return waiting(state, next, `it wants to use ${wanted(event)}`);
    case "turn.stop": {
      // What runs in the background starts another turn when it ends.
      if (about.outcome === "hold" || event.backgroundTasks > event.backgroundShells || event.wakeUps > 0)
        return { state };
      const done = next({ activity: "done", isAsked: false });
      return state.isAsked ? { state: done, thing: { kind: "done", text: "it is done" } } : { state: done };
    }
    case "turn.failed": {
      const failed = next({ activity: "failed", isAsked: false });
      if (!isMain || state.activity === "failed") return { state };
      return { state: failed, thing: { kind: "failed", text: `its turn failed: ${event.error || "unknown error"}` } };
    }
    default:
      return { state };
  }
}

function waiting(state: Followed, next: (change: Partial<Followed>) => Followed, why: string): Followup {
  if (state.activity === "waiting") return { state };
  const text = `it needs an answer${why === "" ? "" : `: ${why}`}`;
  return { state: next({ activity: "waiting" }), thing: { kind: "waiting", text } };
}

/** The tool, and the command or path that it is to be used with. */
function wanted(event: EventOf<"permission.request">): string {
  const { name, input } = event.tool;
  const about = { event: event.name, agentEvent: event.agentEvent, tool: name, project: "" };
  return subjectText(subjectOf(about, { tool_input: input }));
}

/** Says which agent it is about. */
export function sentence(agent: string, project: string, text: string): string {
  return `${agent} in ${path.basename(project) || project}: ${text}`;
}

const KEY = "state";

export const followed = defineStore({
  name: "notifications",
  scope: "session",
  open: (table) => ({
    state: (): Followed => (table.isEmpty() ? START : ((table.get(KEY) as Followed | undefined) ?? START)),
    save: (state: Followed): void => table.set(KEY, state),
    /** When the job that exports spans was added last. */
    exportedAt: (): number => Number(table.get("exportedAt") ?? 0),
    setExportedAt: (at: number): void => table.set("exportedAt", at),
  }),
});
