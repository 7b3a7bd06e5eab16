import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ArbiterState,
  arbitrateStop,
  FRESH_ARBITER,
  type Held,
  IDLE_LIMIT,
  promptedArbiter,
  type StopAnswer,
} from "./arbiter.ts";

const holdOf = (policy: string, more: Partial<Held["verdict"]> = {}): Held => ({
  policy,
  order: 3,
  verdict: {
    kind: "hold",
    message: "m",
    data: {},
    text: `${policy} is not finished.`,
    exit: "Finish it.",
    strength: "hard",
    rank: 100,
    progress: "",
    limit: 50,
    ...more,
  },
});

/** One stop of a session: what it wants to hold for, and whether a tool ran since the last one. */
interface Stop {
  readonly holds: readonly Held[];
  readonly ranTool: boolean;
  readonly bypass: string;
}

function play(stops: readonly Stop[], from: ArbiterState = FRESH_ARBITER): StopAnswer[] {
  let state = from;
  let toolCalls = 0;
  return stops.map(({ holds, ranTool, bypass }) => {
    if (ranTool) toolCalls++;
    const answer = arbitrateStop({ holds, released: new Set(), bypass, toolCalls, state });
    state = answer.next;
    return answer;
  });
}

const repeat = (count: number, one: (index: number) => Stop): Stop[] => Array.from({ length: count }, (_, i) => one(i));
const isHeld = (answer: StopAnswer): boolean => answer.held.length > 0;

