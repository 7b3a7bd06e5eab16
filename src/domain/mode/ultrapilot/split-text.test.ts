import { describe, expect, it } from "vitest";
import { splitFromText } from "./split-text.ts";

const parts = (request: string): readonly string[] => splitFromText(request).map(({ description }) => description);

describe("a request is split", () => {
  it.each<[string, string, readonly string[]]>([
    ["at numbers", "1. API\n2. Web page\n3. Tests", ["API", "Web page", "Tests"]],
    ["at numbers with a bracket", "1) API\n2) Web", ["API", "Web"]],
    ["at bullets", "- API\n* Web\n+ Tests\n• Docs", ["API", "Web", "Tests", "Docs"]],
    ["at boxes", "- [ ] API\n- [x] Web", ["API", "Web"]],
    ["at an indented list", "  - API\n  - Web", ["API", "Web"]],
    [
      "at a list after an introduction",
      "Build the whole shop:\n\n1. API\n2. Web\n\nThank you very much",
      ["API", "Web"],
    ],
    ["with the nested items of an item", "- API\n  - routes\n\t- errors\n- Web", ["API\nroutes\nerrors", "Web"]],
    [
      "with the lines that go on",
      "1. The API\nwith routes\n2. Web\n\n   and styles",
      ["The API\nwith routes", "Web\nand styles"],
    ],
    ["with a list whose first item is deeper", "  - API\n- Web", ["API", "Web"]],
    ["without the lines after a list", "- API\n- Web\n\nuse strict types\n  everywhere", ["API", "Web"]],
    ["without code in a list", "- API\n```\n- not this\n```\n- Web", ["API", "Web"]],
    ["at lines of Windows", "- API\r\n- Web\r\n", ["API", "Web"]],
    ["not at one item alone", "- Build the API", ["Build the API"]],
    ["not at lines and signs", "---\nBuild the API. Write the tests\n- -", ["Build the API", "Write the tests"]],
    [
      "at sentences beside one item",
      "Build the login page\n- with tests for it",
      ["Build the login page", "with tests for it"],
    ],
    [
      "at sentences",
      "Build the API. Write the tests; update the docs\nFix the build",
      ["Build the API", "Write the tests", "update the docs", "Fix the build"],
    ],
    [
      "not inside of file names and versions",
      "Move src/a.ts to lib.v2/b.ts. Use Node 20.19 and v1.2.3 there.",
      ["Move src/a.ts to lib.v2/b.ts", "Use Node 20.19 and v1.2.3 there"],
    ],
    [
      "not at abbreviations",
      "Add checks, e.g. of the length, etc. and so on. Write the tests",
      ["Add checks, e.g. of the length, etc. and so on", "Write the tests"],
    ],
    [
      "not inside of code",
      "Run `npm ci; npm test` in the build. Cache `a.` too; please",
      ["Run `npm ci; npm test` in the build", "Cache `a.` too"],
    ],
    ["without short sentences", "Hello. Ten chars.. Eleven char. Build the API", ["Eleven char", "Build the API"]],
    ["not at all when everything is short", "Fix it. Now", ["Fix it. Now"]],
    [
      "not at all when it has code",
      "Make this faster:\n```\nfor (;;) { a(); b(); }\n```",
      ["Make this faster:\n```\nfor (;;) { a(); b(); }\n```"],
    ],
    [
      "into five parts at most, and no item is lost",
      "- a1\n- a2\n- a3\n- a4\n- a5\n- a6\n- a7",
      ["a1\na6", "a2\na7", "a3", "a4", "a5"],
    ],
    ["into nothing when it is blank", " \n\t", []],
  ])("%s", (_name, request, expected) => {
    expect(parts(request)).toEqual(expected);
  });

  it("into subtasks that own nothing yet", () => {
    expect(splitFromText("- API\n- Web")[1]).toEqual({
      id: "2",
      description: "Web",
      files: [],
      blockedBy: [],
      agentType: "executor",
      model: "sonnet",
    });
  });

  it("and a very long one is cut", () => {
    const [only, ...others] = parts(`${"word ".repeat(100_000)}`);
    expect(others).toEqual([]);
    expect(only).toMatch(/word…$/);
    expect(only?.length).toBeLessThanOrEqual(2_001);
  });
});
