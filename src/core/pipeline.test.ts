import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shell, stop } from "../testing/events.ts";
import { type ActivePolicy, applies, type PolicyResult, runPolicies } from "./pipeline.ts";
import type { Policy, PolicyContext } from "./policy.ts";
import { merge } from "./ruling.ts";
import type { StageName } from "./stages.ts";

const ctx = {} as PolicyContext;
const denial = { kind: "deny", message: "m", data: {}, text: "no", retry: "never" };

function active(id: string, handler: () => unknown, stage: StageName = "destructive"): ActivePolicy {
  const policy = { id, stage, messages: {}, on: { "tool.before": handler } } as unknown as Policy;
  return { policy, mode: "enforce", options: {} };
}

function run(policies: readonly ActivePolicy[], budget = 50, event = shell("ls")): Promise<PolicyResult[]> {
  return runPolicies({ event, policies, budget, context: () => ctx, store: () => undefined });
}

const noHolds = (): { held: []; notice: string } => ({ held: [], notice: "" });

const BAD: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error("boom");
  },
  "throws something that is no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "never settles": () => new Promise(() => undefined),
  // biome-ignore lint/suspicious/noThenProperty: a policy may return anything
  "a thenable that never calls back": () => ({ then: () => undefined }),
  "returns a number": () => 7,
  "returns null": () => null,
  "returns half a verdict": () => ({ kind: "deny" }),
  "returns an unknown verdict": () => ({ kind: "explode", message: "m", data: {}, text: "x" }),
  "returns a hold where none is legal": () => ({ kind: "hold", message: "m", data: {}, text: "x" }),
  "resolves to garbage": () => Promise.resolve([denial, "garbage"]),
};

describe("pipeline", () => {
  it.each(Object.entries(BAD))("attributes the failure of a policy that %s", async (_name, handler) => {
    const [result] = await run([active("p/bad", handler)]);
    expect(result).toMatchObject({ id: "p/bad", verdicts: [] });
    expect(result?.error).toBeTruthy();
  });

  it.each([
    ["a number", 7],
    ["null", null],
    ["a text", "no"],
    ["an object", {}],
    ["half a verdict", { kind: "deny" }],
    // biome-ignore lint/suspicious/noThenProperty: a policy may return anything
    ["what only looks like a promise", { then: "later" }],
  ])("says that %s is no verdict", async (_name, value) => {
    const [result] = await run([active("p/bad", () => value)]);
    expect(result?.error).toBe("answered something that is not a verdict");
  });

  it("waits for anything that can be waited for", async () => {
    const callable = Object.assign(() => undefined, {
      // biome-ignore lint/suspicious/noThenProperty: a policy may return anything
      then: (done: (value: unknown) => void) => done(denial),
    });
    // biome-ignore lint/suspicious/noThenProperty: a policy may return anything
    for (const answer of [Promise.resolve(denial), { then: callable.then }, callable]) {
      const [result] = await run([active("p/late", () => answer)]);
      expect(result).toMatchObject({ verdicts: [denial] });
      expect(result?.error).toBeUndefined();
    }
  });

  it("never lets a bad policy change what another one says", async () => {
    const good = fc.constantFrom<() => unknown>(
      () => undefined,
      () => denial,
      async () => denial,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(good, { maxLength: 4 }),
        fc.constantFrom(...Object.values(BAD)),
        async (handlers, bad) => {
          const others = handlers.map((handler, index) => active(`p/good-${index}`, handler));
          const alone = await run(others, 5);
          const together = await run([active("p/bad", bad, "advice"), ...others], 5);
          const said = (list: PolicyResult[]) =>
            list.filter(({ id }) => id !== "p/bad").map(({ id, verdicts }) => ({ id, verdicts }));
          expect(said(together)).toEqual(said(alone));
          expect(merge(shell("ls"), together, noHolds).outcome).toBe(merge(shell("ls"), alone, noHolds).outcome);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("names the policy that was late, ends with the budget, and tells it to stop", async () => {
    let isAborted = false;
    const slow = active("p/slow", () => new Promise(() => undefined));
    const results = await runPolicies({
      event: shell("ls"),
      policies: [slow, active("p/quick", () => denial)],
      budget: 10,

      context: (_active, signal) => {
        signal().addEventListener("abort", () => {
          isAborted = true;
        });
        return ctx;
      },
      store: () => undefined,
    });
    expect(results.find(({ id }) => id === "p/slow")?.error).toContain("within 10 ms");
    expect(results.find(({ id }) => id === "p/quick")?.verdicts).toHaveLength(1);
    expect(isAborted).toBe(true);
  });

  it("refuses a verdict that the stage does not allow", async () => {
    const [result] = await run([active("p/adviser", () => denial, "advice")]);
    expect(result?.error).toContain("not allowed in the advice stage");
  });

  it("answers in stage order, then by name", async () => {
    const policies = [
      active("p/z", () => undefined, "recorder"),
      active("p/b", () => undefined),
      active("p/a", () => undefined),
    ];
    expect((await run(policies)).map(({ id }) => id)).toEqual(["p/a", "p/b", "p/z"]);
  });

  it("filters by event and kind of tool before anything is loaded", () => {
    expect(applies({ events: ["tool.before"], kinds: ["shell"] }, shell("ls"))).toBe(true);
    expect(applies({ events: ["tool.before"] }, shell("ls"))).toBe(true);
    expect(applies({ events: ["tool.before"], kinds: ["edit"] }, shell("ls"))).toBe(false);
    expect(applies({ events: ["tool.after"] }, shell("ls"))).toBe(false);
    expect(applies({ events: ["turn.stop"], kinds: ["edit"] }, stop())).toBe(false);
  });
});

describe("a condition", () => {
  const holdsAsked = (holds: boolean) => {
    let asked = 0;
    const when = (): boolean => {
      asked += 1;
      return holds;
    };
    return { when, asked: () => asked };
  };
  const under = (when: () => boolean, ...policies: ActivePolicy[]): ActivePolicy[] =>
    policies.map((one) => ({ ...one, policy: { ...one.policy, when } }));

  it.each([
    [true, ["deny", "deny"]],
    [false, [undefined, undefined]],
  ])("that is %s is asked once for all policies that share it", async (holds, kinds) => {
    const { when, asked } = holdsAsked(holds);
    const results = await run(
      under(
        when,
        active("p/one", () => denial),
        active("p/two", () => denial),
      ),
    );
    expect(results.map(({ verdicts }) => verdicts[0]?.kind)).toEqual(kinds);
    expect(asked()).toBe(1);
  });

  it("counts for its own policies only", async () => {
    const [asleep, awake] = await run([
      ...under(
        () => false,
        active("p/asleep", () => denial),
      ),
      active("p/awake", () => denial),
    ]);
    expect([asleep?.verdicts.length, awake?.verdicts.length]).toEqual([0, 1]);
  });

  it("that fails is the policy's failure", async () => {
    const results = await run(
      under(
        () => {
          throw new Error("boom");
        },
        active("p/one", () => denial),
      ),
    );
    expect(results).toMatchObject([{ id: "p/one", verdicts: [], error: "boom" }]);
  });
});
