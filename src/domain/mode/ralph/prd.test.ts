import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/event.ts";
import { detailsOf } from "./details.ts";
import { isUsed, prdOf, readPrd } from "./prd.ts";
import { IN_OMC, prdText, ROOT, readerOf, startedWith } from "./ralph.samples.ts";

const of = (...userStories: Json[]): string => JSON.stringify({ userStories });

describe("reading prd.json", () => {
  const nexts: readonly [name: string, text: string, next: string | null, order?: string][] = [
    ["the first of several", prdText("--"), "US-001"],
    ["the first that does not pass", prdText("+-"), "US-002"],
    ["none when all pass", prdText("++"), null],
    ["none without stories", of(), null],
    ["the lowest priority number, not the first", of({ id: "b", priority: 2 }, { id: "a", priority: 1 }), "a", "a b"],
    ["the first of equal priorities", of({ id: "b", priority: 1 }, { id: "a", priority: 1 }), "b", "b a"],
    ["one without a priority comes last", of({ id: "b" }, { id: "a", priority: 9 }), "a", "a b"],
    ["a priority in quotes", of({ id: "b", priority: "10" }, { id: "a", priority: "9" }), "a", "a b"],
    ["zero and negative priorities", of({ id: "b", priority: 0 }, { id: "a", priority: -1 }), "a", "a b"],
    ["a story without `passes` does not pass", of({ id: "a" }), "a"],
    ["a story without an id gets one from its place", of({ title: "x", passes: true }, { title: "y" }), "US-002"],
    ["an id that is a number", of({ id: 7 }), "7"],
    ["missing fields may also be null", of({ id: "a", title: null, passes: null, priority: null }), "a"],
    ["a byte order mark", `\uFEFF${of({ id: "a" })}`, "a"],
  ];
  it.each(nexts)("next story: %s", (_name, text, next, order) => {
    const digest = readPrd(text);
    if (digest.kind !== "read") throw new Error(digest.why);
    expect(digest.next?.id ?? null).toBe(next);
    if (order !== undefined) expect(digest.stories.map(({ id }) => id).join(" ")).toBe(order);
  });

  const broken: readonly [name: string, text: string, why: string][] = [
    ["no JSON", '{"userStories": [}', "it is not JSON"],
    ["empty file", "", "it is not JSON"],
    ["a list", "[]", "it is not an object"],
    ["null", "null", "it is not an object"],
    ["no stories at all", "{}", "its `userStories` are not a list"],
    ["stories by id", '{"userStories": {"US-001": {}}}', "its `userStories` are not a list"],
    ["a story that is text", of("Login"), "story 1 is not an object"],
    ["`passes` in quotes", of({ id: "a" }, { passes: "true" }), "`passes` of story 2 is neither true nor false"],
    ["a priority in words", of({ priority: "high" }), "`priority` of story 1 is not a number"],
    ["an id that is a list", of({ id: ["a"] }), "`id` of story 1 is not text"],
    ["a title that is an object", of({ title: {} }), "`title` of story 1 is not text"],
    ["criteria that are objects", of({ acceptanceCriteria: [{}] }), "`acceptanceCriteria` of story 1"],
    ["a huge file", of({ id: "a", description: "x".repeat(300_000) }), "it is larger than 256 KB"],
  ];
  it.each(broken)("broken: %s", (_name, text, why) => {
    expect(readPrd(text)).toEqual({ kind: "broken", why: expect.stringContaining(why) });
  });

  it("reads criteria that are one text", () => {
    const digest = readPrd(of({ id: "a", acceptanceCriteria: "it\n works" }));
    expect(digest).toMatchObject({ next: { criteria: ["it works"] } });
  });

  it("keeps only what is needed of long texts", () => {
    const text = of(
      ...Array.from({ length: 30 }, () => ({ title: "word ".repeat(900), description: "d".repeat(5_000) })),
    );
    expect(JSON.stringify(readPrd(text)).length).toBeLessThan(30 * 200);
  });
});

describe("what a PRD means for a run", () => {
  const other = { project: "Shop" };
  const cases: readonly [name: string, atStart: Record<string, string>, now: Record<string, string>, kind: string][] = [
    ["none", {}, {}, "none"],
    ["at the root", { [ROOT]: prdText("-") }, { [ROOT]: prdText("-") }, "open"],
    ["in .omc", { [IN_OMC]: prdText("-") }, { [IN_OMC]: prdText("-") }, "open"],
    [
      "the root wins",
      { [ROOT]: prdText("+-"), [IN_OMC]: prdText("-") },
      { [ROOT]: prdText("++"), [IN_OMC]: prdText("-") },
      "complete",
    ],
    ["a broken one at the root hides the other", {}, { [ROOT]: "{", [IN_OMC]: prdText("-") }, "broken"],
    ["complete now", { [ROOT]: prdText("+-") }, { [ROOT]: prdText("++") }, "complete"],
    ["complete before the start", { [ROOT]: prdText("++") }, { [ROOT]: prdText("++") }, "unused"],
    [
      "complete before the start, written anew",
      { [ROOT]: prdText("++") },
      { [ROOT]: prdText("++", { description: "x" }) },
      "unused",
    ],
    ["complete before the start, with a new story", { [ROOT]: prdText("++") }, { [ROOT]: prdText("++-") }, "open"],
    [
      "complete before the start, another since",
      { [ROOT]: prdText("++") },
      { [ROOT]: prdText("+++", other) },
      "complete",
    ],
    ["without stories", { [ROOT]: prdText("") }, { [ROOT]: prdText("") }, "unused"],
    ["stories removed", { [ROOT]: prdText("-") }, { [ROOT]: prdText("") }, "unused"],
    ["another project", { [ROOT]: prdText("-") }, { [ROOT]: prdText("+", other) }, "unused"],
    ["another branch", { [ROOT]: prdText("-") }, { [ROOT]: prdText("-", { branchName: "next" }) }, "unused"],
    [
      "a branch that was not named before",
      { [ROOT]: prdText("-", { branchName: "" }) },
      { [ROOT]: prdText("-") },
      "open",
    ],
    [
      "a branch that is no longer named",
      { [ROOT]: prdText("-") },
      { [ROOT]: prdText("-", { branchName: "" }) },
      "open",
    ],
    ["our own first PRD, renamed", {}, { [IN_OMC]: prdText("-", other) }, "open"],
  ];
  it.each(cases)("%s", (_name, atStart, now, kind) => {
    const prd = prdOf(detailsOf(startedWith(atStart)), readerOf(now));
    expect(prd.kind).toBe(kind);
    expect(isUsed(prd)).toBe(kind === "open" || kind === "complete");
  });
});
