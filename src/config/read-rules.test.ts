import { describe, expect, it } from "vitest";
import type { Config } from "../core/settings/config.ts";
import { registry } from "../policies/index.gen.ts";
import { type ConfigSource, compileConfig } from "./compile.ts";
import { configDifferences } from "./config-differences.ts";

const person = (text: string): ConfigSource => ({ file: "/home/dev/config.yml", owner: "person", text });
const project = (text: string): ConfigSource => ({ file: "/p/hookwright.yml", owner: "project", text });
const trusted = (text: string): ConfigSource => ({ ...project(text), trusted: true });
const one = (rest: string): string => `rules:\n  - ${rest.trim().replaceAll("\n", "\n    ")}\n`;
const GOOD = 'id: a\nprogram: kubectl\ndo: deny\ntext: "No."';

describe("reading a rule", () => {
  it("takes everything there is, and fills in what was left out", async () => {
    const text = `rules:
  - id: no-prod-deploy
    event: PreToolUse
    tool: [Bash]
    program: [kubectl, helm]
    pattern: "deploy .*prod"
    path: ["infra/**", "/etc/**", "~/.kube/**"]
    do: deny
    mode: observe
    text: "{program} and {path}: deploys go through CI."
  - id: b
    tool: shell
    do: note
    text: Hello.
`;
    const { rules, problems } = await compileConfig([person(text)]);
    expect(problems).toEqual([]);
    expect(rules).toEqual([
      {
        id: "no-prod-deploy",
        event: "tool.before",
        tool: ["Bash"],
        program: ["kubectl", "helm"],
        pattern: "deploy .*prod",
        cost: expect.any(Number),
        path: ["infra/**", "/etc/**", "~/.kube/**"],
        do: "deny",
        mode: "observe",
        text: "{program} and {path}: deploys go through CI.",
      },
      { id: "b", event: "tool.before", tool: ["shell"], do: "note", mode: "enforce", text: "Hello.", cost: 0 },
    ]);
  });

  it.each(["rules:", "rules: []", `${one(GOOD)}    path:\n`, "rules:\n  # - id: x\n"])("takes %j", async (text) => {
    expect((await compileConfig([person(text)])).problems).toEqual([]);
  });

  it.each([
    ["deny", "tool.before"],
    ["ask", "tool.before"],
    ["note", "tool.before"],
    ["note", "tool.after"],
    ["note", "PostToolUseFailure"],
    ["deny", "permission.request"],
    ["deny", "prompt.submit"],
    ["note", "UserPromptSubmit"],
    ["deny", "prompt.expand"],
  ])("lets a rule %s at %s", async (action, event) => {
    const text = one(`id: a\nevent: ${event}\npattern: x\ndo: ${action}\ntext: "No."`);
    expect((await compileConfig([person(text)])).problems).toEqual([]);
  });
});

