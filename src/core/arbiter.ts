import { fingerprint } from "./text/fingerprint.ts";
import type { HoldVerdict } from "./verdict.ts";

/** A turn may go on without running a tool this often in a row; the agent itself gives up at 8. */
export const IDLE_LIMIT = 3;
/** A hold whose progress stood still for this many continuations is dropped. */
const STALLED_LIMIT = 2;
export const DEFAULT_HOLD_LIMIT = 50;

/** What is remembered of one session's (or subagent's) held stops. */
export interface ArbiterState {
  readonly held: boolean;
  readonly idle: number;
  /** How many of the session's tool calls had run at its last stop. */
  readonly toolCalls: number;
  /** How many tool calls had run at the last prompt of a person; missing when there was none. */
  readonly promptCalls?: number;
  readonly holds: Readonly<Record<string, HoldState>>;
}

interface HoldState {
  readonly progress: string;
  readonly stalled: number;
  readonly count: number;
  /** A fingerprint of the text that was sent last. */
  readonly said?: string;
}

/** The state of a new session. */
export const FRESH_ARBITER: ArbiterState = { held: false, idle: 0, toolCalls: 0, holds: {} };

/** The state after a prompt of a person; a machine-made prompt resets nothing. */
export function promptedArbiter(toolCalls: number): ArbiterState {
  return { ...FRESH_ARBITER, toolCalls, promptCalls: toolCalls };
}

/** Did nothing run since the last stop, although that one was held? */
export function isIdleAgain(state: ArbiterState, toolCalls: number): boolean {
  return state.held && toolCalls === state.toolCalls;
}

export interface Held {
  readonly policy: string;
  readonly order: number;
  readonly verdict: HoldVerdict;
}

/** A hold that is in force. */
export interface InForce extends Held {
  /** Set when its text is the same as last time: how often it has held since the last prompt, this time included. */
  readonly repeated?: number;
}

export interface StopQuestion {
  readonly holds: readonly Held[];
  readonly released: ReadonlySet<string>;
  /** Why no hold may apply now; empty when none of the bypasses does. */
  readonly bypass: string;
  /** How many of the session's tool calls have run. One that was denied has not. */
  readonly toolCalls: number;
  readonly state: ArbiterState;
}

export interface StopAnswer {
  /** Ranked; empty means the stop passes. */
  readonly held: readonly InForce[];
  /** For the person, when the stop passes although something is left. */
  readonly notice: string;
  readonly next: ArbiterState;
}

/** The one place that decides whether a turn may end. */
export function arbitrateStop(question: StopQuestion): StopAnswer {
  const { state, toolCalls } = question;
  const wanted = question.holds.filter((hold) => !question.released.has(hold.policy)).sort(byRank);
  // Only a tool that ran ends the row of idle continuations; a stop that passed in between does not.
  const idle = toolCalls === state.toolCalls ? state.idle + (state.held ? 1 : 0) : 0;
  const passed: ArbiterState = { ...state, held: false, idle, toolCalls };
  if (wanted.length === 0) return { held: [], notice: "", next: passed };
  if (question.bypass !== "") return { held: [], notice: leftOver(wanted, question.bypass), next: passed };
  if (idle >= IDLE_LIMIT) {
    const why = `the turn went on ${idle} times without running a tool`;
    return { held: [], notice: leftOver(wanted, why), next: passed };
  }
  const counted = wanted.map((hold) => ({ hold, entry: advance(hold, state) }));
  const held = counted.filter(({ hold, entry }) => entry.stalled < STALLED_LIMIT && entry.count <= hold.verdict.limit);
  // Another registration may decide the same stop for other policies, so the state of their holds stays.
  const holds = { ...state.holds, ...Object.fromEntries(counted.map(({ hold, entry }) => [hold.policy, entry])) };
  if (held.length === 0) {
    const why = counted.some(({ entry }) => entry.stalled >= STALLED_LIMIT)
      ? "nothing changed during the last continuations"
      : "the limit of continuations for one prompt is reached";
    return { held: [], notice: leftOver(wanted, why), next: { ...passed, holds } };
  }
  const inForce = held.map(({ hold, entry }): InForce => {
    const isRepeated = state.holds[hold.policy]?.said === entry.said;
    return isRepeated ? { ...hold, repeated: entry.count } : hold;
  });
  return { held: inForce, notice: "", next: { ...passed, held: true, holds } };
}

function advance(hold: Held, state: ArbiterState): Required<HoldState> {
  const before = state.holds[hold.policy];
  const { progress, text, exit } = hold.verdict;
  // A hold without a fingerprint cannot stall; the idle budget bounds it.
  const same = state.held && before !== undefined && progress !== "" && before.progress === progress;
  const said = fingerprint(text, exit);
  return { progress, stalled: same ? before.stalled + 1 : 0, count: (before?.count ?? 0) + 1, said };
}

function byRank(a: Held, b: Held): number {
  return a.verdict.rank - b.verdict.rank || a.order - b.order || (a.policy < b.policy ? -1 : 1);
}

function leftOver(holds: readonly Held[], why: string): string {
  const left = holds.map(({ policy, verdict }) => `${verdict.text} ${verdict.exit} [${policy}]`).join(" ");
  return `The turn may end although work is left, because ${why}. ${left} Send a prompt to go on.`;
}
