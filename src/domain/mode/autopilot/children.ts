import { HookwrightError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/event.ts";
import type { Child, ModeMachine, ModeReader, StopView } from "../machine.ts";
import { isHolding, type ModeRun } from "../mode-run.ts";
import { DEFAULT_ROUNDS, excludesEachOther, type ModeName } from "../modes.ts";
import { ultrawork } from "../parallel/ultrawork.ts";
import { ralph } from "../ralph/machine.ts";
import { ultraqa } from "../ultraqa/machine.ts";

/**
 * What this stop means for a mode that autopilot has started.
 * - goes-on: its own text says what is to be done next
 * - over: it has come to its end, with this outcome
 * - used-up: it would go on, but has no rounds left
 */
export interface ChildStep {
  readonly kind: "goes-on" | "over" | "used-up";
  readonly before: ModeRun;
  readonly child: ModeRun;
  /** The child and those that it started, after this stop. */
  readonly runs: readonly ModeRun[];
  readonly text: string;
  readonly outcome: string;
  readonly news?: string;
}

/** Asks the child itself. Undefined without a child that holds, for example after a person has cancelled it alone. */
export function stepOfChild(
  machine: ModeMachine,
  children: readonly ModeRun[],
  stop: StopView,
  reader: ModeReader,
): ChildStep | undefined {
  const child = children.find(({ mode }) => mode === machine.mode);
  if (!child || !isHolding(child, stop.now)) return undefined;
  const helpers = children.filter(({ parent }) => parent === child.mode);
  const step = machine.step(child, stop, reader, helpers);
  const isUsedUp = step.kind === "pause" || (step.kind === "hold" && child.round >= child.limit);
  return {
    kind: step.kind === "end" ? "over" : isUsedUp ? "used-up" : "goes-on",
    before: child,
    child: step.run,
    runs: [step.run, ...(step.children ?? helpers)],
    text: step.text,
    outcome: step.outcome ?? "done",
    ...(step.news !== undefined && { news: step.news }),
  };
}

/** A mode that autopilot starts now, or why it cannot. */
export type ChildStart =
  | { readonly kind: "starts"; readonly begins: readonly Child[]; readonly guide: string }
  | { readonly kind: "refused"; readonly why: string };

/** ralph with ultrawork, which carry out the plan. */
export function ralphStart(run: ModeRun, stop: StopView, reader: ModeReader): ChildStart {
  const request = { mode: "ralph", request: run.request } as const;
  const started = startOf(ralph, run, stop, reader, () => ralph.begin(request, reader));
  if (started.kind === "refused") return started;
  const helpers = (ralph.companions?.(request) ?? []).filter(({ mode }) => mode === ultrawork.mode);
  const more = helpers.map((one) => ({ ...childOf(ultrawork, ultrawork.begin(one, reader)), parent: ralph.mode }));
  return { ...started, begins: [...started.begins, ...more] };
}

/** ultraqa, which goes on until the tests succeed. */
export function ultraqaStart(run: ModeRun, stop: StopView, reader: ModeReader): ChildStart {
  return startOf(ultraqa, run, stop, reader, () => ultraqaDetails(run, reader));
}

export function ultraqaDetails({ request }: ModeRun, reader: ModeReader): JsonObject {
  return ultraqa.begin({ mode: "ultraqa", request, goal: "tests" }, reader);
}

function startOf(
  machine: ModeMachine,
  run: ModeRun,
  { beside = [] }: StopView,
  reader: ModeReader,
  begin: () => JsonObject,
): ChildStart {
  const { mode } = machine;
  const blocker = beside.find((one) => one === mode || excludesEachOther(one, mode));
  if (blocker)
    return { kind: "refused", why: `${mode} cannot start while ${blocker}, which autopilot did not start, is on` };
  try {
    const child = childOf(machine, begin());
    const asRun = { ...run, mode, details: child.details, phase: "", round: 0, limit: child.limit, parent: run.mode };
    return { kind: "starts", begins: [child], guide: machine.guide(asRun, reader) };
  } catch (error) {
    if (!(error instanceof HookwrightError)) throw error;
    return { kind: "refused", why: `${mode} cannot start: ${error.message} ${error.fix}` };
  }
}

function childOf({ mode }: { readonly mode: ModeName }, details: JsonObject): Child {
  return { mode, details, limit: DEFAULT_ROUNDS[mode] };
}