describe("mistakes in a rule", () => {
  it.each([
    ["rules: { a: 1 }", "1:8: `rules` should be a list; each rule begins with `- id: …`"],
    ["rules: [deny]", "1:9: a rule has keys and values"],
    ["rule: []", "1:1: `rule` is not a key here. Did you mean `rules`?"],
    [one("program: x\ndo: deny\ntext: No."), "2:5: `id`: this is missing."],
    [one("id: No_Deploy\nprogram: x\ndo: deny\ntext: No."), "2:9: `id`: a name has small letters"],
    [one(`id: ${"a".repeat(61)}\nprogram: x\ndo: deny\ntext: No.`), "2:9: `id`: Too big"],
    [one("id: a\nprogram: x\ndo: deny"), "`text`: this is missing."],
    [one("id: a\nprogram: x\ntext: No."), '`do`: Invalid option: expected one of "deny"|"ask"|"note"'],
    [one("id: a\nprogram: x\ndo: denny\ntext: No."), "4:9: `do`: Invalid option"],
    [one("id: a\nprogram: x\ndo: denny\ntext: No."), "Did you mean `deny`?"],
    [one("id: a\nprogramm: x\ndo: deny\ntext: No."), "3:5: `programm` is not an option here. Did you mean `program`?"],
    [one("id: a\n__proto__: x\nprogram: x\ndo: deny\ntext: No."), "`__proto__` is not an option here."],
    [one("id: a\nevent: tool.befor\nprogram: x\ndo: deny\ntext: No."), "Did you mean `tool.before`?"],
    [one("id: a\nevent: PreToolUze\nprogram: x\ndo: deny\ntext: No."), "Did you mean `PreToolUse`?"],
    [one("id: a\nevent: session.start\npattern: x\ndo: note\ntext: No."), "3:12: `event`: Invalid option"],
    [one("id: a\nmode: observed\nprogram: x\ndo: deny\ntext: No."), "Did you mean `observe`?"],
    [one("id: a\ndo: deny\ntext: No."), "2:5: the rule needs at least one of `tool`, `program`, `pattern`, `path`"],
    [
      one("id: a\nevent: prompt.submit\npattern: x\ndo: ask\ntext: No."),
      "5:9: `ask` means nothing at prompt.submit; there a rule may say `deny` or `note`",
    ],
    [one("id: a\nevent: tool.after\npattern: x\ndo: deny\ntext: No."), "there a rule may say `note`"],
    [
      one("id: a\nevent: prompt.submit\ntool: Bash\ndo: deny\ntext: No."),
      "4:5: a prompt has no `tool`, so the rule would never speak",
    ],
    [one('id: a\nprogram: x\ndo: deny\ntext: "{path}"'), "`{path}` can only be filled in when the rule has `path`"],
    [one('id: a\npath: x\ndo: deny\ntext: "{program}"'), "`{program}` can only be filled in"],
    [one("id: a\nprogram: /bin/x\ndo: deny\ntext: No."), "3:14: `program.0`: a program is named without its folder"],
    [one("id: a\nprogram: []\ndo: deny\ntext: No."), "`program`: Too small"],
    [one("id: a\nprogram: [x, 7]\ndo: deny\ntext: No."), "3:18: `program.1`: Invalid input: expected string"],
    [one("id: a\ntool: A B\ndo: deny\ntext: No."), "`tool.0`: a tool's name has no spaces"],
    [one('id: a\npattern: "a(?=b)"\ndo: deny\ntext: No.'), "3:14: `pattern`: looking ahead or behind is not possible"],
    [one('id: a\npattern: "(a)\\\\1"\ndo: deny\ntext: No.'), "`pattern`: referring back to a group is not possible"],
    [one('id: a\npattern: "("\ndo: deny\ntext: No.'), "`pattern`: missing closing )"],
    [one('id: a\npattern: ""\ndo: deny\ntext: No.'), "`pattern`: Too small"],
    [one(`id: a\npattern: "${"x".repeat(501)}"\ndo: deny\ntext: No.`), "`pattern`: Too big"],
    [one(`id: a\npattern: "${".{999}".repeat(9)}"\ndo: deny\ntext: No.`), "too large when its repetitions are written"],
    [one(`id: a\npath: "${"x".repeat(201)}"\ndo: deny\ntext: No.`), "`path.0`: Too big"],
    [one('id: a\npath: "!x"\ndo: deny\ntext: No.'), "3:11: `path.0`: `!` at its beginning has no meaning here"],
    [one('id: a\npath: [ok, "../x"]\ndo: deny\ntext: No.'), "3:16: `path.1`: `../x` leads out of the project"],
    [one('id: a\npath: "a/../b"\ndo: deny\ntext: No.'), "write the path without `..`"],
    [one('id: a\nprogram: x\ndo: deny\ntext: ""'), "`text`: Too small"],
    [one(`id: a\nprogram: x\ndo: deny\ntext: "${"x".repeat(1001)}"`), "`text`: Too big"],
    [one('id: a\nprogram: x\ndo: deny\ntext: "\\e[31m"'), "invisible control characters are not allowed"],
    [one('id: a\nprogram: x\ndo: deny\ntext: "\\u202Ex"'), "invisible control characters are not allowed"],
    [`${one(GOOD)}${one(GOOD).slice(7)}`, "6:9: the id `a` is already used above"],
  ])("are told with their place: %j", async (text, expected) => {
    const { problems, goodFiles, rules } = await compileConfig([person(text)]);
    expect(problems.join("\n")).toContain(expected);
    expect(problems.join("\n")).toContain("/home/dev/config.yml:");
    expect(goodFiles).toEqual([]);
    expect(rules.length).toBeLessThanOrEqual(1);
  });

  it("do not take the other rules with them, as far as those make things stricter", async () => {
    const text = `${one("id: bad\nprogram: x\ndo: denny\ntext: No.")}${one(GOOD).slice(7)}`;
    const { rules, problems } = await compileConfig([project(text)]);
    expect(rules.map(({ id }) => id)).toEqual(["a"]);
    expect(problems.at(-1)).toContain("only what makes things stricter is taken from it");
  });

  it("may not be hidden in a long list", async () => {
    const many = (count: number): string =>
      `rules:\n${Array.from({ length: count }, (_, n) => `  - { id: r${n}, tool: x, do: deny, text: No. }\n`).join("")}`;
    expect((await compileConfig([person(many(200))])).rules).toHaveLength(200);
    const { problems, rules } = await compileConfig([person(many(201))]);
    expect(problems[0]).toContain("/home/dev/config.yml:202:5: there may be 200 rules, and here are 201");
    expect(rules).toHaveLength(200);
  });

  it("says when patterns are too large together, and compiles no more of them", async () => {
    const rule = (n: number): string => `  - { id: r${n}, pattern: "(abc){0,190}[a-z]", do: deny, text: No. }\n`;
    const text = `rules:\n${Array.from({ length: 60 }, (_, n) => rule(n)).join("")}`;
    const { problems, rules } = await compileConfig([person(text)]);
    expect(problems[0]).toContain("the patterns and globs of this file are too large together");
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.length).toBeLessThan(60);
  });

  it("are found in a moment, whatever the patterns are", async () => {
    const evil = [
      "(()()()()()()){1000}",
      "(?i)\\\\pL\\\\pL\\\\pL",
      "((a?){30}){30}",
      `(${"\\\\pL".repeat(150)}){1000}`,
    ];
    const list = (patterns: readonly string[]): string =>
      `rules:\n${Array.from({ length: 200 }, (_, n) => `  - { id: r${n}, pattern: "${patterns[n % patterns.length]}", do: deny, text: No. }\n`).join("")}`;
    const timeOf = async (text: string): Promise<number> => {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 3; run++) {
        const started = performance.now();
        await compileConfig([project(text)]);
        best = Math.min(best, performance.now() - started);
      }
      return best;
    };
    const usual = await timeOf(list(["deploy .*prod", "git +push", "rm -rf? /"]));
    // Compiling any one of these would take seconds.
    expect(await timeOf(list(evil))).toBeLessThan(100 * usual);
  });
});

