import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeEvent, shell, stop } from "../testing/events.ts";
import { arbitrateStop, FRESH_ARBITER } from "./arbiter.ts";
import type { PolicyResult } from "./pipeline.ts";
import { merge, type Ruling } from "./ruling.ts";
import { STAGES, type StageName } from "./stages.ts";
import type { Verdict } from "./verdict.ts";

const stages = Object.keys(STAGES) as StageName[];
const worded = { message: "m", data: {} };
const verdictOf = (kind: string, text: string): Verdict => {
  switch (kind) {
    case "deny":
      return { kind, ...worded, text, retry: "never" };
    case "rewrite":
      return { kind, ...worded, text, value: { text } };
    case "ask":
    case "note":
    case "notice":
      return { kind, ...worded, text };
    default:
      throw new Error(kind);
  }
};

const verdicts = fc.array(
  fc.record({ kind: fc.constantFrom("deny", "ask", "note", "notice", "rewrite"), text: fc.string({ minLength: 1 }) }),
  { maxLength: 3 },
);
const results = fc
  .uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{1,3}\/[a-z]{1,4}$/),
      stage: fc.constantFrom(...stages),
      mode: fc.constantFrom("observe" as const, "enforce" as const),
      verdicts,
      error: fc.option(fc.constantFrom("threw", "late"), { nil: undefined, freq: 4 }),
    }),
    { selector: (one) => one.id, maxLength: 8 },
  )
  .map((list): PolicyResult[] =>
    list.map(({ error, ...one }) => ({
      ...one,
      microseconds: 1,
      verdicts: error === undefined ? one.verdicts.map(({ kind, text }) => verdictOf(kind, text)) : [],
      ...(error === undefined ? {} : { error }),
    })),
  );

const event = shell("ls");
const noHolds = (): { held: []; notice: string } => ({ held: [], notice: "" });
const rule = (list: readonly PolicyResult[]): Ruling => merge(event, list, noHolds);
/** What the agent gets; fates are listed in the order of the results. */
const answer = ({ fates: _, ...sent }: Ruling) => sent;

