import type { EventOf } from "../../core/event.ts";
import type { Fate, PolicyContext, SettledContext } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type CancelEffects, withChildren } from "./cancel.ts";
import { endRun, type ModeFiles, saveRun } from "./files/exports.ts";
import type { ModeMachine, ModeReader, Step } from "./machine.ts";
import type { ModeRuns } from "./mode-runs.ts";
import { type ModeName, rankOf } from "./modes.ts";
import { forgetHeldForTasks, markHeldForTasks, withOpenTasks } from "./open-tasks.ts";
import { clash, isInTheWay, newRun, saveNewRun } from "./start.ts";
import { exitText, roundText, type StopOutcome, stopOutcome } from "./stop-step.ts";

/** The messages of every policy that holds the stops of a mode. */
export const MODE_MESSAGES = {
  goes_on: "{round}. {text}",
  ended: "{mode} has ended after {rounds}. {text}",
  used_up: "{mode} is paused, because its {limit} rounds are used up. {text}",
  asks: "{mode} waits for your answer: {question}",
} as const;
/** For modes that tell the person of steps on the way. */
export const NEWS_MESSAGE = { news: "{mode}: {text}" } as const;
/** For modes that pause for other reasons than their rounds. */
export const PAUSE_MESSAGE = { paused: "{mode} is paused. {text}" } as const;

type Stop = EventOf<"turn.stop">;
type Options = { readonly stop: "soft" | "hard" };

/** The outside as a mode reads it while a policy decides. */
export function decidingReader(ctx: Pick<PolicyContext, "actor" | "now" | "read" | "board">): ModeReader {
  return {
    project: ctx.actor.project,
    now: ctx.now(),
    text: (file, about, digest) => ctx.read.text(file, about, digest),
    board: () => ctx.board(),
  };
}

/** The same while it settles: what was read before, and nothing else. */
export function settledReader(ctx: Pick<SettledContext, "actor" | "now" | "looked">): ModeReader {
  return {
    project: ctx.actor.project,
    now: ctx.now(),
    text: (file, about) => ctx.looked.text(file, about),
    board: () => ctx.looked.board(),
  };
}

export function settledFiles(ctx: SettledContext): CancelEffects {
  return {
    project: ctx.actor.project,
    info: (file) => ctx.info(file),
    mirror: (parts, value) => ctx.mirror(parts, value),
    mirrorText: (parts, text) => ctx.mirrorText(parts, text),
    append: (parts, text, marker) => ctx.append(parts, text, marker),
    endBoard: () => ctx.endBoard(),
  };
}

/** The handler of `turn.stop` that holds the stop while the mode goes on. */
export function holdStop(machine: ModeMachine) {
  return (event: Stop, ctx: PolicyContext<string, Options>, store: ModeRuns): Verdict[] | undefined => {
    const found = outcomeOf(machine, event, store, decidingReader(ctx));
    if (!found) return undefined;
    const outcome = withOpenTasks(found, event.lastMessage, ctx, store);
    const { mode, limit, round } = outcome.run;
    if (outcome.kind === "wait") return [ctx.notice("asks", { mode, question: outcome.question })];
    const { step } = outcome;
    if (outcome.kind === "limit") return [ctx.notice("used_up", { mode, limit, text: resumeText(mode, step.text) })];
    const news = step.news === undefined ? [] : [ctx.notice("news", { mode, text: step.news })];
    if (step.kind === "pause") return [...news, ctx.notice("paused", { mode, text: resumeText(mode, step.text) })];
    if (step.kind === "end") return [ctx.notice("ended", { mode, rounds: rounds(round), text: step.text })];
    const data = { round: roundText(mode, round + 1, limit), text: step.text };
    const options = { strength: ctx.options.stop, rank: rankOf(mode), limit, exit: exitText(mode) };
    return [ctx.hold("goes_on", data, options), ...news];
  };
}

