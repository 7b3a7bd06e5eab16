import { describe, expect, it } from "vitest";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import { beginReview, hearReviewer, isReviewer, verdictIn, verificationOf } from "./review.ts";

const YES = "<architect-approved>VERIFIED_COMPLETE</architect-approved>";
const no = (why: string): string => `<architect-rejected>${why}</architect-rejected>`;

describe("a reviewer's verdict", () => {
  const cases: readonly [name: string, message: string, verdict: string | undefined][] = [
    ["approved", `All criteria hold.\n\n${YES}`, "approved"],
    ["approved in bold", `**${YES}**`, "approved"],
    ["approved on three lines", "<architect-approved>\nVERIFIED_COMPLETE\n</architect-approved>", "approved"],
    ["approved with something else inside", "<architect-approved>PROBABLY</architect-approved>", undefined],
    ["approved in a sentence", `I would write ${YES} if the tests passed.`, undefined],
    ["approved in a code block", `\`\`\`\n${YES}\n\`\`\``, undefined],
    ["approved as inline code", `\`${YES}\``, undefined],
    ["approved in a quotation", `> ${YES}`, undefined],
    ["only the word", "VERIFIED_COMPLETE", undefined],
    ["rejected", no("no test for logout"), "no test for logout"],
    [
      "rejected on several lines",
      "<architect-rejected>\n- no tests\n- a bug\n</architect-rejected>\nBye.",
      "- no tests - a bug",
    ],
    ["rejected without an end", "<architect-rejected>no tests\nat all", "no tests at all"],
    ["rejected without a reason", no(""), "no reason was given"],
    ["rejected in a code block", `~~~\n${no("x")}\n~~~`, undefined],
    ["both", `${YES}\n${no("no tests")}`, "no tests"],
    ["both, the other way", `${no("no tests")}\n${YES}`, "no tests"],
    // oh-my-claudecode takes such phrases for a rejection.
    ["a bug that was found and fixed", "A bug was found and fixed since. No issues found.", undefined],
    ["issues found, but no verdict", "The architect rejected an older version. Issues found: none.", undefined],
    ["nothing missing", `No missing implementation or test. It is not yet complete in other ways.`, undefined],
    ["approved beside such phrases", `A bug was found, and its fix works.\n${YES}`, "approved"],
  ];
  it.each(cases)("%s", (_name, message, verdict) => {
    const found = verdictIn(message);
    expect(found && (found.isApproved ? "approved" : found.reason)).toBe(verdict);
  });

  it("reads a very long message in little time and keeps little of it", () => {
    const found = verdictIn("<architect-rejected>a\n".repeat(40_000));
    expect(found?.isApproved === false && found.reason.length).toBeLessThanOrEqual(600);
  });
});

describe("who may review", () => {
  it.each([
    "architect",
    "omc:architect",
    "oh-my-claudecode:architect-medium",
    "critic",
    "general-purpose",
    "a:b:critic",
  ])("%s may", (type) => expect(isReviewer(type)).toBe(true));
  it.each(["", "executor", "omc:executor", "architect:executor", "my-architect", "architect2", "worker-1"])(
    "%s may not",
    (type) => expect(isReviewer(type)).toBe(false),
  );
});

describe("hearing a reviewer", () => {
  const none = verificationOf(undefined);
  const pending = beginReview(none, "RALPH_COMPLETE was written", 0, FAKE_NOW);

  it("counts nothing before a review was asked for", () => {
    expect(hearReviewer(none, "architect", YES)).toBeUndefined();
    expect(hearReviewer(none, "architect", no("x"))).toBeUndefined();
  });

  it("keeps the review open when it is approved, for the next stop to end the run", () => {
    const heard = hearReviewer(pending, "omc:architect", `All tests pass.\n${YES}`);
    expect(heard).toMatchObject({ pending: true, architect_approved: true, architect_feedback: "All tests pass." });
  });

  it("counts one rejection for each review", () => {
    const once = hearReviewer(pending, "critic", no("no tests"));
    expect(once).toMatchObject({ pending: false, verification_attempts: 1, architect_feedback: "no tests" });
    expect(once && hearReviewer(once, "critic", no("again"))).toBeUndefined();
    expect(once && hearReviewer(once, "critic", YES)).toBeUndefined();
  });

  it("lets a rejection win over an approval of the same review", () => {
    const approved = hearReviewer(pending, "architect", YES);
    const rejected = approved && hearReviewer(approved, "critic", no("no tests"));
    expect(rejected).toMatchObject({ pending: false, architect_approved: false, verification_attempts: 1 });
  });

  it("reads a stored state whose fields have wrong types as if they were missing", () => {
    const stored = {
      pending: "yes",
      verification_attempts: "2",
      architect_feedback: 7,
      max_verification_attempts: null,
    };
    expect(verificationOf(stored)).toEqual(none);
    expect(verificationOf("broken")).toEqual(none);
    expect(verificationOf(pending)).toEqual(pending);
  });
});
