import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitOf, promptWords } from "./match.ts";
import { skillId } from "./names.ts";
import { readSkill, type Skill } from "./skill.ts";
import { skillFromText, skillText } from "./skill-text.ts";
import { LOGIN, skillFile } from "./skills.samples.ts";

const read = (lines: readonly string[], file = "/s/some-file.md"): Skill => {
  const skill = readSkill(skillFile(lines), file);
  return typeof skill === "object" ? skill : expect.fail(String(skill));
};

describe("a skill file", () => {
  it("is read as a whole", () => {
    expect(
      read([
        "id: fix-login",
        "name: Fix login",
        'description: "The login: it fails"',
        "source: extracted",
        "createdAt: 2026-01-02T03:04:05.000Z",
        "sessionId: abc",
        "quality: 85",
        "usageCount: 3",
        "triggers:",
        "  - Login",
        "  - 'session  cookie'",
        "tags: [Web]",
        "matching: fuzzy",
        "model: opus",
      ]),
    ).toEqual({
      id: "fix-login",
      name: "Fix login",
      description: "The login: it fails",
      source: "extracted",
      createdAt: "2026-01-02T03:04:05.000Z",
      quality: 85,
      triggers: ["login", "session cookie"],
      tags: ["web"],
      isFuzzy: true,
      body: "# Problem\n\nIt fails.\n\n# Solution\n\nRestart it.",
    });
  });
  it("needs nothing but triggers", () => {
    expect(read(["triggers: a, b"])).toMatchObject({
      id: "some-file",
      name: "some-file",
      source: "manual",
      quality: undefined,
      triggers: ["a", "b"],
      isFuzzy: false,
    });
    expect(read(["triggers: [a]"], "/s/fix-login/SKILL.md").id).toBe("fix-login");
  });
  it.each([
    [["triggers: [A, a, ' a ']"], ["a"]],
    [["triggers: ['', ' ', b]"], ["b"]],
    [[`triggers: [${"x".repeat(101)}, b]`], ["b"]],
    [
      [`triggers: [${Array.from({ length: 80 }, (_, index) => `t${index}`).join(", ")}]`],
      expect.objectContaining({ length: 50 }),
    ],
  ])("%s", (lines, triggers) => expect(read(lines).triggers).toEqual(triggers));
  it.each([
    ["source: stolen", { source: "manual" }],
    ["quality: good", { quality: undefined }],
    ["quality: 400", { quality: 100 }],
    ["quality: -5", { quality: 0 }],
    ["matching: both", { isFuzzy: false }],
    ["name: true", { name: "some-file" }],
    ["id: ../../etc/passwd", { id: "etc-passwd" }],
  ])("with %s", (line, expected) => expect(read([line, "triggers: [a]"])).toMatchObject(expected));
  it.each([
    ["# A README\n", undefined],
    ["", undefined],
    ["---\ntriggers: [a]\n", "its front matter has no end"],
    ["---\ntriggers: []\n---\nx", "it has no triggers"],
    ["---\ntriggers: true\n---\nx", "it has no triggers"],
    ["---\ntriggers: a\n---\n \n", "it has no text"],
    ["---\ntriggers: a\uFFFD\n---\nx", "it is not UTF-8 text"],
  ])("%j is not usable", (text, why) => expect(readSkill(text, "a.md")).toBe(why));
});

describe("the id of a skill", () => {
  it.each([
    ["Fix login", "fix-login"],
    ["../../etc/passwd", "etc-passwd"],
    ["  a  b  ", "a-b"],
    ["Übung für é", "ubung-fur-e"],
    [".hidden", "hidden"],
    ["a\0b\nc", "a-b-c"],
    ["x".repeat(80), "x".repeat(50)],
    [`${"x".repeat(49)}-y`, "x".repeat(49)],
    ["CON", "con"],
  ])("%j is %s", (name, id) => expect(skillId(name)).toBe(id));
  it("is there for a name in any alphabet", () => {
    expect(skillId("修复登录")).toMatch(/^skill-[0-9a-f]{8}$/);
    expect(skillId("修复登录")).not.toBe(skillId("修复"));
    expect(skillId("...")).toMatch(/^skill-/);
    expect(skillId("123")).toMatch(/^skill-/);
  });
  it("is one plain name that stays the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (name) => {
        const id = skillId(name);
        expect(id).toMatch(/^[a-z0-9][a-z0-9-]*$/);
        expect(id.length).toBeLessThanOrEqual(50);
        expect(skillId(id)).toBe(id);
      }),
    );
  });
});