/** The handler that settles `turn.stop`: stores what the stop meant for the run. */
export function settleStop(machine: ModeMachine) {
  return (event: Stop, fate: Fate, ctx: SettledContext<string, Options>, store: ModeRuns): void => {
    const outcome = outcomeOf(machine, event, store, settledReader(ctx));
    if (!outcome) return;
    const { run } = outcome;
    const files = settledFiles(ctx);
    const seenAt = ctx.now();
    if (outcome.kind === "wait") {
      saveRun(store, files, { ...run, status: "waiting", why: outcome.question, seenAt });
      return;
    }
    const { step } = outcome;
    const isGoingOn = ctx.outcome === "hold" || fate === "observed";
    if (step.kind === "end" && isGoingOn && ctx.said("goes_on") !== undefined) {
      markHeldForTasks(store, run);
      saveRun(store, files, { ...run, round: run.round + 1, seenAt });
      return;
    }
    // A stop that was let pass for another reason is no round of this run.
    const isHeld = outcome.kind === "step" && step.kind === "hold" && isGoingOn;
    storeStep(isHeld ? withRound(step) : step, store, files, seenAt);
    if (outcome.kind === "limit") {
      saveRun(store, files, { ...step.run, status: "paused", why: `its ${run.limit} rounds are used up`, seenAt });
      return;
    }
    if (step.kind === "end") {
      forgetHeldForTasks(store, run);
      const all = withChildren(step.run, store.of(run.session));
      for (const one of all) endRun(store, files, one, step.outcome ?? "done", seenAt);
      return;
    }
    const paused = step.kind === "pause" ? { status: "paused" as const, why: step.text } : {};
    saveRun(store, files, { ...step.run, ...paused, round: run.round + (isHeld ? 1 : 0), seenAt });
  };
}

/** The step whose driven child has had a round. */
function withRound(step: Step): Step {
  if (step.driven === undefined) return step;
  const children = (step.children ?? []).map((child) =>
    child.mode === step.driven ? { ...child, round: child.round + 1 } : child,
  );
  return { ...step, children };
}

/** The handler of `subagent.stop` that looks at the files which decide what the message means. */
export function lookForSubagent(machine: ModeMachine) {
  return (event: EventOf<"subagent.stop">, ctx: PolicyContext<string, Options>, store: ModeRuns): undefined => {
    const run = event.agentId === "" ? undefined : store.get(event.session, machine.mode);
    if (run) machine.heard?.(run, event.agentType, event.lastMessage, decidingReader(ctx));
  };
}

/** The handler that settles `subagent.stop`: stores what a subagent's last message means for the run. */
export function hearSubagent(machine: ModeMachine) {
  return (
    event: EventOf<"subagent.stop">,
    _fate: Fate,
    ctx: SettledContext<string, Options>,
    store: ModeRuns,
  ): void => {
    // A subagent that another policy holds has not said its last word.
    if (event.agentId === "" || ctx.outcome === "hold") return;
    const run = store.get(event.session, machine.mode);
    if (!run || !isInTheWay(run, ctx.now())) return;
    const heard = machine.heard?.(run, event.agentType, event.lastMessage, settledReader(ctx));
    if (heard) saveRun(store, settledFiles(ctx), { ...heard, seenAt: ctx.now() });
  };
}

/** Stores what the step does with the runs that this one started. */
function storeStep({ run, children, begins, finishes }: Step, store: ModeRuns, files: ModeFiles, now: number): void {
  for (const child of children ?? []) saveRun(store, files, { ...child, seenAt: now });
  for (const { mode, outcome } of finishes ?? []) {
    const ended = store.get(run.session, mode);
    if (ended) for (const one of withChildren(ended, store.of(run.session))) endRun(store, files, one, outcome, now);
  }
  for (const { mode, details, limit, parent = run.mode } of begins ?? []) {
    const { session, promptId, pid, pane, request } = run;
    const others = store.of(session).filter((one) => clash(one.mode, mode));
    const isHelpless = parent !== run.mode && store.get(session, parent)?.parent !== run.mode;
    // What a person started stays; this one goes on without the helper.
    if (isHelpless || others.some((one) => isInTheWay(one, now))) continue;
    for (const one of others) endRun(store, files, one, "replaced", now);
    const starter = { session, promptId, pid, pane, limits: { [mode]: limit } };
    saveNewRun(store, files, newRun({ mode, request }, starter, { now }, details, parent));
  }
}

function outcomeOf(machine: ModeMachine, event: Stop, store: ModeRuns, reader: ModeReader): StopOutcome | undefined {
  // A subagent may stop when its own work is done.
  if (event.agentId !== "") return undefined;
  const runningAgents = event.backgroundTasks - event.backgroundShells;
  const view = { lastMessage: event.lastMessage, now: reader.now, runningAgents };
  return stopOutcome(machine, store, event.session, view, reader);
}

const rounds = (count: number): string => (count === 1 ? "1 round" : `${count} rounds`);

function resumeText(mode: ModeName, left: string): string {
  return `Left: ${left} Go on with \`hookwright mode resume ${mode}\`.`;
}
