/**
 * Random starts, cancellations, prompts, tool calls and stops of three sessions in one project, through the real engine and
 * `hookwright mode`. Whatever the order: modes that exclude each other never run in one session, a session without a mode
 * is never held and hears nothing of the others, no turn goes on more than three times without a call that ran, and after a
 * cancellation nothing is held until somebody starts or resumes a mode.
 */
import fs from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sized } from "../../../test/support/long.ts";
import { IDLE_LIMIT } from "../../core/arbiter.ts";
import { isHolding, type ModeRun } from "../../domain/mode/mode-run.ts";
import { excludesEachOther, MODES, type ModeName } from "../../domain/mode/modes.ts";
import { isInTheWay } from "../../domain/mode/start.ts";
import { type ModeAnswer, ModeWorld } from "./modes.samples.ts";

const NAMES = ["ada", "bob", "cyd"] as const;
const MINUTE = 60_000;

let world: ModeWorld;
let projects = 0;
beforeAll(() => {
  world = new ModeWorld();
});
afterAll(() => world.close());

const session = fc.constantFrom(...NAMES);
const mode = fc.constantFrom(...MODES);
const action = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant("start" as const),
      session,
      mode,
      how: fc.constantFrom("word", "skill", "command"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("resume" as const), session, mode }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      session,
      how: fc.constantFrom("word", "skill", "command", "everywhere", "files"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("cancelOne" as const),
      session,
      mode,
      how: fc.constantFrom("word", "skill", "command", "file"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("prompt" as const), session, isPerson: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("call" as const), session, isDenied: fc.boolean() }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("stop" as const),
      session,
      times: fc.constantFrom(1, 1, 2, 5),
      says: fc.constantFrom(
        ...["Done.", "Done.", "Done.", "NEEDS_INPUT: which one?", "STAGE_COMPLETE", "STAGE_FAILED", "RALPH_COMPLETE"],
        ...["ULTRAWORK_COMPLETE", "ECOMODE_COMPLETE", "EXPANSION_COMPLETE", "EXECUTION_COMPLETE", "QA_COMPLETE"],
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("restart" as const),
      session,
      source: fc.constantFrom("resume", "compact"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end" as const), session }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(1, 30, 125) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** What must hold for one session, whatever the engine says. */
interface Expected {
  /** Stops in a row that were held, without a call that ran or a prompt of the person. */
  continuations: number;
  /** The session was cancelled, and nobody has started or resumed a mode in it since. */
  isFree: boolean;
  /** Modes that were cancelled one by one, and not started since. */
  cancelled: Set<ModeName>;
}

/** One random history. */
class Story {
  readonly #expected = new Map(NAMES.map((name): [string, Expected] => [name, fresh()]));
  readonly #prefix: string;
  #requests = 0;
  /** How often each invariant could have been broken. */
  readonly seen: Record<string, number>;

  constructor(number: number, seen: Record<string, number>) {
    this.#prefix = `s${number}-`;
    this.seen = seen;
  }

  async act(one: Action): Promise<void> {
    if (one.do === "wait") {
      world.now += one.minutes * MINUTE;
      return;
    }
    const name = one.session;
    if (one.do === "stop") for (let time = 0; time < one.times; time++) await this.#stop(name, one.says);
    else if (one.do === "call") await this.#call(name, one.isDenied);
    else if (one.do === "prompt") await this.#prompt(name, one.isPerson);
    else if (one.do === "start") await this.#start(name, one.mode, one.how);
    else if (one.do === "resume") await this.#resume(name, one.mode);
    else if (one.do === "cancel") await this.#cancel(name, one.how);
    else if (one.do === "cancelOne") await this.#cancelOne(name, one.mode, one.how);
    else if (one.do === "restart") await this.#send(name, { hook_event_name: "SessionStart", source: one.source });
    else await this.#send(name, { hook_event_name: "SessionEnd", reason: "other" });
    for (const each of NAMES) this.#check(each);
  }

  async #stop(name: string, says: string): Promise<void> {
    const expected = this.#of(name);
    const before = this.#runs(name);
    const answer = await world.stop(this.#id(name), says);
    if (!before.some((run) => isHolding(run, world.now))) {
      this.#note("stops without a mode that holds");
      expect(answer.isHeld, `${name} is held without a mode: ${answer.model}`).toBe(false);
    }
    if (expected.isFree) {
      this.#note("stops after a cancellation");
      expect(answer.isHeld, `${name} is held after its cancellation: ${answer.model}`).toBe(false);
    }
    for (const cancelled of expected.cancelled) expect(answer.model).not.toContain(`${cancelled}, round`);
    if (!answer.isHeld) return;
    expected.continuations++;
    this.#note("stops that are held");
    if (expected.continuations === IDLE_LIMIT) this.#note("turns that went on as often as they may");
    expect(expected.continuations, `${name} goes on without a call that ran`).toBeLessThanOrEqual(IDLE_LIMIT);
  }

  async #call(name: string, isDenied: boolean): Promise<void> {
    const ran = await world.call(this.#id(name), isDenied ? "rm -rf /" : "ls");
    expect(ran).toBe(!isDenied);
    if (ran) this.#of(name).continuations = 0;
  }

  async #prompt(name: string, isPerson: boolean): Promise<void> {
    const text = isPerson ? "and now the tests" : "<task-notification>a subagent has ended</task-notification>";
    this.#hearsNothingOfOthers(name, await world.prompt(this.#id(name), text));
    if (isPerson) this.#of(name).continuations = 0;
  }

  async #start(name: string, mode: ModeName, how: string): Promise<void> {
    const expected = this.#of(name);
    const isFree = this.#runs(name).length === 0;
    const request = `request-of-${name}-${++this.#requests}`;
    const work = mode === "pipeline" ? `explore -> architect: ${request}` : request;
    if (how === "command") await world.mode(`start ${mode} ${work}`, { session: this.#id(name), ...goalOf(mode) });
    else {
      const text = how === "skill" ? `/${mode} ${work}` : `${mode}: ${work}`;
      const answer = await world.prompt(this.#id(name), text);
      if (isFree && mode !== "ralph" && mode !== "autopilot") this.#hearsNothingOfOthers(name, answer);
      expected.continuations = 0;
    }
    this.#mayHold(expected);
  }

  async #resume(name: string, mode: ModeName): Promise<void> {
    await world.mode(`resume ${mode}`, { session: this.#id(name) });
    for (const each of NAMES) if (this.#runs(each).length > 0) this.#mayHold(this.#of(each));
  }

  async #cancel(name: string, how: string): Promise<void> {
    if (this.#runs(name).length > 0) this.#note("cancellations");
    if (how === "everywhere") await world.mode("cancel", { all: true });
    else if (how === "command") await world.mode("cancel", { session: this.#id(name) });
    else if (how === "files") for (const { mode } of this.#runs(name)) this.#removeFile(name, mode);
    else {
      this.#hearsNothingOfOthers(name, await world.prompt(this.#id(name), how === "skill" ? "/cancel" : "cancelomc"));
      this.#of(name).continuations = 0;
    }
    for (const each of how === "everywhere" ? NAMES : [name]) this.#of(each).isFree = true;
    // A removed file counts from the next event of its session on.
    if (how === "files") await this.#send(name, { hook_event_name: "Notification", message: "x" });
  }

  async #cancelOne(name: string, mode: ModeName, how: string): Promise<void> {
    if (how === "command") await world.mode(`cancel ${mode}`, { session: this.#id(name) });
    else if (how === "file") this.#removeFile(name, mode);
    else {
      await world.prompt(this.#id(name), how === "skill" ? `/cancel ${mode}` : `cancel ${mode}`);
      this.#of(name).continuations = 0;
    }
    this.#of(name).cancelled.add(mode);
  }

  /** Looks at what is stored, after every action. */
  #check(name: string): void {
    const inTheWay = this.#runs(name).filter((run) => isInTheWay(run, world.now));
    if (inTheWay.length > 1) this.#note("sessions with several modes");
    for (const one of inTheWay) {
      const clashing = inTheWay.filter((other) => excludesEachOther(one.mode, other.mode));
      expect(
        clashing.map((other) => other.mode),
        `beside ${one.mode} in ${name}`,
      ).toEqual([]);
    }
  }

  #hearsNothingOfOthers(name: string, { model, person }: ModeAnswer): void {
    const others = [...`${model}\n${person}`.matchAll(/request-of-([a-z]+)/g)].filter(([, whose]) => whose !== name);
    this.#note("prompts");
    expect(
      others.map(([text]) => text),
      `${name} hears of others`,
    ).toEqual([]);
  }

  /** Somebody has started or resumed a mode; that it is really on does not matter. */
  #mayHold(expected: Expected): void {
    expected.isFree = false;
    expected.cancelled.clear();
  }

  #removeFile(name: string, mode: ModeName): void {
    fs.rmSync(world.stateFile(this.#id(name), mode), { force: true });
  }

  #send(name: string, body: Record<string, string>): Promise<ModeAnswer> {
    return world.send(this.#id(name), body);
  }

  #runs(name: string): readonly ModeRun[] {
    return world.runs(this.#id(name));
  }

  #id(name: string): string {
    return this.#prefix + name;
  }

  #of(name: string): Expected {
    return this.#expected.get(name) ?? fresh();
  }

  #note(what: string): void {
    this.seen[what] = (this.seen[what] ?? 0) + 1;
  }
}

function fresh(): Expected {
  return { continuations: 0, isFree: true, cancelled: new Set() };
}

function goalOf(mode: ModeName): Record<string, string> {
  return mode === "ultraqa" ? { goal: "custom", command: "make check" } : {};
}

it("modes exclude each other, stay in their session, end when they are told to, and do not go on idly", async () => {
  const seen: Record<string, number> = {};
  const histories = fc.array(action, { minLength: 30, maxLength: 60, size: "max" });
  const property = fc.asyncProperty(histories, async (actions) => {
    world.enter(`app-${++projects}`);
    const story = new Story(projects, seen);
    for (const name of NAMES) await story.act({ do: "restart", session: name, source: "resume" });
    for (const one of actions) await story.act(one);
  });
  await fc.assert(property, { numRuns: sized(10, 400), seed: 26, endOnFailure: true });
  const text = Object.entries(seen).map(([what, count]) => `${count} ${what}`);
  console.log(text.sort().join(", "));
  // Otherwise the histories would prove nothing.
  for (const what of [
    "stops that are held",
    "stops after a cancellation",
    "cancellations",
    "sessions with several modes",
    "turns that went on as often as they may",
  ]) {
    expect(seen[what], what).toBeGreaterThan(5);
  }
}, 1_200_000);
