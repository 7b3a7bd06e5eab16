import { HookwrightError } from "../../core/errors.ts";
import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { type CancelEffects, cancelRuns, runsToCancel } from "./cancel.ts";
import type { ModeFiles } from "./files/exports.ts";
import type { Advice, ModeRequest, PromptIntents } from "./keywords/prompt-intents.ts";
import type { ModeReader } from "./machine.ts";
import type { EndedRun, ModeRun } from "./mode-run.ts";
import type { ModeRuns } from "./mode-runs.ts";
import { isMode, type ModeName } from "./modes.ts";
import { planResume, resume } from "./resume.ts";
import { planStart, type Starter, start } from "./start.ts";

/** A prompt of a person, who may have typed a skill. */
export interface PromptInput {
  readonly intents: PromptIntents;
  /** The request, if the prompt has words beside the mode's name; empty when it has none. */
  readonly request: string;
  /** The session gate is closed: starts wait until it is open. */
  readonly isGateClosed: boolean;
  readonly starter: Starter;
  isAlive(pid: number): boolean;
}

/** What the prompt led to, for the texts that the person and the model read. */
export interface PromptReport {
  readonly started: readonly { readonly run: ModeRun; readonly words: string }[];
  readonly blocked: readonly { readonly mode: ModeName; readonly blocker: ModeRun }[];
  readonly refused: readonly { readonly mode: ModeName; readonly why: string }[];
  readonly withoutRequest: readonly ModeName[];
  readonly deferred: readonly ModeName[];
  readonly cancelled: readonly EndedRun[];
  /** What a cancellation named and did not find. */
  readonly nothingToCancel: readonly (ModeName | "all")[];
  readonly resumed: readonly ModeRun[];
  readonly nothingToResume: boolean;
  readonly suggestions: PromptIntents["suggestions"];
  readonly advice: readonly Advice[];
}

const NOTHING: PromptReport = {
  started: [],
  blocked: [],
  refused: [],
  withoutRequest: [],
  deferred: [],
  cancelled: [],
  nothingToCancel: [],
  resumed: [],
  nothingToResume: false,
  suggestions: [],
  advice: [],
};

const requestKey = (session: string): string => `request:${session}`;
const deferredKey = (session: string): string => `deferred:${session}`;

/**
 * Carries out what a person's prompt asks for. While a policy decides it works on a draft, so that the texts are known;
 * while it settles, on the store itself.
 */
export function applyPrompt(
  store: ModeRuns,
  files: CancelEffects,
  input: PromptInput,
  reader: ModeReader,
): PromptReport {
  const { starter } = input;
  const { session } = starter;
  const intents = withoutIdleWords(store, input, reader);
  const report = { ...NOTHING, suggestions: intents.suggestions, advice: intents.advice };
  const hasAction = intents.cancel !== undefined || intents.resume !== undefined || intents.starts.length > 0;
  if (!hasAction) {
    if (input.request !== "") store.setOther(requestKey(session), input.request);
    return report;
  }
  if (intents.cancel) return { ...report, ...cancel(store, files, session, intents.cancel, reader.now) };
  if (intents.resume) return { ...report, ...resumed(store, files, input, reader) };
  return { ...report, ...begin(store, files, input, reader) };
}

/** Without `Stop the pipeline` where no pipeline is on: those are words about something else. */
function withoutIdleWords(store: ModeRuns, input: PromptInput, reader: ModeReader): PromptIntents {
  const { intents, starter, isAlive } = input;
  if (!intents.isEveryday) return intents;
  const { cancel, resume, ...others } = intents;
  const ended = cancel?.filter((mode) => runsToCancel(store, starter.session, mode).length > 0) ?? [];
  if (ended.length > 0) return { ...others, cancel: ended };
  const canResume =
    resume && planResume(store, starter.session, resume.mode, undefined, starter, reader.now, isAlive).kind !== "none";
  return canResume ? { ...others, resume } : others;
}