describe("how well a skill fits", () => {
  const scoreFor = (triggers: readonly string[], text: string, isFuzzy = false) =>
    fitOf({ triggers, tags: ["web"], quality: 80, isFuzzy }, promptWords(text)).score;
  it.each([
    [["login"], "The LOGIN page", 10],
    [["login", "page"], "The login page", 20],
    [["login"], "blogging", 0],
    [["log"], "the logs", 0],
    [["log"], "the log.", 10],
    [["c++"], "in c++ code", 10],
    [[".env"], "my.env and .env", 10],
    [["a b"], "a\n  b", 10],
  ])("%s in %j: %d", (triggers, text, score) => expect(scoreFor(triggers, text)).toBe(score));
  it.each([
    [["migration"], "migration", 20],
    [["migration"], "remigrations", 8],
    [["migration"], "migratoin", 7.8],
    [["migration"], "mitigate", 0],
    [["api"], "rapid", 0],
  ])("fuzzy %s in %j: %d", (triggers, text, score) => expect(scoreFor(triggers, text, true)).toBe(score));
  it("takes time in proportion to a long prompt", () => {
    expect(scoreFor(["aaaa"], "aaaa".repeat(10_000), true)).toBeGreaterThan(0);
    expect(
      scoreFor(
        Array.from({ length: 50 }, (_, at) => `word${at}x`),
        "word ".repeat(50_000),
        true,
      ),
    ).toBe(8);
  });
});

describe("a text that is written", () => {
  const about = { quality: 100, at: Date.UTC(2026, 0, 2), session: "s1" };
  const line = fc
    .string({ unit: "binary", minLength: 1, maxLength: 40 })
    .map((text) => text.replace(/\s+/g, " ").trim());
  it("is read as the same skill", () => {
    const draft = fc.record({
      name: line,
      description: line,
      problem: line,
      solution: line,
      triggers: fc.array(
        line.map((one) => one.toLowerCase()),
        { minLength: 1, maxLength: 5 },
      ),
      tags: fc.constant([]),
      source: fc.constant("extracted" as const),
    });
    fc.assert(
      fc.property(draft, (skill) => {
        fc.pre([skill.name, ...skill.triggers].every((one) => one !== "" && !one.includes("\uFFFD")));
        fc.pre(skill.triggers.every((one) => one === one.toLowerCase()) && !skillText(skill, about).includes("\uFFFD"));
        fc.pre(!skillText(skill, about).includes("[masked]"));
        const back = readSkill(skillText(skill, about), "x.md");
        expect(back).toMatchObject({
          id: skillId(skill.name),
          name: skill.name,
          triggers: [...new Set(skill.triggers)],
        });
      }),
    );
  });
  it("has no secret anywhere", () => {
    const secret = `password=${"hunter2hunter2"}`;
    const all = {
      name: secret,
      description: secret,
      problem: secret,
      solution: secret,
      triggers: [secret, "login"],
      tags: [secret],
    };
    const text = skillText({ ...all, source: "manual" }, about);
    expect(text).not.toContain("hunter2");
    expect(readSkill(text, "x.md")).toMatchObject({ triggers: ["login"] });
    expect(skillText({ ...all, body: secret, source: "manual" }, about)).not.toContain("hunter2");
  });
});

describe("a skill from a text", () => {
  it("keeps what a person wrote", () => {
    const skill = skillFromText(LOGIN.replace("name: Fix login", "name: Fix login\nmodel: opus"), "");
    expect(skill).toMatchObject({
      name: "Fix login",
      problem: "The login fails.",
      solution: "Set the cookie's domain.",
      triggers: ["login", "session cookie"],
    });
    const text = typeof skill === "object" ? skillText(skill, { quality: 100, at: 0, session: "" }) : "";
    expect(text).toContain("\nmodel: opus\n");
    expect(text).toContain("# Problem\n\nThe login fails.\n\n# Solution\n\nSet the cookie's domain.\n");
  });
  it("takes the description and the whole text without sections", () => {
    expect(
      skillFromText("---\nname: a\ndescription: It breaks\ntriggers: [x]\n---\nDo this.\n## More\nAnd that.", "b"),
    ).toMatchObject({
      name: "b",
      problem: "It breaks",
      solution: "Do this.\n## More\nAnd that.",
    });
  });
  it.each([
    ["x", "does not begin with front matter"],
    ["---\nname: a\n---\nx", "it has no triggers"],
  ])("%j is refused", (text, why) => {
    expect(skillFromText(text, "")).toContain(why);
  });
});
