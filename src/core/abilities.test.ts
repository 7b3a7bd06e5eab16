import { describe, expect, test } from "vitest";
import { carriedOut } from "./abilities.ts";
import type { PolicyResult } from "./pipeline.ts";
import { PASS, type Ruling } from "./ruling.ts";
import type { VerdictKind } from "./verdict.ts";

const saying = (id: string, kind: VerdictKind): PolicyResult =>
  ({
    id,
    stage: "advice",
    mode: "enforce",
    microseconds: 0,
    verdicts: [{ kind, text: "x", message: "x", data: {} }],
  }) as never;
const ruling = (given: Partial<Ruling>): Ruling => ({ ...PASS, ...given });

describe("what an agent cannot carry out", () => {
  test("a question becomes a denial that says so, and the policy has spoken", () => {
    const asked = ruling({ outcome: "ask", reason: "Really?", policy: "a", fates: { a: "sent" } });
    expect(carriedOut(asked, [saying("a", "ask")], { agent: "Codex CLI", can: ["deny"] })).toMatchObject({
      outcome: "deny",
      reason: "Really?\nCodex CLI cannot ask a person about it.",
      fates: { a: "sent" },
    });
  });

  test.each(["deny", "hold", "approve"] as const)("%s where it has no effect is no answer", (outcome) => {
    const given = ruling({ outcome, reason: "r", policy: "a", fates: { a: "sent" } });
    const made = carriedOut(given, [saying("a", outcome)], { agent: "X", can: [] });
    expect(made).toMatchObject({ outcome: "pass", reason: "", policy: "", fates: { a: "dropped" } });
  });

  test("notes, notices and changes are left out one by one", () => {
    const given = ruling({
      notes: [{ policy: "a", text: "n" }],
      notices: [{ policy: "b", text: "t" }],
      rewrite: { policy: "c", value: 1 },
      fates: { a: "sent", b: "sent", c: "sent" },
    });
    const results = [saying("a", "note"), saying("b", "notice"), saying("c", "rewrite")];
    const made = carriedOut(given, results, { agent: "X", can: ["notice"] });
    expect(made.notes).toEqual([]);
    expect(made.notices).toEqual(given.notices);
    expect(made.rewrite).toBeUndefined();
    expect(made.fates).toEqual({ a: "dropped", b: "sent", c: "dropped" });
  });

  test("a note beside a change that is not made is left out with it", () => {
    const given = ruling({
      notes: [
        { policy: "a", text: "changed" },
        { policy: "b", text: "n" },
      ],
      rewrite: { policy: "a", value: 1 },
      fates: { a: "sent", b: "sent" },
    });
    const both: PolicyResult = {
      ...saying("a", "rewrite"),
      verdicts: [...saying("a", "rewrite").verdicts, ...saying("a", "note").verdicts],
    };
    const made = carriedOut(given, [both, saying("b", "note")], { agent: "X", can: ["note"] });
    expect(made.notes).toEqual([{ policy: "b", text: "n" }]);
    expect(made.fates).toEqual({ a: "dropped", b: "sent" });
  });

  test("what it can do stays as it is", () => {
    const given = ruling({
      outcome: "deny",
      reason: "r",
      policy: "a",
      notes: [{ policy: "a", text: "n" }],
      fates: { a: "sent" },
    });
    expect(carriedOut(given, [saying("a", "deny")], { agent: "X", can: ["deny", "note"] })).toEqual(given);
  });
});