/** Starts what waited for the session gate, once that is open. */
export function startDeferred(
  store: ModeRuns,
  files: ModeFiles,
  starter: Starter,
  reader: ModeReader,
): PromptReport | undefined {
  const waiting = store.other(deferredKey(starter.session));
  if (!Array.isArray(waiting)) return undefined;
  store.setOther(deferredKey(starter.session), undefined);
  const starts = waiting.flatMap((one: Json) => readRequest(one) ?? []);
  return { ...NOTHING, ...startAll(store, files, starts, starter, reader) };
}

/** Does a start wait for the session gate? */
export function hasDeferred(store: ModeRuns, session: string): boolean {
  return Array.isArray(store.other(deferredKey(session)));
}

function cancel(
  store: ModeRuns,
  files: CancelEffects,
  session: string,
  modes: readonly ModeName[],
  now: number,
): Partial<PromptReport> {
  const wasWaiting = hasDeferred(store, session);
  store.setOther(deferredKey(session), undefined);
  const wanted = modes.length === 0 ? [undefined] : modes;
  const found = wanted.map((mode) => ({ mode, runs: runsToCancel(store, session, mode) }));
  const runs = new Map(found.flatMap((one) => one.runs.map((run) => [run.mode, run] as const)));
  const cancelled = cancelRuns(store, files, [...runs.values()], now);
  const missing = found.flatMap(({ mode, runs }) => (runs.length > 0 ? [] : [mode ?? ("all" as const)]));
  return { cancelled, nothingToCancel: wasWaiting ? [] : missing };
}

function resumed(
  store: ModeRuns,
  files: ModeFiles,
  { intents, starter, isAlive }: PromptInput,
  reader: ModeReader,
): Partial<PromptReport> {
  const mode = intents.resume?.mode;
  const plan = planResume(store, starter.session, mode, undefined, starter, reader.now, isAlive);
  if (plan.kind === "none") return { nothingToResume: true };
  if (plan.kind === "blocked") return { blocked: [{ mode: mode ?? plan.blocker.mode, blocker: plan.blocker }] };
  resume(store, files, plan, reader.now);
  return { resumed: [plan.run] };
}

function begin(store: ModeRuns, files: ModeFiles, input: PromptInput, reader: ModeReader): Partial<PromptReport> {
  const { starter, intents } = input;
  const before = store.other(requestKey(starter.session));
  const known = intents.starts.map((one) =>
    one.request === "" && typeof before === "string" ? { ...one, request: before } : one,
  );
  const starts = known.filter(({ request }) => request !== "");
  // It is the request before for a later prompt that only names a mode, also if this start is refused or cancelled.
  const [{ request } = { request: "" }] = starts;
  if (request !== "" && request !== before) store.setOther(requestKey(starter.session), request);
  const withoutRequest = known.filter(({ request }) => request === "").map(({ mode }) => mode);
  if (!input.isGateClosed) return { withoutRequest, ...startAll(store, files, starts, starter, reader) };
  if (starts.length > 0) store.setOther(deferredKey(starter.session), starts as unknown as Json);
  return { withoutRequest, deferred: starts.map(({ mode }) => mode) };
}

function startAll(
  store: ModeRuns,
  files: ModeFiles,
  starts: readonly ModeRequest[],
  starter: Starter,
  reader: ModeReader,
): Pick<PromptReport, "started" | "blocked" | "refused"> {
  const started: { run: ModeRun; words: string }[] = [];
  const blocked: { mode: ModeName; blocker: ModeRun }[] = [];
  const refused: { mode: ModeName; why: string }[] = [];
  for (const { words, ...request } of starts) {
    try {
      const plan = planStart(store, request, starter, reader);
      if (plan.kind === "blocked") blocked.push({ mode: request.mode, blocker: plan.blocker });
      else {
        start(store, files, plan, reader.now);
        started.push(...plan.runs.slice(0, 1).map((run) => ({ run, words })));
      }
    } catch (error) {
      if (!(error instanceof HookwrightError)) throw error;
      refused.push({ mode: request.mode, why: `${error.message} ${error.fix}` });
    }
  }
  return { started, blocked, refused };
}

function readRequest(value: Json): ModeRequest | undefined {
  if (!isObject(value) || typeof value.mode !== "string" || !isMode(value.mode)) return undefined;
  return value as unknown as ModeRequest;
}
