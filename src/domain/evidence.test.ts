import { describe, expect, it } from "vitest";
import { claimsCompletion, showsEvidence } from "./evidence.ts";

describe("a claim of completion", () => {
  it.each([
    "Done.",
    "The task is complete.",
    "Task complete",
    "I have completed the refactoring",
    "Everything is finished!",
    "You're all set",
    "This is ready for review",
    "It was not easy. Now it is done.",
  ])("is %j", (text) => expect(claimsCompletion(text)).toBe(true));

  it.each([
    "I abandoned the approach",
    "This is not done",
    "It isn't finished yet",
    "The work is not yet complete",
    "Two steps are to be done",
    "I will report once finished",
    "condone, undone",
    "Found three call sites.",
    "",
  ])("is not %j", (text) => expect(claimsCompletion(text)).toBe(false));
});

describe("evidence", () => {
  it.each([
    "typecheck passes",
    "lint is clean",
    "all tests pass",
    "the unit test passes",
    "I ran npm run test",
    "quality gates: ok",
    "verified by hand",
    "reproduced and fixed",
    "CI is green",
    "passes CI",
  ])("is %j", (text) => expect(showsEvidence(text)).toBe(true));

  it.each(["I changed the contest page", "splinter", "evergreen", "latest", ""])("is not %j", (text) =>
    expect(showsEvidence(text)).toBe(false),
  );
});
