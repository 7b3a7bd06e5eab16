import { describe, expect, it } from "vitest";
import { review, round, verdictLine } from "./autopilot.samples.ts";
import {
  hearVerdict,
  isRejected,
  issuesOf,
  notApproved,
  type Validation,
  validationOf,
  verdictIn,
} from "./verdicts.ts";

const OK = verdictLine("functional", "APPROVED");
const FUNCTIONAL = "omc:functional-reviewer";

describe("the verdict in a last message", () => {
  const found: readonly [name: string, agent: string, message: string, verdict: string][] = [
    ["an approval", FUNCTIONAL, OK, "functional APPROVED"],
    ["a rejection", FUNCTIONAL, verdictLine("functional", "REJECTED"), "functional REJECTED"],
    ["something to correct", FUNCTIONAL, verdictLine("functional", "NEEDS_FIX"), "functional NEEDS_FIX"],
    ["the security reviewer", "omc:security-reviewer", verdictLine("security", "APPROVED"), "security APPROVED"],
    ["the quality reviewer", "omc:quality-reviewer", verdictLine("quality", "REJECTED"), "quality REJECTED"],
    ["a reviewer without a plugin", "functional-reviewer", OK, "functional APPROVED"],
    ["a reviewer of another plugin", "team:tools:functional-reviewer", OK, "functional APPROVED"],
    ["a general agent", "general-purpose", verdictLine("quality", "NEEDS_FIX"), "quality NEEDS_FIX"],
    ["below a report", FUNCTIONAL, `All is well.\n\n${OK}`, "functional APPROVED"],
    ["above a remark", FUNCTIONAL, `${OK}\nI ran npm test.`, "functional APPROVED"],
    ["in bold", FUNCTIONAL, `**${OK}**`, "functional APPROVED"],
    ["indented", FUNCTIONAL, `   ${OK}  `, "functional APPROVED"],
    ["single quotes", FUNCTIONAL, OK.replaceAll('"', "'"), "functional APPROVED"],
    ["blanks around the word", FUNCTIONAL, OK.replace("APPROVED", " APPROVED "), "functional APPROVED"],
    ["on three lines", FUNCTIONAL, OK.replace("APPROVED", "\nAPPROVED\n"), "functional APPROVED"],
    ["with the line ends of Windows", FUNCTIONAL, `Done.\r\n${OK}\r\n`, "functional APPROVED"],
    [
      "after a code block",
      FUNCTIONAL,
      `\`\`\`\n${verdictLine("functional", "REJECTED")}\n\`\`\`\n${OK}`,
      "functional APPROVED",
    ],
    [
      "two verdicts, the rejection counts",
      FUNCTIONAL,
      `${verdictLine("functional", "REJECTED")}\n${OK}`,
      "functional REJECTED",
    ],
    [
      "two verdicts, the correction counts",
      FUNCTIONAL,
      `${OK}\n${verdictLine("functional", "NEEDS_FIX")}`,
      "functional NEEDS_FIX",
    ],
    [
      "the verdict of another type is passed over",
      FUNCTIONAL,
      `${verdictLine("security", "REJECTED")}\n${OK}`,
      "functional APPROVED",
    ],
  ];
  it.each(found)("%s", (_name, agent, message, verdict) => {
    const { type, verdict: name } = verdictIn(agent, message) ?? {};
    expect(`${type} ${name}`).toBe(verdict);
  });

  const nothing: readonly [name: string, agent: string, message: string][] = [
    ["no verdict", FUNCTIONAL, "All is well. APPROVED"],
    ["the word in a sentence", FUNCTIONAL, `I end with ${OK} now.`],
    ["in a code block", FUNCTIONAL, `\`\`\`\n${OK}\n\`\`\``],
    ["in a block of tildes", FUNCTIONAL, `~~~\n${OK}\n~~~`],
    ["as inline code", FUNCTIONAL, `\`${OK}\``],
    ["quoted", FUNCTIONAL, `> ${OK}`],
    ["an unknown verdict", FUNCTIONAL, verdictLine("functional", "FINE")],
    ["lower case", FUNCTIONAL, verdictLine("functional", "approved")],
    ["an unknown type", "general-purpose", verdictLine("speed", "APPROVED")],
    ["without a type", FUNCTIONAL, "<validation-verdict>APPROVED</validation-verdict>"],
    ["without an end tag", FUNCTIONAL, '<validation-verdict type="functional">APPROVED'],
    ["only the type of another reviewer", FUNCTIONAL, verdictLine("security", "APPROVED")],
    ["an agent without a type", "", OK],
    ["a worker", "omc:executor", OK],
    ["an architect", "omc:architect", OK],
    ["a name that only contains the reviewer's", "my-functional-reviewer-2", OK],
    ["a general agent with two types", "general-purpose", `${OK}\n${verdictLine("security", "APPROVED")}`],
    ["an empty message", FUNCTIONAL, ""],
  ];
  it.each(nothing)("nothing: %s", (_name, agent, message) => {
    expect(verdictIn(agent, message)).toBeUndefined();
  });
});

