import type { PolicyContext, SettledContext } from "../../core/policy.ts";
import { isHolding, type ModeRun } from "../mode/mode-run.ts";
import { modeRuns } from "../mode/store.ts";
import { activePlan, type PlanLook, planFacts } from "../plan/active-plan.ts";
import { progressText } from "../plan/progress.ts";
import { sessionTasks } from "../tasks/store.ts";
import { openTasks, openTasksText, type TaskLists } from "../tasks/task-list.ts";
import { toldWisdom, WISDOM_TAIL, type Wisdom, type WisdomLook, wisdomIn, wisdomText } from "./wisdom.ts";

/** What a session must know after its conversation was compacted. */
export interface KeptState {
  readonly runs: readonly ModeRun[];
  readonly tasks: TaskLists;
  readonly plan: { readonly title: string; readonly file: string; readonly progress: string } | undefined;
  readonly wisdom: Wisdom;
}

interface Look extends PlanLook, WisdomLook, Pick<PolicyContext, "store"> {}

/** The state of a session as it is now. */
export function stateOf(session: string, ctx: PolicyContext): KeptState {
  return stateBy(session, { ...lookOf(ctx), tail: (file) => ctx.read.tail(file, WISDOM_TAIL, wisdomText) });
}

/** The same from what was read while the event was decided. */
export function stateAsRead(session: string, ctx: SettledContext): KeptState {
  const { looked } = ctx;
  return stateBy(session, {
    actor: ctx.actor,
    env: (name) => ctx.env(name),
    info: (file) => looked.info(file),
    list: (folder) => looked.list(folder),
    realPath: (file) => looked.realPath(file),
    store: (definition) => ctx.store(definition),
    read: { json: (parts, check) => ctx.read(parts, check), text: (file, about) => looked.text(file, about) },
    tail: (file) => looked.tail(file),
  });
}

function lookOf({ actor, env, info, list, realPath, store, read }: PolicyContext): Omit<Look, "tail"> {
  return { actor, env, info, list, realPath, store, read };
}

function stateBy(session: string, look: Look): KeptState {
  const plan = activePlan(look);
  const facts = plan && planFacts(look, plan);
  return {
    runs: look.store(modeRuns).of(session),
    tasks: look.store(sessionTasks).lists(),
    plan: facts && { title: facts.title, file: plan.state.plan, progress: progressText(facts.counts) },
    wisdom: wisdomIn(look.actor.project, look),
  };
}

export function isEmptyState({ runs, tasks, plan, wisdom }: KeptState): boolean {
  return runs.length === 0 && openTasks(tasks).names.length === 0 && !plan && wisdom.files.length === 0;
}

/** What other policies tell about the same compaction. */
export interface ToldByOthers {
  readonly modes: boolean;
  readonly plan: boolean;
}

/** The state in words; empty when there is nothing to say. `room`: for what the notepads of the plans say. */
export function stateText(state: KeptState, others: ToldByOthers, room: number, now: number): string {
  const { runs, tasks, plan, wisdom } = state;
  const open = openTasks(tasks);
  const modes = others.modes ? [] : runs.filter((run) => isHolding(run, now));
  return [
    ...modes.map(({ mode, round, limit }) => `The mode ${mode} is on, round ${round} of ${limit}.`),
    ...(plan && !others.plan ? [`Plan: ${plan.title} (${plan.file}). ${plan.progress}`] : []),
    ...(open.names.length > 0 ? [`This session has ${openTasksText(open)}.`] : []),
    ...(wisdom.files.length > 0 ? [`Notes on the plans of this project:\n${toldWisdom(wisdom.files, room)}`] : []),
  ].join("\n");
}