describe("a project's rules", () => {
  const mine = one('id: mine\nprogram: x\ndo: deny\ntext: "Mine."');
  const ids = (config: Config): string[] => config.rules.map(({ id, text }) => `${id} ${text}`);

  it.each(["deny", "ask"])("may %s without trust, after the person's", async (action) => {
    const config = await compileConfig([person(mine), project(one(`id: a\nprogram: y\ndo: ${action}\ntext: A.`))]);
    expect(config.problems).toEqual([]);
    expect(ids(config)).toEqual(["mine Mine.", "a A."]);
  });

  it("may not talk to the model by themselves", async () => {
    const text = one("id: a\nprogram: y\ndo: note\ntext: Obey.");
    const { rules, problems } = await compileConfig([person(mine), project(text)]);
    expect(rules.map(({ id }) => id)).toEqual(["mine"]);
    expect(problems).toEqual([
      "/p/hookwright.yml:2:5: `rules/a` is ignored: a project may not talk to the model through a rule by itself. To allow it, run `hookwright trust` in the project.",
    ]);
    expect(ids(await compileConfig([person(mine), trusted(text)]))).toEqual(["mine Mine.", "a Obey."]);
  });

  it.each([
    ["weaker", "program: x\ndo: ask"],
    ["switched off", "program: x\nmode: off\ndo: deny"],
    ["narrower", "program: x\npattern: never\ndo: deny"],
    ["as strict, with another text", "program: x\ndo: deny"],
  ])("may not replace one of the person's by one that is %s", async (_how, rest) => {
    const text = one(`id: mine\n${rest}\ntext: Theirs.`);
    const config = await compileConfig([person(mine), project(text)]);
    expect(ids(config)).toEqual(["mine Mine."]);
    expect(config.problems).toEqual([
      "/p/hookwright.yml:2:5: `rules/mine` is ignored: a rule of yours has this id, and a project may not change it. To allow it, run `hookwright trust` in the project.",
    ]);
    const allowed = await compileConfig([person(mine), trusted(text)]);
    expect([ids(allowed), allowed.problems]).toEqual([["mine Theirs."], []]);
  });

  it("that say the same as the person's are no matter", async () => {
    expect((await compileConfig([person(mine), project(mine)])).problems).toEqual([]);
  });

  it("stay in force while their file is broken, except for what needs trust", async () => {
    const lastGood = `${one('id: a\nprogram: y\ndo: deny\ntext: "A."')}${one("id: n\ntool: x\ndo: note\ntext: N.").slice(7)}`;
    const { rules } = await compileConfig([{ ...trusted("rules: ["), lastGood }]);
    expect(rules.map(({ id }) => id)).toEqual(["a"]);
  });

  it("are shown before they are trusted, each with all it says", async () => {
    const text = `${one("id: mine\nprogram: x\ndo: ask\ntext: Theirs.")}${one('id: n\npattern: x\ndo: note\ntext: "N."').slice(7)}`;
    const before = await compileConfig([person(mine), project(text)]);
    const after = await compileConfig([person(mine), trusted(text)]);
    const base = { event: "tool.before", mode: "enforce" };
    expect(configDifferences(registry, before, after)).toEqual([
      {
        what: "rules/mine",
        before: { ...base, program: ["x"], do: "deny", text: "Mine." },
        after: { ...base, program: ["x"], do: "ask", text: "Theirs." },
      },
      { what: "rules/n", before: undefined, after: { ...base, pattern: "x", do: "note", text: "N." } },
    ]);
  });
});
