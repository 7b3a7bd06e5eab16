import { type Fate, type PolicyContext, policy, type SettledContext } from "../../core/policy.ts";
import {
  type Checkpoints,
  checkpointFolder,
  checkpointOf,
  checkpoints,
  markCheckpointTold,
  removeOldCheckpoints,
  writeCheckpoint,
} from "../../domain/compaction/checkpoint.ts";
import { isEmptyState, type KeptState, stateAsRead, stateOf, stateText } from "../../domain/compaction/kept-state.ts";
import { settledFiles } from "../../domain/mode/stop-policy.ts";
import { hookSettings, PLAN_ENV } from "../../domain/plan/active-plan.ts";

/** For the notepads of plans: in the instructions for a summary, and after the compaction. */
const ROOM_IN_SUMMARY = 800;
const ROOM_AFTER = 2_000;

export default policy({
  id: "recovery/pre-compact",
  summary: "Keeps modes, tasks, plan and notes of the session over a compaction of its conversation.",
  why: "A summary keeps the last part of the conversation, and loses what is still open and what was learned before.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    keep: "Keep in the summary, because the work goes on after it:\n{text}",
    restored: "The conversation was compacted. What was open before it is as follows now:\n{text}",
    unusable: "Not kept over the compaction: {files}. They have to be readable UTF-8 files in plain folders.",
  },
  examples: {
    hit: [
      "PreCompact while a task of this session is open",
      "SessionStart after a compaction while `.omc/notepads/login/decisions.md` says something",
    ],
    pass: [
      "a compaction while nothing is open and nothing was noted",
      "open tasks of another session",
      "SessionStart after /clear",
    ],
  },
  reads: { env: PLAN_ENV },
  uses: checkpoints,
  on: {
    "compact.before"(event, ctx) {
      // Read here, so that the `settled` handler finds the fact.
      ctx.list(checkpointFolder(ctx.actor.project));
      if (event.agentId !== "") return undefined;
      const text = textOf(stateOf(event.session, ctx), ctx, ROOM_IN_SUMMARY);
      return text === "" ? undefined : ctx.note("keep", { text });
    },
    "session.start"(event, ctx, store) {
      ctx.list(checkpointFolder(ctx.actor.project));
      return event.source === "compact" && event.agentId === ""
        ? afterCompaction(event.session, ctx, store)
        : undefined;
    },
    "prompt.submit": (event, ctx, store) =>
      store.isUntold() && event.agentId === "" ? afterCompaction(event.session, ctx, store) : undefined,
  },
  settled: {
    "compact.before"(event, _fate, ctx, store) {
      const now = ctx.now();
      removeOld(ctx);
      const state = event.agentId === "" ? stateAsRead(event.session, ctx) : undefined;
      if (!state || isEmptyState(state)) return;
      const { project } = ctx.actor;
      const checkpoint = checkpointOf(state, event.session, event.trigger, project, now);
      const isTaken = (file: string): boolean => ctx.read([file], () => true) === true;
      const file = writeCheckpoint(checkpoint, now, settledFiles(ctx), isTaken);
      if (file !== undefined) store.keep(file, checkpoint);
    },
    "session.start"(event, fate, ctx, store) {
      removeOld(ctx);
      if (event.source === "compact" && event.agentId === "") markTold(fate, ctx, store);
    },
    "prompt.submit"(event, fate, ctx, store) {
      if (store.isUntold() && event.agentId === "") markTold(fate, ctx, store);
    },
  },
});

function textOf(state: KeptState, ctx: PolicyContext, room: number): string {
  const others = {
    modes: ctx.isEnforced("modes/persistent-mode"),
    plan: ctx.isEnforced("plan/compaction-snapshot") && hookSettings(ctx).precompactState,
  };
  return stateText(state, others, room, ctx.now());
}

function afterCompaction(session: string, ctx: PolicyContext, store: Checkpoints) {
  const state = stateOf(session, ctx);
  const text = textOf(state, ctx, ROOM_AFTER);
  const files = store.unreported(state.wisdom.unusable);
  return [
    ...(text === "" ? [] : [ctx.note("restored", { text }, store.last()?.file)]),
    ...(files.length === 0 ? [] : [ctx.notice("unusable", { files: files.join(", "), list: JSON.stringify(files) })]),
  ];
}

/** A note that found no room is told with the next prompt, and only then the checkpoint says that it was told. */
function markTold(fate: Fate, ctx: SettledContext, store: Checkpoints): void {
  const files = ctx.said("unusable")?.list;
  if (files !== undefined) store.addReported(JSON.parse(String(files)) as string[]);
  const isSaid = ctx.said("restored") !== undefined;
  store.setUntold(isSaid && fate === "dropped");
  if (isSaid && fate === "sent") markCheckpointTold(store, ctx.now(), settledFiles(ctx));
}

function removeOld(ctx: SettledContext): void {
  const names = ctx.looked.list(checkpointFolder(ctx.actor.project)) ?? [];
  removeOldCheckpoints(names, ctx.now(), settledFiles(ctx));
}
