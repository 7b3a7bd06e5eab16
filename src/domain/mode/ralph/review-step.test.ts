import { describe, expect, it } from "vitest";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import { ralph } from "./machine.ts";
import { APPROVES, prdText, ROOT, readerOf, rejects, startedWith } from "./ralph.samples.ts";

describe("a review over several stops", () => {
  interface Move {
    readonly prd?: string;
    readonly said?: string;
    /** A subagent's last message before the stop. */
    readonly heard?: string;
    readonly from?: string;
    readonly becomes: "work" | "review" | "done" | "unverified";
    readonly news?: string;
    readonly text?: string;
  }
  const open = prdText("+-");
  const all = prdText("++");
  const claim = "RALPH_COMPLETE";
  const ends: Move = {
    prd: all,
    becomes: "review",
    news: "US-002 Story 2 passes (2 of 2). Review 1 of at most 3 has begun, because all stories of prd.json pass.",
  };

  const plays: readonly [name: string, atStart: string | undefined, moves: readonly Move[]][] = [
    [
      "stories, then the reviewer",
      open,
      [
        { prd: open, becomes: "work" },
        ends,
        {
          prd: all,
          heard: APPROVES,
          becomes: "done",
          text: "2 of 2 stories of prd.json pass. The reviewer (architect) has approved the work: I ran the tests.",
        },
      ],
    ],
    [
      "a finished story is news",
      prdText("--"),
      [
        { prd: prdText("+-"), becomes: "work", news: "US-001 Story 1 passes (1 of 2)." },
        { prd: prdText("+-"), becomes: "work", news: "" },
      ],
    ],
    [
      "several finished stories are one line",
      prdText("------"),
      [
        {
          prd: prdText("+++++-"),
          becomes: "work",
          news: "US-001 Story 1, US-002 Story 2, US-003 Story 3, 2 more pass (5 of 6).",
        },
      ],
    ],
    ["the PRD alone ends nothing", open, [ends, { prd: all, becomes: "review" }, { prd: all, becomes: "review" }]],
    [
      "a claim of the main agent ends nothing",
      open,
      [ends, { prd: all, said: `${claim}\n${APPROVES}`, becomes: "review" }],
    ],
    [
      "an approval before all stories pass counts nothing",
      open,
      [
        { prd: open, heard: APPROVES, becomes: "work" },
        { prd: all, becomes: "review" },
      ],
    ],
    [
      "an approval of the complete PRD counts before the first stop",
      open,
      [{ prd: all, heard: APPROVES, becomes: "done" }],
    ],
    [
      "an approval by another kind of agent counts nothing",
      open,
      [ends, { prd: all, heard: APPROVES, from: "executor", becomes: "review" }],
    ],
    [
      "without a PRD, a claim begins the review",
      undefined,
      [
        {
          said: claim,
          becomes: "review",
          news: "Review 1 of at most 3 has begun, because RALPH_COMPLETE was written.",
        },
        { heard: APPROVES, from: "critic", becomes: "done" },
      ],
    ],
    [
      "without a claim the work goes on",
      undefined,
      [
        { said: "I am done.", becomes: "work" },
        { said: "`RALPH_COMPLETE`", becomes: "work" },
        { said: "I will write RALPH_COMPLETE soon", becomes: "work" },
      ],
    ],
    [
      "a PRD without stories is not done",
      prdText(""),
      [
        { prd: prdText(""), becomes: "work" },
        { prd: prdText(""), said: claim, becomes: "review" },
      ],
    ],
    [
      "a PRD that was complete before ends nothing",
      all,
      [
        { prd: all, becomes: "work" },
        { prd: all, said: claim, becomes: "review" },
        { prd: all, heard: APPROVES, becomes: "done" },
      ],
    ],
    [
      "its new story counts",
      all,
      [
        { prd: all, becomes: "work" },
        { prd: prdText("++-"), becomes: "work", text: "US-003" },
        {
          prd: prdText("+++"),
          becomes: "review",
          news: "US-003 Story 3 passes (3 of 3). Review 1 of at most 3 has begun, because all stories of prd.json pass.",
        },
      ],
    ],
    [
      "its story that fails again counts",
      all,
      [
        { prd: prdText("+-"), becomes: "work" },
        { prd: all, becomes: "review" },
      ],
    ],
    [
      "a claim with open stories asks for both",
      open,
      [
        {
          prd: open,
          said: claim,
          becomes: "review",
          text: "Only 1 of 2 stories of prd.json pass. Finish these or set their `passes`: US-002.",
        },
        { prd: all, heard: APPROVES, becomes: "done" },
      ],
    ],
    [
      "an approval with open stories is void",
      open,
      [
        { prd: open, said: claim, becomes: "review" },
        { prd: open, heard: APPROVES, becomes: "work", text: "that does not count" },
        { prd: all, becomes: "review" },
        { prd: all, heard: APPROVES, becomes: "done" },
      ],
    ],
    [
      "a story that fails again ends the review",
      open,
      [
        ends,
        { prd: open, becomes: "work", news: "The review has ended, because only 1 of 2 stories pass." },
        { prd: open, heard: APPROVES, becomes: "work" },
        { prd: all, becomes: "review" },
      ],
    ],
    [
      "a story that is added after the approval",
      open,
      [
        ends,
        { prd: prdText("++-"), heard: APPROVES, becomes: "work", text: "US-003" },
        { prd: prdText("+++"), becomes: "review" },
      ],
    ],
    [
      "a rejection goes on with its reason",
      open,
      [
        ends,
        {
          prd: all,
          heard: rejects("no test for logout"),
          becomes: "work",
          text: "A reviewer has rejected the work (1 of 3): no test for logout",
          news: "A reviewer has rejected the work (1 of 3): no test for logout",
        },
        { prd: all, becomes: "work", text: "no test for logout", news: "" },
        {
          prd: all,
          said: claim,
          becomes: "review",
          news: "Review 2 of at most 3 has begun, because RALPH_COMPLETE was written.",
        },
        { prd: all, heard: APPROVES, becomes: "done", text: "after 1 rejected review" },
      ],
    ],
    [
      "after a rejection, a story that fails and passes begins a review",
      open,
      [ends, { prd: open, heard: rejects("x"), becomes: "work" }, { prd: all, becomes: "review" }],
    ],
    [
      "a claim in the turn of the rejection begins the next review",
      open,
      [
        ends,
        {
          prd: all,
          said: claim,
          heard: rejects("x"),
          becomes: "review",
          news: "A reviewer has rejected the work (1 of 3): x Review 2 of at most 3 has begun, because RALPH_COMPLETE was written.",
        },
      ],
    ],
    [
      "three rejections end it as unverified",
      undefined,
      [
        { said: claim, becomes: "review" },
        { said: claim, heard: rejects("one"), becomes: "review" },
        { said: claim, heard: rejects("two"), becomes: "review" },
        {
          said: claim,
          heard: rejects("three"),
          becomes: "unverified",
          text: "rejected it 3 times, the last time because: three",
        },
      ],
    ],
    [
      "prose about a rejection is none",
      open,
      [
        ends,
        {
          prd: all,
          heard: "The architect rejected it: issues found, a bug was found, it is not yet complete.",
          becomes: "review",
        },
      ],
    ],
    [
      "a PRD that breaks prevents the end",
      open,
      [
        ends,
        { prd: "{", heard: APPROVES, becomes: "work", text: "prd.json cannot be used" },
        { prd: all, becomes: "review" },
      ],
    ],
    [
      "a PRD that was broken at the start does not",
      "{",
      [
        { prd: "{", said: claim, becomes: "review" },
        { prd: "{", heard: APPROVES, becomes: "done" },
      ],
    ],
    [
      "another branch's complete PRD is not this run's",
      open,
      [
        { prd: prdText("++", { branchName: "next" }), becomes: "work", text: "about the branch `next`" },
        { prd: open, becomes: "work", text: "US-002" },
      ],
    ],
    [
      "a PRD that is removed",
      open,
      [{ becomes: "work" }, { said: claim, becomes: "review" }, { heard: APPROVES, becomes: "done" }],
    ],
  ];
  it.each(plays)("%s", (_name, atStart, moves) => {
    const filesOf = (prd: string | undefined): Record<string, string> => (prd === undefined ? {} : { [ROOT]: prd });
    let run = startedWith(filesOf(atStart));
    for (const [index, move] of moves.entries()) {
      if (move.heard !== undefined)
        run = ralph.heard?.(run, move.from ?? "architect", move.heard, readerOf(filesOf(move.prd))) ?? run;
      const stop = { lastMessage: move.said ?? "Done.", now: FAKE_NOW };
      const step = ralph.step(run, stop, readerOf(filesOf(move.prd)), []);
      const { verification } = step.run.details as { readonly verification: { readonly pending: boolean } };
      const became = step.kind === "end" ? step.outcome : verification.pending ? "review" : "work";
      expect([index, became]).toEqual([index, move.becomes]);
      if (move.news !== undefined) expect(step.news ?? "").toBe(move.news);
      if (move.text !== undefined) expect(step.text).toContain(move.text);
      run = step.run;
    }
  });
});
