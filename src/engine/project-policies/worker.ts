/** The entry of a worker thread: it loads a project's policies and answers for them. A bundle of its own. */
import v8 from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { describe } from "../../core/errors.ts";
import { verdictBuilders } from "../../core/verdict-builders.ts";
import { type Definition, readDefinition } from "./definition.ts";
import { loadDefault } from "./modules.ts";
import type { AnswerMessage, FromWorker, LoadReport, PolicyAnswer, Question, WorkerInput } from "./protocol.ts";

const LONGEST_ERROR = 500;

const port = parentPort;
if (!port) throw new Error("this file is started as a worker");
const send = (message: FromWorker): void => port.postMessage(message);
const input = workerData as WorkerInput;
const running = new Int32Array(input.running);
const loaded = new Map<string, Definition>();

void load().then((report) => {
  port.on("message", answer);
  send(report);
});

/** Loads one policy after the other, so that the number in `running` names the one whose top level hangs. */
async function load(): Promise<LoadReport> {
  const failed: LoadReport["failed"][number][] = [];
  for (const [index, { id, file }] of input.candidates.entries()) {
    Atomics.store(running, 0, index + 1);
    try {
      loaded.set(id, readDefinition(id, await loadDefault(input, file)));
    } catch (error) {
      failed.push({ id, why: errorText(error) });
    }
    Atomics.store(running, 0, 0);
  }
  return { kind: "loaded", policies: [...loaded.values()].map(({ policy }) => policy), failed };
}

function answer(question: Question): void {
  const event = frozen(question.event);
  const shared = {
    options: Object.freeze({}),
    actor: frozen(question.actor),
    places: frozen(question.places),
    now: () => question.now,
    env: () => undefined,
  };
  for (const id of question.ids) {
    const reply = (told: PolicyAnswer): void => sendAnswer({ kind: "answer", batch: question.batch, id, answer: told });
    const definition = loaded.get(id);
    const handler = definition?.handlers.get(event.name);
    if (!definition || !handler) {
      reply({ error: "it was not loaded" });
      continue;
    }
    const { approve: _theirs, wait: _ours, ...builders } = verdictBuilders(definition.policy.messages);
    Atomics.store(running, 0, input.candidates.findIndex((one) => one.id === id) + 1);
    try {
      const said = Reflect.apply(handler, undefined, [event, Object.freeze({ ...shared, ...builders })]);
      if (isThenable(said)) {
        Promise.resolve(said).then(
          (value: unknown) => reply({ said: value }),
          (error: unknown) => reply({ error: errorText(error) }),
        );
      } else reply({ said });
    } catch (error) {
      reply({ error: errorText(error) });
    }
    Atomics.store(running, 0, 0);
  }
  send({ kind: "memory", bytes: v8.getHeapStatistics().used_heap_size });
}

/** A policy may return anything, also a value that cannot be sent to another thread. */
function sendAnswer(message: AnswerMessage): void {
  try {
    send(message);
  } catch (error) {
    send({ ...message, answer: { error: `answered something that cannot be sent (${errorText(error)})` } });
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** With a list of its own instead of recursion: an event may be nested deeply. */
function frozen<T>(value: T): T {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null || Object.isFrozen(one)) continue;
    Object.freeze(one);
    for (const inner of Object.values(one)) open.push(inner);
  }
  return value;
}

/** A thrown value may throw again when it is converted to text. */
function errorText(error: unknown): string {
  try {
    return String(describe(error)).slice(0, LONGEST_ERROR);
  } catch {
    return "it threw something that has no text";
  }
}
