import { describe } from "../../core/errors.ts";
import type { TrustedFolder } from "./policy-folder.ts";
import { type Candidate, candidatesIn, type NotRun } from "./policy-folder.ts";
import type { LoadedPolicy, PolicyAnswer, Question } from "./protocol.ts";
import { type Failure, PolicyThread } from "./thread.ts";

/** A worker without a request for this long ends. */
const IDLE_MS = 60_000;
const STRIKES = 3;
const STRIKES_WITHIN_MS = 10 * 60_000;

/** How long things may take, in milliseconds from the moment they begin. */
export interface Limits {
  readonly loadMs: number;
  readonly runMs: number;
}

export interface Known {
  readonly policies: readonly LoadedPolicy[];
  readonly notRun: readonly NotRun[];
}

/** One project's policies in one state of their files, and the worker that runs them while there is work. */
export class PolicyHost {
  readonly sha256: string;
  readonly #workerFile: string;
  readonly #trusted: TrustedFolder;
  readonly #idleMs: number;
  readonly #candidates: readonly Candidate[];
  readonly #misnamed: readonly NotRun[];
  readonly #policies = new Map<string, LoadedPolicy>();
  /** Why a policy does not run, by its id. Only another state of the files changes that. */
  readonly #barred = new Map<string, string>();
  readonly #strikes = new Map<string, number[]>();
  #thread: PolicyThread | undefined;
  #starting: Promise<PolicyThread | Failure> | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(workerFile: string, trusted: TrustedFolder, idleMs: number = IDLE_MS) {
    this.#workerFile = workerFile;
    this.#trusted = trusted;
    this.#idleMs = idleMs;
    this.sha256 = trusted.sha256;
    const names = trusted.files.map(({ name }) => name);
    const { candidates, misnamed } = candidatesIn(trusted.folder, names);
    this.#candidates = candidates;
    this.#misnamed = misnamed;
  }

  /** Which policies there are. The first time a worker has to be started to know. */
  async known(limits: Limits): Promise<Known> {
    let failure: Failure | undefined;
    if (this.#missing().length > 0) {
      // The running worker started without them; this one tries again with all policies.
      if (!this.#thread?.isBusy && !this.#starting) this.close();
      const outcome = await this.#ready(limits);
      failure = "what" in outcome ? outcome : undefined;
    }
    const barred = [...this.#barred].map(([id, problem]) => ({ id, problem }));
    const notRun = [...this.#misnamed, ...barred];
    const missing = this.#missing();
    if (missing.length > 0) {
      const why = failure && failure.blamed.length === 0 ? notStarted(failure) : "it could not be loaded in time";
      const problem = (one: Candidate): string =>
        `${this.#name(one)} was not asked: ${why}. The next event tries again.`;
      notRun.push(...missing.map((one) => ({ id: one.id, problem: problem(one) })));
    }
    return { policies: [...this.#policies.values()].filter(({ id }) => !this.#barred.has(id)), notRun };
  }

  /** Asks all at once and returns how to wait for one of them. */
  ask(question: Omit<Question, "batch">, limits: Limits): (id: string) => Promise<PolicyAnswer> {
    // A policy that was ended lately is asked last, after the others have answered.
    const ids = [...question.ids].sort((a, b) => this.#recentStrikes(a) - this.#recentStrikes(b));
    const asked = this.#ready(limits).then((thread) =>
      "what" in thread ? thread : thread.ask({ ...question, ids }, limits.runMs),
    );
    return async (id) => {
      const answers = await asked;
      if ("what" in answers) return { error: `was not asked: ${notStarted(answers)}` };
      return (await answers.get(id)) ?? { error: "was not asked" };
    };
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#thread?.end();
    this.#thread = undefined;
  }

  #missing(): Candidate[] {
    return this.#candidates.filter(({ id }) => !this.#policies.has(id) && !this.#barred.has(id));
  }

  #ready({ loadMs }: Limits): Promise<PolicyThread | Failure> {
    if (this.#thread?.isBloated && !this.#thread.isBusy) this.close();
    this.#stayAwake();
    this.#starting ??= this.#start(performance.now() + loadMs).finally(() => {
      this.#starting = undefined;
    });
    return inTime(this.#starting, loadMs);
  }

  /** Loads until every policy that can be loaded is: a policy that hangs while loading is left out at the next start. */
  async #start(until: number): Promise<PolicyThread | Failure> {
    const leftOut = new Set<string>();
    while (true) {
      let thread = this.#thread;
      try {
        thread ??= this.#newThread(leftOut, until - performance.now());
      } catch (error) {
        return { kind: "failed", what: "was not started", blamed: [], isFair: true, detail: describe(error) };
      }
      this.#thread = thread;
      const outcome = await thread.loaded;
      if (outcome.kind === "loaded") {
        for (const { id, why } of outcome.failed) this.#bar(id, why);
        for (const policy of outcome.policies) this.#policies.set(policy.id, policy);
        return thread;
      }
      for (const id of outcome.blamed) leftOut.add(id);
      if (outcome.blamed.length === 0 || performance.now() >= until) return outcome;
    }
  }

  #newThread(leftOut: ReadonlySet<string>, ms: number): PolicyThread {
    const candidates = this.#candidates.filter(({ id }) => !this.#barred.has(id) && !leftOut.has(id));
    const thread = new PolicyThread(this.#workerFile, this.#trusted, candidates, ms, (failure) => {
      if (this.#thread === thread) this.#thread = undefined;
      if (failure.isFair) for (const id of failure.blamed) this.#strike(id, failure.what);
    });
    return thread;
  }

  #strike(id: string, what: string): void {
    this.#strikes.set(id, [...(this.#strikes.get(id) ?? []), performance.now()]);
    if (this.#recentStrikes(id) < STRIKES) return;
    this.#bar(id, `${STRIKES} times within ten minutes it ${what.replace(/ within \d+ ms$| \(.*\)$/s, "")}`);
  }

  #recentStrikes(id: string): number {
    const since = performance.now() - STRIKES_WITHIN_MS;
    return (this.#strikes.get(id) ?? []).filter((at) => at >= since).length;
  }

  #bar(id: string, why: string): void {
    const candidate = this.#candidates.find((one) => one.id === id);
    if (candidate) this.#barred.set(id, `${this.#name(candidate)} does not run until the folder changes: ${why}.`);
  }

  #name({ id, file }: Candidate): string {
    return `${id} (${this.#trusted.folder}/${file})`;
  }

  #stayAwake(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#thread?.isBusy || this.#starting) this.#stayAwake();
      else this.close();
    }, this.#idleMs);
    this.#idle.unref();
  }
}

function notStarted({ detail }: Failure): string {
  return detail === "" ? "its worker did not start in time" : `its worker did not start (${detail})`;
}

/** Another event may have started the wait with a later deadline. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | Failure> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Failure>((resolve) => {
    // A little later than the worker's own limit, which knows whom to blame.
    timer = setTimeout(
      () => resolve({ kind: "failed", what: "is late", blamed: [], isFair: true, detail: "" }),
      ms + 50,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
