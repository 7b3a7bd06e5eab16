import type { EventOf } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { withoutTasks } from "../../domain/background/session-tasks.ts";
import { type BackgroundTasks, backgroundTasks, followTasks } from "../../domain/background/store.ts";
import {
  givenReports,
  type LeftTasks,
  leftTasks,
  type StartView,
  TRANSCRIPT_TAIL,
  untoldText,
} from "../../domain/background/untold.ts";

type Start = EventOf<"session.start">;
export default policy({
  id: "coordination/background-notification",
  summary: "Tells once of background tasks that ended while nobody was told, because their session was over.",
  why: "A build that failed in the background of a session that was closed or killed is taken for one that succeeded.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    left: "Background tasks of {sessions} ended, and no agent was told:\n{text}",
    missed: "Background tasks of this session ended, and their reports were refused as prompts:\n{text}",
  },
  examples: {
    hit: ["a session starts after one was killed whose `npm test` still ran in the background"],
    pass: ["a session starts whose project has no such task", "the second start after that", "a compaction"],
  },
  uses: backgroundTasks,
  on: {
    "session.start"(event, ctx, store) {
      const given = (transcript: string) => ctx.read.tail(transcript, TRANSCRIPT_TAIL, givenReports) ?? [];
      const left = leftOf(event, store, { pid: ctx.actor.pid, now: ctx.now(), isAlive: ctx.isAlive, given });
      const untold = left.filter((one) => one.untold.length > 0);
      if (untold.length === 0) return undefined;
      const text = untoldText(untold.flatMap((one) => one.untold));
      return ctx.note("left", { sessions: untold.map(({ session }) => named(session, event)).join(", "), text });
    },
    "prompt.submit"(event, ctx, store) {
      const missed = event.agentId === "" ? store.of(event.session).tasks.filter((task) => task.isMissed) : [];
      return missed.length > 0 ? ctx.note("missed", { text: untoldText(missed) }) : undefined;
    },
  },
  settled: {
    "session.start"(event, fate, ctx, store) {
      // What found no room is told at the next start.
      if (fate === "dropped") return;
      const isAlive = (pid: number) => ctx.looked.isAlive(pid);
      const left = leftOf(event, store, { pid: ctx.actor.pid, now: ctx.now(), isAlive, given: () => [] });
      for (const one of left) takeOver(one, event, store);
    },
    "prompt.submit"(event, fate, ctx, store) {
      const before = store.of(event.session);
      const after = fate === "dropped" ? before : withoutTasks(before, ({ isMissed }) => isMissed === true);
      if (after !== before) store.save(event.session, after);
      followTasks(event, fate, ctx, store);
    },
    "tool.before": followTasks,
    "tool.after": followTasks,
    "tool.failed": followTasks,
    "subagent.stop": followTasks,
    "turn.stop": followTasks,
    "session.end": followTasks,
  },
});

function leftOf(event: Start, store: BackgroundTasks, look: Omit<StartView, "session" | "source">) {
  const isBegin = event.agentId === "" && event.session !== "" && event.source !== "compact";
  return isBegin ? leftTasks(store, { ...look, session: event.session, source: event.source }) : [];
}

function takeOver({ session, goingOn }: LeftTasks, event: Start, store: BackgroundTasks): void {
  const known = store.of(session);
  store.save(session, { ...known, tasks: [], over: "" });
  if (goingOn.length === 0) return;
  const own = store.of(event.session);
  const { pid, transcript } = known;
  store.save(event.session, { ...own, pid, transcript, tasks: [...own.tasks, ...goingOn] });
}

function named(session: string, event: Start): string {
  return session === event.session ? "this session, before it was resumed," : `session ${session.slice(0, 8)}`;
}
