import { describe } from "./errors.ts";
import { type AnyEvent, EVENTS, type EventName, GUARDED_EVENTS } from "./event.ts";
import type { Policy, PolicyContext, RegistryEntry, When } from "./policy.ts";
import { STAGES, type StageName } from "./stages.ts";
import type { StoreDefinition } from "./store.ts";
import { isVerdict, type Verdict } from "./verdict.ts";

/** A policy that is on, with the options in force. */
export interface ActivePolicy {
  readonly policy: Policy;
  readonly mode: "observe" | "enforce";
  readonly options: Readonly<Record<string, unknown>>;
}

/** The verdicts of one policy about one event, or why there are none. */
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
  /** Asked once for each store that a policy of this event declares. */
  store(definition: StoreDefinition<never>): unknown;
}

type Applicability = Pick<RegistryEntry, "events" | "kinds">;

/** Would this policy look at this event at all? Decided from the registry alone, before anything is loaded. */
export function applies(entry: Applicability, event: AnyEvent): boolean {
  if (!entry.events.includes(event.name)) return false;
  if (!entry.kinds) return true;
  const kind = event.tool?.kind;
  return kind === "unknown" || (kind !== undefined && entry.kinds.includes(kind));
}

/** Those of the enabled policies that would look at this event. */
export function applicable<T extends { readonly entry: Applicability }>(enabled: readonly T[], event: AnyEvent): T[] {
  return enabled.filter(({ entry }) => applies(entry, event));
}

/**
 * Microseconds from an arbitrary start, for the timings in the journal. The global `performance` would cost a cold hook
 * a millisecond to set up.
 */
export function microseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e6 + Math.round(nanoseconds / 1e3);
}

/**
 * Asks every policy, in stage order, and never throws: a policy that throws, misses the deadline or returns something
 * that is not a verdict yields an error under its own id and nothing else. All policies see the same state, so their
 * order shows in the timings only.
 */
export async function runPolicies(input: PipelineInput): Promise<PolicyResult[]> {
  // The controller is created when a policy asks for its signal: most policies never wait for anything.
  let abort: AbortController | undefined;
  const run: Run = {
    input,
    conditions: new Map(),
    stores: new Map(),
    signal() {
      abort ??= new AbortController();
      return abort.signal;
    },
  };
  const called = handlersAt(input.event.name, input.policies);
  const running: (PolicyResult | Promise<PolicyResult>)[] = [];
  let isWaiting = false;
  let started = microseconds();
  for (const one of called) {
    const answer = call(one, run, started);
    running.push(answer);
    const isPending = answer instanceof Promise;
    isWaiting ||= isPending;
    // The end of one policy is the start of the next one.
    started = isPending ? microseconds() : started + answer.microseconds;
  }
  if (!isWaiting) return running as PolicyResult[];

  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<"deadline">((resolve) => {
    timer = setTimeout(() => resolve("deadline"), Math.max(0, input.budget));
  });
  const results = await Promise.all(
    running.map(async (answer, index) => {
      const first = await Promise.race([answer, deadline]);
      if (first !== "deadline") return first;
      const { active } = called[index] as PolicyAtEvent;
      return failed(active, `gave no answer within ${Math.round(input.budget)} ms`, input.budget * 1000);
    }),
  );
  clearTimeout(timer);
  abort?.abort();
  return results;
}

/** What the policies of one run share. */
interface Run {
  readonly input: PipelineInput;
  /** What a `when` condition answered: it holds for every policy that declares the same condition. */
  readonly conditions: Map<When, boolean>;
  readonly stores: Map<unknown, unknown>;
  signal(): AbortSignal;
}

type Handler = (event: AnyEvent, ctx: PolicyContext, store: unknown) => unknown;

/** A policy with its handler for one kind of event, and the result that is recorded when it says nothing. */
interface PolicyAtEvent {
  readonly active: ActivePolicy;
  readonly handler: Handler | undefined;
  readonly silence: PolicyResult;
}

interface HandlersAtEvent {
  readonly event: EventName;
  readonly handlers: readonly PolicyAtEvent[];
}

/** Events of one kind have the same list of policies, so the sorted handlers are kept with the list. */
const handlerLists = new WeakMap<readonly ActivePolicy[], HandlersAtEvent>();

function handlersAt(event: EventName, policies: readonly ActivePolicy[]): readonly PolicyAtEvent[] {
  const known = handlerLists.get(policies);
  if (known?.event === event) return known.handlers;
  const handlers: PolicyAtEvent[] = [];
  for (const active of [...policies].sort(byStageThenId)) {
    const { id, stage, on } = active.policy;
    const silence = { id, stage, mode: active.mode, verdicts: NOTHING, microseconds: 0 };
    handlers.push({ active, handler: on[event] as Handler | undefined, silence });
  }
  handlerLists.set(policies, { event, handlers });
  return handlers;
}

export function byStageThenId(a: ActivePolicy, b: ActivePolicy): number {
  return STAGES[a.policy.stage].order - STAGES[b.policy.stage].order || (a.policy.id < b.policy.id ? -1 : 1);
}

function call(
  { active, handler, silence }: PolicyAtEvent,
  run: Run,
  started: number,
): PolicyResult | Promise<PolicyResult> {
  const { event } = run.input;
  if (event.malformed.length > 0) return failed(active, `the event is malformed: ${event.malformed.join(", ")}`, 0);
  const { when } = active.policy;
  if (!handler || (when && run.conditions.get(when) === false)) return silence;
  try {
    const context = run.input.context(active, run.signal);
    const store = storeOf(active.policy, run);
    if (when && !run.conditions.has(when)) run.conditions.set(when, when(event, context, store));
    if (when && run.conditions.get(when) === false) return silence;
    const answer = handler(event, context, store);
    if (!isThenable(answer)) return said(active, answer, event, microseconds() - started);
    const since = (): number => microseconds() - started;
    return Promise.resolve(answer).then(
      (value) => said(active, value, event, since()),
      (error) => failed(active, describe(error), since()),
    );
  } catch (error) {
    return failed(active, describe(error), microseconds() - started);
  }
}

function storeOf({ uses }: Policy, { input, stores }: Run): never {
  if (uses && !stores.has(uses)) stores.set(uses, input.store(uses));
  return stores.get(uses) as never;
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

/** What the error of a policy counts as: a guard that failed must not count as one that found nothing. */
export function failureVerdict(result: PolicyResult, event: AnyEvent): Verdict | undefined {
  if (result.error === undefined || !GUARDED_EVENTS.includes(event.name)) return undefined;
  const { onError } = STAGES[result.stage];
  if (onError === "nothing") return undefined;
  const isMalformed = event.malformed.length > 0;
  // All policies fail at a malformed event in the same words, so that the merge sends them once.
  const text = `This call could not be checked${isMalformed ? "" : ` by ${result.id}`}: ${result.error}.`;
  // A body we cannot read may be a new form of a harmless call, so a person is asked.
  if (onError === "ask" || isMalformed) return { kind: "ask", message: "unchecked", data: {}, text };
  return { kind: "deny", message: "unchecked", data: {}, text, retry: "once" };
}

/** Did this policy say nothing, and not fail? */
export function isSilent({ verdicts, error }: PolicyResult): boolean {
  return verdicts.length === 0 && error === undefined;
}

export function areAllSilent(results: readonly PolicyResult[]): boolean {
  return results.every(isSilent);
}