describe("Stop arbiter", () => {
  it("allows at most three idle continuations in a row, whatever the mix of holds", () => {
    const stops = fc.array(
      fc.record({
        ranTool: fc.boolean(),
        bypass: fc.constantFrom("", "", "", "a wake-up is pending"),
        holds: fc.uniqueArray(
          fc
            .record({
              id: fc.constantFrom("p/a", "p/b", "p/c"),
              progress: fc.constantFrom("", "1", "2"),
              strength: fc.constantFrom("soft" as const, "hard" as const),
              limit: fc.integer({ min: 1, max: 60 }),
            })
            .map(({ id, ...more }) => holdOf(id, more)),
          { selector: (one) => one.policy, maxLength: 3 },
        ),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(stops, (list) => {
        let idle = 0;
        let wasHeld = false;
        for (const [index, answer] of play(list).entries()) {
          if (list[index]?.ranTool) idle = 0;
          else if (wasHeld) idle++;
          expect(idle).toBeLessThanOrEqual(IDLE_LIMIT);
          wasHeld = isHeld(answer);
        }
      }),
    );
  });

  it("passes the fourth stop after three idle continuations and tells the person what is left", () => {
    const answers = play(repeat(5, () => ({ holds: [holdOf("p/a")], ranTool: false, bypass: "" })));
    expect(answers.map(isHeld)).toEqual([true, true, true, false, false]);
    expect(answers[3]?.notice).toContain("p/a is not finished. Finish it. [p/a]");
    expect(answers[3]?.notice).toContain("3 times without running a tool");
  });

  it("lets productive continuations go on up to the hold's own limit", () => {
    const answers = play(repeat(12, () => ({ holds: [holdOf("p/a", { limit: 10 })], ranTool: true, bypass: "" })));
    expect(answers.map(isHeld)).toEqual([...Array(10).fill(true), false, false]);
    expect(answers[10]?.notice).toContain("limit of continuations");
  });

  it("lets forty productive continuations through by default", () => {
    expect(play(repeat(40, () => ({ holds: [holdOf("p/a")], ranTool: true, bypass: "" }))).every(isHeld)).toBe(true);
  });

  it("drops a hold whose progress stood still for two continuations, and only that one", () => {
    const stuck = holdOf("p/stuck", { progress: "same" });
    const moving = (index: number): Held => holdOf("p/moving", { progress: String(index) });
    const answers = play(repeat(4, (index) => ({ holds: [stuck, moving(index)], ranTool: true, bypass: "" })));
    const names = answers.map((answer) => answer.held.map((hold) => hold.policy));
    expect(names).toEqual([["p/moving", "p/stuck"], ["p/moving", "p/stuck"], ["p/moving"], ["p/moving"]]);
  });

  it("says that nothing changed when one hold stalled and another ran out", () => {
    const holds = [holdOf("p/stuck", { progress: "same" }), holdOf("p/spent", { limit: 2 })];
    const answers = play(repeat(3, () => ({ holds, ranTool: true, bypass: "" })));
    expect(answers[2]?.held).toEqual([]);
    expect(answers[2]?.notice).toContain("nothing changed");
  });

  it("never holds when a bypass applies, and keeps what it knew", () => {
    const [first, second] = play([
      { holds: [holdOf("p/a")], ranTool: false, bypass: "" },
      { holds: [holdOf("p/a")], ranTool: false, bypass: "a wake-up is pending" },
    ]);
    expect(isHeld(first as StopAnswer)).toBe(true);
    expect(second?.held).toEqual([]);
    expect(second?.notice).toContain("a wake-up is pending");
    expect(second?.next.holds).toEqual(first?.next.holds);
  });

  it("keeps what it knows of policies that this registration does not decide for, whatever the answer", () => {
    const entry = { progress: "7", stalled: 1, count: 4, said: "x" };
    const known: ArbiterState = { ...FRESH_ARBITER, holds: { "other/policy": entry } };
    const stops = fc.array(
      fc.record({
        ranTool: fc.boolean(),
        bypass: fc.constantFrom("", "", "a wake-up is pending"),
        holds: fc.uniqueArray(
          fc
            .record({ id: fc.constantFrom("p/a", "p/b"), limit: fc.integer({ min: 1, max: 4 }) })
            .map(({ id, limit }) => holdOf(id, { limit, progress: "same" })),
          { selector: (one) => one.policy, maxLength: 2 },
        ),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(stops, (list) => {
        for (const { next } of play(list, known)) expect(next.holds["other/policy"]).toEqual(entry);
      }),
    );
  });

  it("keeps how many calls had run at the last prompt", () => {
    const from = promptedArbiter(5);
    const stop = { holds: [holdOf("p/a")], ranTool: true, bypass: "" };
    const answers = play([stop, { ...stop, bypass: "a wake-up is pending" }, { ...stop, holds: [] }], from);
    expect(answers.map(({ next }) => next.promptCalls)).toEqual([5, 5, 5]);
  });

  it("marks a text that it gave the last time, and counts how often the hold applied", () => {
    const texts = ["one", "one", "two", "two", "one"];
    const answers = play(texts.map((text) => ({ holds: [holdOf("p/a", { text })], ranTool: true, bypass: "" })));
    expect(answers.map(({ held }) => held[0]?.repeated)).toEqual([undefined, 2, undefined, 4, undefined]);
  });

  it("never marks two answers in a row alike", () => {
    const stops = fc.array(
      fc.record({
        ranTool: fc.boolean(),
        bypass: fc.constant(""),
        holds: fc
          .constantFrom("one", "two")
          .map((text) => [holdOf("p/a", { text })])
          .chain((holds) => fc.constantFrom(holds, [])),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(stops, (list) => {
        const said = play(list).flatMap(({ held }) => held.map(({ verdict, repeated }) => [verdict.text, repeated]));
        for (const [index, one] of said.entries()) expect(one).not.toEqual(said[index - 1]);
      }),
    );
  });

  it("ranks by importance, then stage, then name", () => {
    const holds = [holdOf("p/c"), holdOf("p/b"), { ...holdOf("p/late"), order: 9 }, holdOf("p/urgent", { rank: 1 })];
    const [answer] = play([{ holds, ranTool: false, bypass: "" }]);
    expect(answer?.held.map((hold) => hold.policy)).toEqual(["p/urgent", "p/b", "p/c", "p/late"]);
  });

  it("ignores released holds", () => {
    const question = {
      holds: [holdOf("p/a")],
      released: new Set(["p/a"]),
      bypass: "",
      toolCalls: 0,
      state: FRESH_ARBITER,
    };
    expect(arbitrateStop(question)).toMatchObject({ held: [], notice: "" });
  });
});