describe("merge rules", () => {
  it("does not depend on the order in which policies are registered", () => {
    fc.assert(
      fc.property(results, fc.infiniteStream(fc.nat()), (list, random) => {
        const shuffled = list
          .map((one) => ({ one, at: random.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        expect(answer(rule(shuffled))).toEqual(answer(rule(list)));
        expect(rule(shuffled).fates).toEqual(rule(list).fates);
      }),
    );
  });

  it("lets a denial win over everything, and an ask over silence", () => {
    fc.assert(
      fc.property(results, (list) => {
        const enforced = list.filter((one) => one.mode === "enforce");
        const says = (kind: string): boolean => enforced.some((one) => one.verdicts.some((said) => said.kind === kind));
        const failsTo = (kind: string): boolean =>
          enforced.some((one) => one.error && STAGES[one.stage].onError === kind);
        const { outcome } = rule(list);
        const writers = new Set(enforced.filter((one) => one.verdicts.some((said) => said.kind === "rewrite")));
        if (says("deny") || failsTo("deny")) expect(outcome).toBe("deny");
        else if (says("ask") || failsTo("ask") || writers.size > 1) expect(outcome).toBe("ask");
        else expect(outcome).toBe("pass");
      }),
    );
  });

  it("takes the headline from the earliest stage and mentions every other denial", () => {
    fc.assert(
      fc.property(results, (list) => {
        const deniers = list
          .filter((one) => one.mode === "enforce" && one.verdicts.some((said) => said.kind === "deny"))
          .sort((a, b) => STAGES[a.stage].order - STAGES[b.stage].order);
        const [first] = deniers;
        const ruling = rule(list.filter((one) => one.error === undefined));
        const clean = deniers.filter((one) => one.error === undefined);
        fc.pre(first !== undefined && clean.length > 0);
        const earliest = Math.min(...clean.map((one) => STAGES[one.stage].order));
        expect(clean.filter((one) => STAGES[one.stage].order === earliest).map((one) => one.id)).toContain(
          ruling.policy,
        );
        for (const one of clean) expect(ruling.reason).toContain(`[${one.id}]`);
      }),
    );
  });

  it("never lets a policy in observe mode change the answer", () => {
    fc.assert(
      fc.property(results, (list) => {
        const enforced = list.filter((one) => one.mode === "enforce");
        expect(answer(rule(list))).toEqual(answer(rule(enforced)));
      }),
    );
  });

  it("drops notes of later stages on a denial and keeps the earlier ones", () => {
    const note = (id: string, stage: StageName): PolicyResult => ({
      id,
      stage,
      mode: "enforce",
      microseconds: 1,
      verdicts: [verdictOf("note", `note of ${id}`)],
    });
    const denial: PolicyResult = { ...note("p/deny", "scope"), verdicts: [verdictOf("deny", "no")] };
    const ruling = rule([note("p/early", "security"), denial, note("p/late", "advice")]);
    expect(ruling.notes.map(({ policy }) => policy)).toEqual(["p/early"]);
    expect(ruling.fates).toEqual({ "p/early": "sent", "p/deny": "sent", "p/late": "dropped" });
  });

  it("asks a person when two policies rewrite the same call, and applies a single rewrite", () => {
    const rewriter = (id: string): PolicyResult => ({
      id,
      stage: "scope",
      mode: "enforce",
      microseconds: 1,
      verdicts: [verdictOf("rewrite", id)],
    });
    expect(rule([rewriter("p/one")])).toMatchObject({
      outcome: "pass",
      rewrite: { policy: "p/one", value: { text: "p/one" } },
    });
    const both = rule([rewriter("p/one"), rewriter("p/two")]);
    expect(both.outcome).toBe("ask");
    expect(both.rewrite).toBeUndefined();
    expect(both.reason).toContain("p/one, p/two");
  });

  it("denies the call at which a turn is ended, because the agent would still run it", () => {
    const ender: PolicyResult = {
      id: "p/end",
      stage: "session",
      mode: "enforce",
      microseconds: 1,
      verdicts: [{ kind: "end", ...worded, text: "Enough." }],
    };
    expect(rule([ender])).toMatchObject({
      outcome: "deny",
      policy: "p/end",
      end: { policy: "p/end", text: "Enough." },
    });
  });

  it("watches what any policy wants watched, and lets the earlier stage set a variable", () => {
    const start = claudeEvent({ hook_event_name: "SessionStart", source: "startup" });
    const starter = (id: string, stage: StageName, value: string, path: string): PolicyResult => ({
      id,
      stage,
      mode: "enforce",
      microseconds: 1,
      verdicts: [
        { kind: "environment", ...worded, text: "", variables: { A: value, [value]: "1" } },
        { kind: "watch", ...worded, text: "", paths: [path, "/common"] },
      ],
    });
    const ruling = merge(
      start,
      [starter("p/late", "advice", "late", "/b"), starter("p/early", "scope", "early", "/a")],
      noHolds,
    );
    expect(ruling.environment).toEqual({ A: "early", early: "1", late: "1" });
    expect(ruling.watch).toEqual(["/a", "/b", "/common"]);
  });

  it("approves only when nobody denies", () => {
    const request = claudeEvent({ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: {} });
    const approval: PolicyResult = {
      id: "p/yes",
      stage: "scope",
      mode: "enforce",
      microseconds: 1,
      verdicts: [{ kind: "approve", ...worded, text: "listed" }],
    };
    const denial: PolicyResult = { ...approval, id: "p/no", verdicts: [verdictOf("deny", "no")] };
    expect(merge(request, [approval], noHolds)).toMatchObject({ outcome: "approve", policy: "p/yes" });
    expect(merge(request, [approval, denial], noHolds)).toMatchObject({
      outcome: "deny",
      fates: { "p/yes": "dropped" },
    });
  });

  it("turns a guard's failure into deny or ask by its stage, and any other's into nothing", () => {
    const failed = (stage: StageName): PolicyResult => ({
      id: "p/x",
      stage,
      mode: "enforce",
      microseconds: 1,
      verdicts: [],
      error: "boom",
    });
    expect(rule([failed("security")]).outcome).toBe("deny");
    expect(rule([failed("destructive")])).toMatchObject({ outcome: "ask", policy: "p/x" });
    expect(rule([failed("destructive")]).reason).toContain("boom");
    expect(rule([failed("advice")]).outcome).toBe("pass");
    const after = claudeEvent({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: {}, tool_use_id: "x" });
    expect(merge(after, [failed("security")], noHolds).outcome).toBe("pass");
  });

  it("asks, never denies, when the event itself is malformed", () => {
    const malformed = claudeEvent({ hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { file_path: 5 } });
    const failed: PolicyResult = {
      id: "p/x",
      stage: "security",
      mode: "enforce",
      microseconds: 1,
      verdicts: [],
      error: "x",
    };
    expect(merge(malformed, [failed], noHolds).outcome).toBe("ask");
  });

  it("sends one merged text for several holds, most important first, and honours a release", () => {
    const hold = (id: string, rank: number): PolicyResult => ({
      id,
      stage: "ntm",
      mode: "enforce",
      microseconds: 1,
      verdicts: [
        {
          kind: "hold",
          ...worded,
          text: `${id} waits.`,
          exit: "Do it.",
          strength: "soft",
          rank,
          progress: "",
          limit: 50,
        },
      ],
    });
    const arbitrate: Parameters<typeof merge>[2] = (holds, released) =>
      arbitrateStop({ holds, released, bypass: "", toolCalls: 0, state: FRESH_ARBITER });
    const ruling = merge(stop(), [hold("p/b", 2), hold("p/a", 1)], arbitrate);
    expect(ruling).toMatchObject({ outcome: "hold", strength: "soft", policy: "p/a" });
    expect(ruling.reason).toBe("p/a waits. Do it. [p/a]\np/b waits. Do it. [p/b]");
    const releaser: PolicyResult = {
      ...hold("p/r", 1),
      verdicts: [{ kind: "release", ...worded, text: "over", policies: ["p/a", "p/b"] }],
    };
    expect(merge(stop(), [hold("p/b", 2), hold("p/a", 1), releaser], arbitrate).outcome).toBe("pass");
  });

  const saying = (id: string, stage: StageName, ...said: Verdict[]): PolicyResult => ({
    id,
    stage,
    mode: "enforce",
    microseconds: 1,
    verdicts: said,
  });

  it.each([
    ["never", "No. [p/a]\nTrying the same call again will not help."],
    ["once", "No. [p/a]\nThe same call may be tried once more."],
    ["after 5 s", "No. [p/a]\nThe same call may be tried again after 5 s."],
  ] as const)("says of a retry %s what it helps", (retry, reason) => {
    expect(rule([saying("p/a", "scope", { kind: "deny", ...worded, text: "No.", retry })]).reason).toBe(reason);
  });

  it("says nothing of a retry when it asks, and shortens what others say to their first sentence", () => {
    const first = saying("p/a", "scope", verdictOf("ask", "Sure? Really."));
    const second = saying("p/b", "scope", verdictOf("ask", "Mind this. And that."));
    const third = saying("p/c", "scope", verdictOf("ask", "no full stop"));
    expect(rule([first, second, third]).reason).toBe(
      "Sure? Really. [p/a]\nAlso: Mind this. [p/b]\nAlso: no full stop [p/c]",
    );
  });

  it("says once what several say in the same words, and names them all", () => {
    const asks = (id: string, text: string) => saying(id, "scope", verdictOf("ask", text));
    const { reason } = rule([asks("p/a", "Sure? Really."), asks("p/b", "Mind this."), asks("p/c", "Sure? Really.")]);
    expect(reason).toBe("Sure? Really. [p/a, p/c]\nAlso: Mind this. [p/b]");
  });

  it("keeps a note of the very stage that denies, with its pointer", () => {
    const pointed: Verdict = { kind: "note", ...worded, text: "long", pointer: "docs/x.md" };
    const { notes } = rule([saying("p/a", "scope", verdictOf("deny", "No.")), saying("p/b", "scope", pointed)]);
    expect(notes).toEqual([{ policy: "p/b", text: "long", pointer: "docs/x.md" }]);
    expect(rule([saying("p/b", "scope", verdictOf("note", "plain"))]).notes).toEqual([
      { policy: "p/b", text: "plain" },
    ]);
  });

  it("tells each policy what became of what it said", () => {
    const observer: PolicyResult = { ...saying("p/quiet", "scope"), mode: "observe" };
    const fates = rule([
      saying("p/note", "scope", verdictOf("note", "n")),
      saying("p/other", "scope", verdictOf("note", "m")),
      saying("p/rewrite", "scope", verdictOf("rewrite", "r")),
      saying("p/notice", "recorder", verdictOf("notice", "x")),
      saying("p/silent", "scope"),
      observer,
      { ...saying("p/watching", "scope", verdictOf("note", "w")), mode: "observe" },
      { ...observer, id: "p/broken", error: "threw" },
    ]).fates;
    expect(fates).toEqual({
      "p/note": "sent",
      "p/other": "sent",
      "p/rewrite": "sent",
      "p/notice": "sent",
      "p/watching": "observed",
      "p/broken": "silent",
    });
    const denied = rule([
      saying("p/deny", "security", verdictOf("deny", "No.")),
      saying("p/both", "scope", verdictOf("note", "n"), verdictOf("notice", "x")),
      saying("p/rewrite", "scope", verdictOf("rewrite", "r")),
    ]).fates;
    expect(denied).toEqual({ "p/deny": "sent", "p/both": "sent", "p/rewrite": "dropped" });
  });

  it("blocks when one of several holds is hard", () => {
    const hold = (id: string, strength: "soft" | "hard"): PolicyResult =>
      saying(id, "ntm", { kind: "hold", ...worded, text: "t", exit: "e", strength, rank: 1, progress: "", limit: 50 });
    const arbitrate: Parameters<typeof merge>[2] = (holds) => ({ held: holds, notice: "" });
    expect(merge(stop(), [hold("p/a", "soft"), hold("p/b", "hard")], arbitrate).strength).toBe("hard");
    expect(merge(stop(), [hold("p/a", "soft")], arbitrate).strength).toBe("soft");
  });

  describe("with an arbiter of stops", () => {
    const holder = saying("p/hold", "ntm", {
      kind: "hold",
      ...worded,
      text: "Wait.",
      exit: "Do it.",
      strength: "soft",
      rank: 1,
      progress: "",
      limit: 50,
    });
    const holds: Parameters<typeof merge>[2] = (held) => ({ held, notice: "" });

    it.each(["deny", "ask"] as const)("sends no hold beside a %s, and its policy learns that", (kind) => {
      const ruling = merge(stop(), [holder, saying("p/guard", "security", verdictOf(kind, "No."))], holds);
      expect([ruling.outcome, ruling.policy, ruling.reason.includes("Wait.")]).toEqual([kind, "p/guard", false]);
      expect(ruling.fates).toEqual({ "p/hold": "dropped", "p/guard": "sent" });
    });

    it("tells a policy whether its own hold was the one that counted", () => {
      const other = { ...holder, id: "p/other" };
      const onlyFirst: typeof holds = (all) => ({ held: all.filter(({ policy }) => policy === "p/hold"), notice: "" });
      expect(merge(stop(), [holder, other], onlyFirst).fates).toEqual({ "p/hold": "sent", "p/other": "dropped" });
    });

    it("says a text whole once, and afterwards in one line how often it held", () => {
      const again: typeof holds = (all) => ({ held: all.map((one) => ({ ...one, repeated: 2 })), notice: "" });
      expect(merge(stop(), [holder], holds).reason).toBe("Wait. Do it. [p/hold]");
      expect(merge(stop(), [holder], again).reason).toBe("Still: Wait. Held 2 of at most 50 times. [p/hold]");
    });

    it("promises that the next stop passes only when every hold lets it", () => {
      const [verdict] = holder.verdicts;
      const once = saying("p/once", "ntm", { ...verdict, once: true } as Verdict);
      const promise = "Stopping again ends the turn.";
      expect(merge(stop(), [once], holds).reason).toBe(`Wait. Do it. [p/once]\n${promise}`);
      expect(merge(stop(), [once, holder], holds).reason).not.toContain(promise);
      const onlyOnce: typeof holds = (all) => ({ held: all.filter(({ policy }) => policy === "p/once"), notice: "" });
      expect(merge(stop(), [once, holder], onlyOnce).reason).toContain(promise);
    });

    it("drops a notice about a stop that passes while the stop is held, and no other notice", () => {
      const notice = { ...verdictOf("notice", "Over."), ifPassed: true } as Verdict;
      const list = [saying("p/end", "ntm", notice), saying("p/any", "ntm", verdictOf("notice", "Hm.")), holder];
      const texts = ({ notices }: Ruling): string[] => notices.map(({ text }) => text);
      const held = merge(stop(), list, holds);
      expect(texts(held)).toEqual(["Hm."]);
      expect(held.fates).toMatchObject({ "p/end": "dropped", "p/any": "sent" });
      const passed = merge(stop(), list, noHolds);
      expect(texts(passed)).toEqual(["Hm.", "Over."]);
      expect(passed.fates).toMatchObject({ "p/end": "sent", "p/any": "sent" });
    });

    it("passes on what the arbiter says to the person, and nothing when it says nothing", () => {
      const notices = (notice: string) => merge(stop(), [holder], () => ({ held: [], notice })).notices;
      expect(notices("Two things are left.")).toEqual([{ policy: "core/stop-arbiter", text: "Two things are left." }]);
      expect(notices("")).toEqual([]);
    });
  });

  it("keeps what one policy says in the order in which it says it, and policies in the order of their names", () => {
    const notes = (...texts: string[]): Verdict[] => texts.map((text) => verdictOf("note", text));
    const list = [saying("p/b", "scope", ...notes("1", "2", "3")), saying("p/a", "scope", ...notes("4", "5"))];
    expect(rule(list).notes.map(({ text }) => text)).toEqual(["4", "5", "1", "2", "3"]);
  });

  it("takes a mark at the very beginning for a sentence, as it takes any other", () => {
    const list = [
      saying("p/a", "scope", verdictOf("ask", "Sure?")),
      saying("p/b", "scope", verdictOf("ask", "! Mind.")),
    ];
    expect(rule(list).reason).toBe("Sure? [p/a]\nAlso: ! [p/b]");
  });
});
