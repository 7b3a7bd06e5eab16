import { withChildren } from "./cancel.ts";
import type { ModeMachine, ModeReader, Step, StopView } from "./machine.ts";
import { machineOf } from "./machines.ts";
import { isHolding, type ModeRun } from "./mode-run.ts";
import type { ModeRuns } from "./mode-runs.ts";
import type { ModeName } from "./modes.ts";
import { neededInput } from "./signals.ts";
import { isInTheWay } from "./start.ts";

/** What a stop means for the session's run of this mode; undefined when it holds nothing. */
export type StopOutcome =
  | { readonly kind: "step"; readonly run: ModeRun; readonly step: Step }
  | { readonly kind: "wait"; readonly run: ModeRun; readonly question: string }
  /** The rounds are used up. `left` is what the next text would have been about. */
  | { readonly kind: "limit"; readonly run: ModeRun; readonly step: Step };

export function stopOutcome(
  machine: ModeMachine,
  store: ModeRuns,
  session: string,
  stop: StopView,
  reader: ModeReader,
): StopOutcome | undefined {
  const runs = store.of(session);
  const run = runs.find(({ mode }) => mode === machine.mode);
  if (!run || !isHolding(run, reader.now) || hasParent(run, runs)) return undefined;
  const question = neededInput(stop.lastMessage);
  if (question !== undefined) return { kind: "wait", run, question };
  const children = childrenOf(run, runs);
  const others = runs.filter((one) => one !== run && !children.includes(one) && isInTheWay(one, reader.now));
  const step = machine.step(run, { ...stop, beside: others.map(({ mode }) => mode) }, reader, children);
  // Beside another mode ecomode only says which models to use.
  const isBesideOther = run.mode === "ecomode" && runs.some((one) => one !== run && isHolding(one, reader.now));
  if (isBesideOther && step.kind === "hold") return undefined;
  if (step.kind === "hold" && run.round >= run.limit) return { kind: "limit", run, step };
  return { kind: "step", run, step };
}

/** A run that another one started holds nothing by itself while that one is there, also when it is paused. */
export function hasParent(run: ModeRun, runs: readonly ModeRun[]): boolean {
  return runs.some((one) => one.mode === run.parent);
}

/** The runs that this one started, and those that these started. */
export function childrenOf(run: ModeRun, runs: readonly ModeRun[]): readonly ModeRun[] {
  return withChildren(run, runs).slice(1);
}

/** `ralph, round 7 of 100`, as every text of a mode begins. */
export function roundText(mode: ModeName, round: number, limit: number): string {
  return `${mode}, round ${round} of ${limit}`;
}

/** How the model and the person get out of a mode. */
export function exitText(mode: ModeName): string {
  return `To end it: the person types \`/cancel\` or runs \`hookwright mode cancel ${mode}\`.`;
}

/** The sentence that the person reads when a run starts. */
export function startText(run: ModeRun): string {
  const until = machineOf(run.mode).until(run);
  return `${run.mode} is on: it goes on until ${until}, for at most ${run.limit} rounds. End it with /cancel.`;
}
