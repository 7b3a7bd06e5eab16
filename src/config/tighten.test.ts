import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type CompiledConfig, compileWith } from "./compile.ts";
import { everyKind, SCHEMAS, SYNTHETIC } from "./synthetic.samples.ts";
import { directionOf, tightenMode, tightenOption } from "./tighten.ts";

const option = (name: keyof typeof everyKind.shape): z.ZodType => everyKind.shape[name];

describe("an option", () => {
  it.each([
    ["least", 3, 4, 4],
    ["least", 3, 3, 3],
    ["least", 3, 2, "refused"],
    ["most", 50, 49, 49],
    ["most", 50, 51, "refused"],
    ["strict", false, true, true],
    ["strict", true, false, "refused"],
    ["lenient", true, false, false],
    ["lenient", false, true, "refused"],
    ["answer", "ask", "deny", "deny"],
    ["answer", "ask", "once", "refused"],
    ["answer", "ask", "elsewhere", "refused"],
    ["patience", "long", "short", "short"],
    ["patience", "short", "long", "refused"],
    ["listed", ["a"], ["b"], ["a", "b"]],
    ["listed", ["a"], [], ["a"]],
    ["listed", [], ["b", "c"], ["b", "c"]],
    ["rules", [{ path: "x" }], [{ path: "x" }, { path: "y" }], [{ path: "x" }, { path: "y" }]],
    ["few", [1, 2], [3], [1, 2, 3]],
    ["few", [1, 2], [3, 4], "refused"],
    ["text", "x", "y", "refused"],
    ["text", "x", "x", "x"],
    ["unsaid", 1, 2, "refused"],
    ["unsaid", 1, 1, 1],
    ["unordered", "p", "q", "refused"],
    ["inside", 5, 6, 6],
    ["inside", 5, 4, "refused"],
    ["sometimes", undefined, 1, 1],
    ["sometimes", 2, 1, 1],
    ["nested", { a: 1 }, { a: 2 }, "refused"],
    ["nested", { a: 1 }, { a: 1 }, { a: 1 }],
  ] as const)("%s from %j towards %j becomes %j", (name, before, wanted, expected) => {
    const outcome = tightenOption(option(name), before, wanted);
    expect(outcome).toEqual(
      expected === "refused" ? { value: before, refused: true } : { value: expected, refused: false },
    );
  });

  it("has its direction wherever `.meta` stands, and none by default", () => {
    expect(directionOf(option("inside"))).toEqual({ tighter: "up", order: [] });
    expect(directionOf(option("answer"))).toEqual({ tighter: "up", order: ["once", "ask", "deny"] });
    expect(directionOf(option("unsaid"))).toEqual({ tighter: "none", order: [] });
  });
});

describe("a mode", () => {
  it.each([
    ["off", "observe", "observe", false],
    ["off", "enforce", "enforce", false],
    ["observe", "observe", "observe", false],
    ["observe", "off", "observe", true],
    ["enforce", "off", "enforce", true],
  ] as const)("from %s towards %s becomes %s", (before, wanted, value, refused) => {
    expect(tightenMode(before, wanted)).toEqual({ value, refused });
  });
});

describe("a file", () => {
  const compiled = (text: string, trusted = false): CompiledConfig =>
    compileWith(SCHEMAS, [{ file: "/p/hookwright.yml", owner: "project", text, trusted }]);

  it("gets what it may have and hears of the rest", () => {
    const config = compiled(`policies:\n  ${SYNTHETIC}:\n    least: 9\n    most: 60\n    text: y\n    answer: deny\n`);
    expect(config.policies[SYNTHETIC]?.options).toEqual({ least: 9, answer: "deny" });
    expect(config.problems).toEqual([
      `/p/hookwright.yml:4:5: \`${SYNTHETIC}.most\` is ignored: a project may only make it stricter, and \`50\` is in force. To allow it, run \`hookwright trust\` in the project.`,
      `/p/hookwright.yml:5:5: \`${SYNTHETIC}.text\` is ignored: a project may not set it by itself. To allow it, run \`hookwright trust\` in the project.`,
    ]);
    expect(config.goodFiles).toEqual(["/p/hookwright.yml"]);
  });

  it("is compared with the person's value, not with the default", () => {
    const text = (most: number): string => `policies: { ${SYNTHETIC}: { most: ${most} } }`;
    const config = compileWith(SCHEMAS, [
      { file: "/home/config.yml", owner: "person", text: text(90) },
      { file: "/p/hookwright.yml", owner: "project", text: text(80) },
    ]);
    expect(config.policies[SYNTHETIC]?.options).toEqual({ most: 80 });
    expect(config.problems).toEqual([]);
  });

  it("that asks for what is so anyway hears nothing", () => {
    expect(compiled(`policies: { ${SYNTHETIC}: { text: x, unsaid: 1, nested: { a: 1 } } }`).problems).toEqual([]);
  });

  it("that is trusted gets everything", () => {
    const config = compiled(`policies: { ${SYNTHETIC}: { least: 0, text: y, listed: [] } }`, true);
    expect(config.policies[SYNTHETIC]?.options).toEqual({ least: 0, text: "y", listed: [] });
    expect(config.problems).toEqual([]);
  });

  it("that is trusted does not get what only the person may set, and is told so", () => {
    const mine = z.object({ mine: z.array(z.string()).default([]).meta({ tighter: "person" }) });
    const [theirs, own] = (["project", "person"] as const).map((owner) =>
      compileWith(new Map([[SYNTHETIC, mine]]), [
        { file: "/p/hookwright.yml", owner, text: `policies: { ${SYNTHETIC}: { mine: [x] } }`, trusted: true },
      ]),
    );
    expect(own?.policies[SYNTHETIC]?.options).toEqual({ mine: ["x"] });
    expect(theirs?.policies[SYNTHETIC]?.options).toEqual({});
    expect(theirs?.problems).toEqual([
      `/p/hookwright.yml:1:32: \`${SYNTHETIC}.mine\` is ignored: only your own file may set it.`,
    ]);
  });

  it("hears the nearest word of an option that takes words", () => {
    expect(compiled(`policies: { ${SYNTHETIC}: { answer: dney } }`).problems[0]).toContain("Did you mean `deny`?");
  });
});
