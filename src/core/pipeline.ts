import { Awake } from "./condition-cache.ts";
import { describe } from "./errors.ts";
import { type AnyEvent, EVENTS, type EventName, GUARDED_EVENTS } from "./event.ts";
import type { Policy, PolicyContext, RegistryEntry } from "./policy.ts";
import { STAGES, type StageName } from "./stages.ts";
import { isVerdict, type Verdict } from "./verdict.ts";

/** A policy that is on, with the options in force. */
export interface ActivePolicy {
  readonly policy: Policy;
  readonly mode: "observe" | "enforce";
  readonly options: Readonly<Record<string, unknown>>;
}

/** What one policy said of one event, or why it could not. */
export interface PolicyResult {
  readonly id: string;
  readonly stage: StageName;
  readonly mode: "observe" | "enforce";
  readonly verdicts: readonly Verdict[];
  readonly error?: string;
  readonly microseconds: number;
}

export interface PipelineInput {
  readonly event: AnyEvent;
  readonly policies: readonly ActivePolicy[];
  /** Milliseconds the policies may take together. */
  readonly budget: number;
  context(active: ActivePolicy, signal: () => AbortSignal): PolicyContext;
  store(active: ActivePolicy): unknown;
  /** Monotonic microseconds, for the timings only. */
  clock(): number;
}

/** Would this policy look at this event at all? Decided from the registry alone, before anything is loaded. */
export function applies(entry: Pick<RegistryEntry, "events" | "kinds">, event: AnyEvent): boolean {
  if (!entry.events.includes(event.name)) return false;
  if (!entry.kinds) return true;
  const kind = event.tool?.kind;
  return kind === "unknown" || (kind !== undefined && entry.kinds.includes(kind));
}

/**
 * Asks every policy, in stage order, and never throws: a policy that throws, is late or answers nonsense yields an
 * attributed error and nothing else. All of them see the same state, so the order only shows in the timings.
 */
export async function runPolicies(input: PipelineInput): Promise<PolicyResult[]> {
  // Made only when a policy asks for it: most never wait for anything.
  let abort: AbortController | undefined;
  const signal = (): AbortSignal => {
    abort ??= new AbortController();
    return abort.signal;
  };
  const asked = askedAt(input.event.name, input.policies);
  const running: (PolicyResult | Promise<PolicyResult>)[] = [];
  const awake = new Awake();
  let isWaiting = false;
  let started = input.clock();
  for (const one of asked) {
    const answer = ask(one, input, awake, signal, started);
    running.push(answer);
    const isLater = answer instanceof Promise;
    isWaiting ||= isLater;
    // Where one ends the next begins.
    started = isLater ? input.clock() : started + answer.microseconds;
  }
  if (!isWaiting) return running as PolicyResult[];

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, input.budget));
  });
  const results = await Promise.all(
    running.map(async (answer, index) => {
      const first = await Promise.race([answer, late]);
      if (first !== "late") return first;
      const { active } = asked[index] as Asked;
      return failed(active, `gave no answer within ${Math.round(input.budget)} ms`, input.budget * 1000);
    }),
  );
  clearTimeout(timer);
  abort?.abort();
  return results;
}

type Handler = (event: AnyEvent, ctx: PolicyContext, store: unknown) => unknown;

/** A policy with what it does at one kind of event, and what is noted when it does nothing. */
interface Asked {
  readonly active: ActivePolicy;
  readonly handler: Handler | undefined;
  readonly silence: PolicyResult;
}

interface AskedAt {
  readonly event: EventName;
  readonly asked: readonly Asked[];
}

/** Events of one kind have the same list. */
const lists = new WeakMap<readonly ActivePolicy[], AskedAt>();

function askedAt(event: EventName, policies: readonly ActivePolicy[]): readonly Asked[] {
  const known = lists.get(policies);
  if (known?.event === event) return known.asked;
  const asked: Asked[] = [];
  for (const active of [...policies].sort(byStageThenId)) {
    const { id, stage, on } = active.policy;
    const silence = { id, stage, mode: active.mode, verdicts: NOTHING, microseconds: 0 };
    asked.push({ active, handler: on[event] as Handler | undefined, silence });
  }
  lists.set(policies, { event, asked });
  return asked;
}

export function byStageThenId(a: ActivePolicy, b: ActivePolicy): number {
  return STAGES[a.policy.stage].order - STAGES[b.policy.stage].order || (a.policy.id < b.policy.id ? -1 : 1);
}

function ask(
  { active, handler, silence }: Asked,
  input: PipelineInput,
  awake: Awake,
  signal: () => AbortSignal,
  started: number,
): PolicyResult | Promise<PolicyResult> {
  const { event } = input;
  if (event.malformed.length > 0) return failed(active, `the event is malformed: ${event.malformed.join(", ")}`, 0);
  if (!handler) return silence;
  try {
    const { when } = active.policy;
    const isAwake =
      when === undefined ||
      (awake.get(when) ?? awake.set(when, when(event, input.context(active, signal), input.store(active) as never)));
    if (!isAwake) return silence;
    const answer = handler(event, input.context(active, signal), input.store(active));
    if (!isThenable(answer)) return said(active, answer, event, input.clock() - started);
    const since = (): number => input.clock() - started;
    return Promise.resolve(answer).then(
      (value) => said(active, value, event, since()),
      (error) => failed(active, describe(error), since()),
    );
  } catch (error) {
    return failed(active, describe(error), input.clock() - started);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === "function";
}

const NOTHING: readonly Verdict[] = [];

function said(active: ActivePolicy, answer: unknown, event: AnyEvent, microseconds: number): PolicyResult {
  const verdicts = answer === undefined ? NOTHING : Array.isArray(answer) ? answer : [answer];
  const { stage } = active.policy;
  for (const verdict of verdicts) {
    if (!isVerdict(verdict)) return failed(active, "answered something that is not a verdict", microseconds);
    if (!(EVENTS[event.name].verdicts as readonly string[]).includes(verdict.kind)) {
      return failed(active, `\`${verdict.kind}\` means nothing at ${event.name}`, microseconds);
    }
    if (!(STAGES[stage].verdicts as readonly string[]).includes(verdict.kind)) {
      return failed(active, `\`${verdict.kind}\` is not allowed in the ${stage} stage`, microseconds);
    }
  }
  return { id: active.policy.id, stage, mode: active.mode, verdicts, microseconds };
}

function failed(active: ActivePolicy, error: string, microseconds: number): PolicyResult {
  return { id: active.policy.id, stage: active.policy.stage, mode: active.mode, verdicts: [], error, microseconds };
}

/** What a failure means: a guard that could not look must not look like one that saw nothing. */
export function failureVerdict(result: PolicyResult, event: AnyEvent): Verdict | undefined {
  if (result.error === undefined || !GUARDED_EVENTS.includes(event.name)) return undefined;
  const { onError } = STAGES[result.stage];
  if (onError === "nothing") return undefined;
  const isMalformed = event.malformed.length > 0;
  // What no policy can read they all say in the same words, which are then said once.
  const text = `This call could not be checked${isMalformed ? "" : ` by ${result.id}`}: ${result.error}.`;
  // A body we cannot read may be a new form of a harmless call, so a person is asked.
  if (onError === "ask" || isMalformed) return { kind: "ask", message: "unchecked", data: {}, text };
  return { kind: "deny", message: "unchecked", data: {}, text, retry: "once" };
}
