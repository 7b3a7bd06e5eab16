import { describe, expect, it } from "vitest";
import { draftOf, momentId, triggersIn } from "./draft.ts";
import { type MomentKind, momentIn } from "./moments.ts";
import { isDuplicate, isWorthKeeping, qualityGate } from "./quality.ts";
import { SOLVED } from "./skills.samples.ts";

describe("what is found in a message", () => {
  it.each<[MomentKind, string]>([
    ["problem-solution", SOLVED],
    ["problem-solution", "The root cause was a stale lock. Removing it solved it."],
    ["problem-solution", "Fixed: the crash happened when `items` was empty, so the loop is skipped now."],
    ["best-practice", "It is about dates here. Always use UTC when a timestamp is stored."],
    ["technique", "The trick is to build the index after the import."],
    ["optimization", "The import was slow. With a prepared statement it is 12x faster."],
    ["workaround", "The driver drops the connection. As a workaround the pool is opened twice."],
  ])("%s: %s", (kind, message) => expect(momentIn(message)?.kind).toBe(kind));
  it.each([
    "All tests pass.",
    "",
    "The problem is that I do not know the port.",
    "I will fix the error that was in a.ts.",
    "The bug was found, but it cannot be fixed here.",
    "Was the error fixed?",
    "If you want, the bug that was there can be fixed.",
    "# The problem was fixed",
    "```\nThe error was X.\nFixed it by Y.\n```",
  ])("nothing: %j", (message) => expect(momentIn(message)).toBeUndefined());
  it("takes the solution with its code, and no later paragraph", () => {
    const message =
      "The error was a missing env file.\n\nI fixed it:\n\n```sh\ncp .env.example .env\n```\n\nThat is all of it.\n\nNext I look at the form.";
    expect(momentIn(message)).toMatchObject({
      problem: "The error was a missing env file.",
      solution: "I fixed it:\n```sh\ncp .env.example .env\n```\n\nThat is all of it.",
    });
  });
  it("is surer of it the more technical it is, up to a point", () => {
    const confidence = (words: string) => momentIn(`The trick is to use ${words} at first.`)?.confidence;
    expect([confidence("it"), confidence("redis"), confidence("redis docker nginx npm vite")]).toEqual([70, 75, 85]);
  });
  it("takes time in proportion to a long message", () => {
    expect(momentIn("The error was ".repeat(50_000))).toBeUndefined();
    expect(momentIn("fixed ".repeat(50_000))).toBeUndefined();
  });
});

describe("the draft of a skill", () => {
  it("has a name, a line about it, and what brings it back", () => {
    expect(draftOf(momentIn(SOLVED) ?? expect.fail("no moment"), "extracted")).toEqual({
      name: "login failed because vite.config.ts proxied api",
      description:
        "The login failed because vite.config.ts proxied /api to the wrong port, which ended in ECONNREFUSED.",
      problem: "The login failed because vite.config.ts proxied /api to the wrong port, which ended in ECONNREFUSED.",
      solution: "I fixed it by setting `server.proxy` to port 8080 in vite.config.ts and restarting the dev server.",
      triggers: ["econnrefused", "vite.config.ts", "server.proxy", "login", "vite", "api", "port", "proxy"],
      tags: ["login", "vite", "api", "port", "proxy"],
      source: "extracted",
    });
  });
  it("has few triggers and no general ones", () => {
    const triggers = triggersIn(
      "",
      Array.from({ length: 30 }, (_, at) => `\`name${at}\` in file a${at}.ts`).join(" and the error in "),
    );
    expect(triggers).toHaveLength(10);
    expect(triggersIn("The error in the file", "run the test `file`")).toEqual([]);
  });
  it("shows no secret", () => {
    const secret = `token=${"abcdef1234567890"}`;
    const draft = draftOf(
      { problem: `The error was ${secret}.`, solution: `Set \`${secret}\` in the env.` },
      "extracted",
    );
    expect(JSON.stringify(draft)).not.toContain("abcdef");
  });
  it("has the same id for the same problem in other words of little weight", () => {
    const id = (problem: string) => momentId({ problem });
    expect(id("The login failed on port 80.")).toBe(id("the LOGIN failed, on port 81"));
    expect(id("The login failed.")).not.toBe(id("The build failed."));
  });
});

describe("the quality gate", () => {
  const good = {
    name: "a",
    description: "b",
    problem: "The login fails",
    solution: "Set the domain of the cookie",
    triggers: ["login"],
    tags: [],
    source: "manual" as const,
  };
  it.each([
    [{}, 100, ""],
    [{ problem: "short" }, 70, ""],
    [{ solution: "short" }, 70, ""],
    [{ triggers: ["ab"] }, 95, ""],
    [{ triggers: ["error"] }, 90, ""],
    [{ solution: "x".repeat(4_001) }, 90, ""],
    [
      { problem: "short", solution: "short" },
      40,
      "its problem has fewer than 10 characters; its solution has fewer than 20 characters",
    ],
    [{ triggers: [] }, 80, "triggers is missing"],
    [{ name: "" }, 100, "name is missing"],
    [{ description: "", problem: "" }, 70, "description is missing; problem is missing"],
  ])("%j: %d %s", (change, quality, refusal) => {
    expect(qualityGate({ ...good, ...change })).toEqual({ quality, refusal });
  });
  it.each([
    [SOLVED, 0, true],
    ["The error was odd. I fixed it by another way of doing it.", 0, false],
    ["The error was odd. I fixed it in a.ts by another way of doing it with redis.", 0, true],
    ["The build was broken because of npm. I fixed it with another order.", 1, false],
    ["The build was broken because of npm. I fixed it with another order.", 2, true],
  ])("%s (%d times before) is worth keeping: %s", (message, repeats, isWorth) => {
    expect(isWorthKeeping(draftOf(momentIn(message) ?? expect.fail("no moment"), "extracted"), repeats)).toBe(isWorth);
  });
  it("knows skills that are alike", () => {
    expect(isDuplicate(["a", "b"], ["b", "c"])).toBe(true);
    expect(isDuplicate(["a", "b", "d"], ["b"])).toBe(false);
    expect(isDuplicate([], ["b"])).toBe(false);
  });
});