describe("the issues of a verdict", () => {
  const rejected = verdictLine("security", "REJECTED");
  const cases: readonly [name: string, message: string, issues: readonly string[]][] = [
    ["one on each line", `- a.ts:1 leaks\n- b.ts:2 shell\n${rejected}`, ["a.ts:1 leaks", "b.ts:2 shell"]],
    ["with stars", `* a.ts:1 leaks\n${rejected}`, ["a.ts:1 leaks"]],
    ["numbered", `1. a.ts:1 leaks\n2) b.ts:2 shell\n${rejected}`, ["a.ts:1 leaks", "b.ts:2 shell"]],
    ["none in code blocks", `\`\`\`\n- no issue\n\`\`\`\n- a.ts:1 leaks\n${rejected}`, ["a.ts:1 leaks"]],
    ["prose without a list", `The token is printed.\n${rejected}`, ["The token is printed."]],
    ["nothing but the verdict", rejected, ["no reason was given"]],
    ["at most ten", `${"- x\n".repeat(12)}${rejected}`, Array(10).fill("x")],
    ["an approval has none", `- npm test: ok\n${verdictLine("security", "APPROVED")}`, []],
  ];
  it.each(cases)("%s", (_name, message, issues) => {
    expect(verdictIn("security-reviewer", message)?.issues).toEqual(issues);
  });

  it("are cut when they are long", () => {
    const issue = verdictIn("security-reviewer", `- ${"word ".repeat(200)}\n${rejected}`)?.issues[0] ?? "";
    expect(issue.length).toBeLessThanOrEqual(300);
    expect(issue).toMatch(/word…$/);
  });
});

describe("the verdicts of a round", () => {
  const heard = (...messages: readonly (readonly [string, string])[]): Validation =>
    messages.reduce<Validation>(
      (before, [agent, message]) => hearVerdict(before, agent, message) ?? before,
      validationOf(undefined),
    );
  const text = ({ verdicts }: Validation): string =>
    verdicts.map(({ type, verdict }) => `${type} ${verdict}`).join(", ");
  const approved = round("APPROVED", "APPROVED", "APPROVED");
  const rejected = round("APPROVED", "REJECTED", "APPROVED");

  it("all three approvals are needed, in any order", () => {
    for (const order of [approved, approved.toReversed()]) {
      const state = heard(...order);
      expect(state).toMatchObject({ all_approved: true, validation_rounds: 1, architects_spawned: 3 });
      expect(text(state)).toBe("functional APPROVED, security APPROVED, quality APPROVED");
      expect([isRejected(state), notApproved(state)]).toEqual([false, []]);
    }
  });

  it.each([
    ["none", [], "functional security quality"],
    ["one", approved.slice(0, 1), "security quality"],
    ["two", approved.slice(1), "functional"],
    ["the same one three times", Array(3).fill(review("functional", "APPROVED")), "security quality"],
  ] as const)("%s: not approved, and the round is open", (_name, messages, missing) => {
    const state = heard(...messages);
    expect([state.all_approved, isRejected(state), notApproved(state).join(" ")]).toEqual([false, false, missing]);
  });

  it.each(["REJECTED", "NEEDS_FIX"])("%s of one reviewer rejects the round", (verdict) => {
    for (let at = 0; at < 3; at++) {
      const state = heard(
        ...round(...(approved.map((_, index) => (index === at ? verdict : "APPROVED")) as [string, string, string])),
      );
      expect([state.all_approved, isRejected(state), state.validation_rounds]).toEqual([false, true, 1]);
    }
  });

  it("a verdict replaces the one of its type before it", () => {
    const state = heard(
      review("functional", "REJECTED", "a"),
      review("functional", "APPROVED"),
      review("security", "APPROVED"),
    );
    expect(text(state)).toBe("functional APPROVED, security APPROVED");
    expect(issuesOf(state)).toEqual([]);
    expect(state.validation_rounds).toBe(1);
  });

  it("a late rejection replaces an approval", () => {
    const state = heard(...approved, review("quality", "REJECTED", "b"));
    expect([state.all_approved, isRejected(state)]).toEqual([false, true]);
  });

  it("the first verdict after a rejected round begins a new one, without the others", () => {
    const state = heard(...rejected, review("security", "APPROVED"));
    expect(text(state)).toBe("security APPROVED");
    expect(state).toMatchObject({ validation_rounds: 2, all_approved: false, architects_spawned: 4 });
  });

  it("the second round can approve", () => {
    expect(heard(...rejected, ...approved)).toMatchObject({ validation_rounds: 2, all_approved: true });
  });

  it("after three rejected rounds no verdict counts", () => {
    const state = heard(...rejected, ...rejected, ...rejected);
    expect(state.validation_rounds).toBe(3);
    expect(hearVerdict(state, ...(approved[0] as [string, string]))).toBeUndefined();
    expect(heard(...rejected, ...rejected, ...rejected, ...approved)).toEqual(state);
  });

  it("issues have the type of their reviewer before them", () => {
    const state = heard(review("quality", "NEEDS_FIX", "long"), review("functional", "REJECTED", "half", "slow"));
    expect(issuesOf(state)).toEqual(["[functional] half", "[functional] slow", "[quality] long"]);
  });

  it.each([
    ["nothing", undefined],
    ["a list", []],
    ["fields of wrong types", { verdicts: "x", all_approved: 1, validation_rounds: "2", architects_spawned: null }],
    [
      "verdicts that are none",
      { verdicts: [null, {}, { type: "speed", verdict: "APPROVED" }, { type: "quality", verdict: "OK" }] },
    ],
  ])("a stored state with %s is that of the beginning", (_name, stored) => {
    expect(validationOf(stored)).toEqual({
      architects_spawned: 0,
      verdicts: [],
      all_approved: false,
      validation_rounds: 0,
      told_rounds: 0,
    });
  });

  it("is read as it was stored", () => {
    const state = heard(...rejected);
    expect(validationOf(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });
});
