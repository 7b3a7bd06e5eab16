import type { Worker } from "node:worker_threads";
import { describe } from "../../core/errors.ts";
import type { Candidate, TrustedFolder } from "./policy-folder.ts";
import type { FromWorker, LoadReport, PolicyAnswer, Question, WorkerInput } from "./protocol.ts";

const MB = 1024 * 1024;
/** How much memory a worker may hold between events; above it the worker is replaced. */
const MOST_KEPT = 64 * MB;
/**
 * What it may take while it works. V8 has a limit of its own, but where a single allocation does not fit into it, V8 ends
 * the whole process and every decision in it. So that limit lies far off, and we watch the process from outside.
 */
const MOST_TAKEN = 200 * MB;
const V8_LIMIT_MB = 1024;
/** The time that a policy usually has. An event that waited for others of its session may leave less. */
const FAIR_MS = 400;
const WATCH_MS = 10;

/** Why a worker was ended, and by which policy; none if it could not start. */
export interface Failure {
  readonly kind: "failed";
  /** What the policy did, to follow its name. */
  readonly what: string;
  readonly blamed: readonly string[];
  /** False when there was so little time that being late proves nothing. */
  readonly isFair: boolean;
  /** The message of Node, if there was one. */
  readonly detail: string;
}

interface Waiting {
  readonly id: string;
  readonly batch: number;
  settle(answer: PolicyAnswer): void;
}

/**
 * One worker thread from its start to its end. Whoever is late ends it for everybody: a thread that loops can only be
 * stopped as a whole.
 */
export class PolicyThread {
  readonly loaded: Promise<LoadReport | Failure>;
  readonly #worker: Worker;
  readonly #candidates: readonly Candidate[];
  readonly #running = new Int32Array(new SharedArrayBuffer(4));
  readonly #waiting = new Set<Waiting>();
  readonly #onFailure: (failure: Failure) => void;
  #tellLoaded: (outcome: LoadReport | Failure) => void = () => undefined;
  #batches = 0;
  #isOver = false;
  #lastError = "";
  #watch: NodeJS.Timeout | undefined;
  #kept = 0;

  constructor(
    workerFile: string,
    { folder, files }: TrustedFolder,
    candidates: readonly Candidate[],
    loadMs: number,
    onFailure: (failure: Failure) => void,
  ) {
    this.#candidates = candidates;
    this.#onFailure = onFailure;
    this.loaded = new Promise((resolve) => {
      this.#tellLoaded = resolve;
    });
    const workerData: WorkerInput = {
      folder,
      files: new Map(files.map(({ name, bytes }) => [name, bytes.toString("utf8")])),
      candidates,
      running: this.#running.buffer,
    };
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    this.#worker = new Worker(workerFile, {
      workerData,
      env: {},
      // Modules whose text and imports we give ourselves: Node still calls that experimental, and says so on stderr.
      execArgv: ["--experimental-vm-modules", "--no-warnings"],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: V8_LIMIT_MB },
    });
    // The worker must not keep a process alive that is done.
    this.#worker.unref();
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on("message", (message: FromWorker) => this.#hear(message));
    this.#worker.on("error", (error) => {
      this.#lastError = describe(error).split("\n", 1)[0] ?? "";
    });
    this.#worker.on("exit", () => this.#fail(this.#ended(), this.#unanswered()));
    this.#watchLoading(loadMs);
  }

  /** Half of the time is for one that does not come to its end; the other half the rest need, without it. */
  #watchLoading(ms: number): void {
    let stop = afterMs(ms / 2, () => {
      const what = `was not loaded within ${Math.round(ms / 2)} ms`;
      if (this.#runningId() !== undefined) this.#fail(what, []);
      else stop = afterMs(ms / 2, () => this.#fail(what, []));
    });
    this.#watchMemory();
    void this.loaded.then(() => {
      stop();
      this.#restIfIdle();
    });
  }

  #watchMemory(): void {
    if (this.#watch) return;
    const before = process.memoryUsage.rss();
    this.#watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > MOST_TAKEN) this.#fail("took too much memory", this.#unanswered());
    }, WATCH_MS);
  }

  #restIfIdle(): void {
    if (this.isBusy) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** An answer for each, whatever happens; together they have `ms`. */
  ask(question: Omit<Question, "batch">, ms: number): ReadonlyMap<string, Promise<PolicyAnswer>> {
    const batch = ++this.#batches;
    const answers = new Map<string, Promise<PolicyAnswer>>();
    for (const id of question.ids) {
      const answer = new Promise<PolicyAnswer>((resolve) => {
        if (this.#isOver) return resolve({ error: "its worker has ended" });
        const waiting: Waiting = {
          id,
          batch,
          settle: (told) => {
            this.#waiting.delete(waiting);
            resolve(told);
          },
        };
        this.#waiting.add(waiting);
      });
      answers.set(id, answer);
    }
    try {
      this.#worker.postMessage({ ...question, batch } satisfies Question);
    } catch (error) {
      // Such as an event that is nested too deeply to be copied.
      const told = { error: `could not be asked (${describe(error)})` };
      for (const one of this.#of(batch)) one.settle(told);
    }
    const stop = afterMs(ms, () => {
      const late = this.#of(batch).map(({ id }) => id);
      if (late.length > 0) this.#fail(`gave no answer within ${Math.round(ms)} ms`, late, ms >= FAIR_MS);
    });
    this.#watchMemory();
    void Promise.all(answers.values()).then(() => {
      stop();
      this.#restIfIdle();
    });
    return answers;
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** The worker holds too much memory and is replaced. */
  get isBloated(): boolean {
    return this.#kept > MOST_KEPT;
  }

  /** Ends the worker when no request is open. */
  end(): void {
    this.#isOver = true;
    this.#tellLoaded({ kind: "failed", what: "was ended", blamed: [], isFair: true, detail: "" });
    for (const one of this.#waiting) one.settle({ error: "its worker was ended" });
    void this.#worker.terminate();
  }

  #hear(message: FromWorker): void {
    if (message.kind === "loaded") {
      this.#tellLoaded(message);
      return;
    }
    if (message.kind === "memory") {
      this.#kept = message.bytes;
      return;
    }
    for (const one of this.#of(message.batch)) if (one.id === message.id) one.settle(message.answer);
  }

  #of(batch: number): Waiting[] {
    return [...this.#waiting].filter((one) => one.batch === batch);
  }

  #unanswered(): string[] {
    return [...new Set([...this.#waiting].map(({ id }) => id))];
  }

  #runningId(): string | undefined {
    return this.#candidates[Atomics.load(this.#running, 0) - 1]?.id;
  }

  #ended(): string {
    return this.#lastError === "" ? "ended its worker" : `ended its worker (${this.#lastError})`;
  }

  /** The policy that was running is to blame; if none was, the policies that still owe an answer. */
  #fail(what: string, owing: readonly string[], isFair = true): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const running = this.#runningId();
    const blamed = running === undefined ? owing : [running];
    for (const one of this.#waiting) {
      const isBlamed = blamed.includes(one.id);
      one.settle({ error: isBlamed ? what : `was not asked, because ${blamed.join(" and ")} ${what}` });
    }
    const failure: Failure = { kind: "failed", what, blamed, isFair, detail: this.#lastError };
    this.#tellLoaded(failure);
    this.#onFailure(failure);
    void this.#worker.terminate();
  }
}

/**
 * Calls when the time is over. A process that was itself held up finds its timers due before it has read what came in
 * meanwhile, so the messages get their turn first.
 */
function afterMs(ms: number, call: () => void): () => void {
  let soon: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    soon = setImmediate(() => {
      soon = setImmediate(call);
    });
  }, ms);
  return () => {
    clearTimeout(timer);
    if (soon) clearImmediate(soon);
  };
}
