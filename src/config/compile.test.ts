import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../core/settings/config.ts";
import { type ConfigSource, compileConfig } from "./compile.ts";

const person = (text: string): ConfigSource => ({ file: "/home/dev/config.yml", owner: "person", text });
const project = (text: string): ConfigSource => ({ file: "/p/hookwright.yml", owner: "project", text });
const trusted = (text: string): ConfigSource => ({ ...project(text), trusted: true });
const ID = "safety/protected-paths";
const MENDED = "until that is corrected";

describe("the bundle of a fleet", () => {
  const fleet = (text: string): ConfigSource => ({ file: "/hw/fleet/bundle.yml", owner: "fleet", text });

  it("makes stricter what a person or a trusted project has loosened", async () => {
    const off = `policies: { ${ID}: off }`;
    const { policies } = await compileConfig([person(off), trusted(off), fleet(`policies: { ${ID}: enforce }`)]);
    expect(policies[ID]).toMatchObject({ mode: "enforce" });
  });

  it("loosens nothing, and says so without naming a project", async () => {
    const loose = `profiles: [safety]\npolicies: { ${ID}: off }\ncontextPolicy: restart\n`;
    const { policies, profiles, contextPolicy, problems } = await compileConfig([
      person("profiles: [ntm]"),
      fleet(loose),
    ]);
    expect([policies[ID]?.mode, profiles, contextPolicy]).toEqual(["enforce", ["ntm", "safety"], "preserve"]);
    expect(problems).toEqual([
      expect.stringMatching(/^\/hw\/fleet\/bundle\.yml:2:\d+: .*a fleet may only make it stricter/),
      expect.stringMatching(/a fleet may not set it by itself\.$/),
    ]);
  });
});

describe("reading", () => {
  it("takes profiles, modes, options and the budget", async () => {
    const text = `profiles: [ntm, ntm]
policies:
  ${ID}:
    mode: observe
    also: [infra]
  ntm/active-session: off
contextBudget: { tool: 900 }
`;
    expect(await compileConfig([person(text)])).toEqual({
      profiles: ["ntm"],
      policies: {
        [ID]: { mode: "observe", options: { also: ["infra"] } },
        "ntm/active-session": { mode: "off", options: {} },
      },
      contextBudget: { start: 6000, tool: 900 },
      contextPolicy: "preserve",
      rules: [],
      problems: [],
      goodFiles: ["/home/dev/config.yml"],
    });
  });

  it.each([
    "",
    "# nothing\n",
    "---\n",
    "null",
    "{}",
    "\n\n",
    "profiles:\npolicies:\ncontextBudget:\n",
    `policies:\n  ${ID}:\n    # also: [x]\n`,
    "\r\n# windows\r\n",
  ])("takes %j as no opinion", async (text) => {
    const { goodFiles, ...config } = await compileConfig([person(text)]);
    expect(config).toEqual(DEFAULT_CONFIG);
    expect(goodFiles).toHaveLength(1);
  });

  it("takes a mode, and no options, for a policy that a project brings along", async () => {
    const config = await compileConfig([person("policies:\n  local/guard: observe\n  local/other: { mode: off }")]);
    expect(config.problems).toEqual([]);
    expect(config.policies).toMatchObject({ "local/guard": { mode: "observe" }, "local/other": { mode: "off" } });
    const { problems } = await compileConfig([person("policies:\n  local/guard: { also: [x] }")]);
    expect(problems.join()).toContain("`also` is not an option here");
    expect((await compileConfig([project("policies:\n  local/guard: off")])).policies).toMatchObject({
      "local/guard": { mode: "enforce" },
    });
  });

  it("reads anchors, which are a way to write less", async () => {
    const text = `policies:\n  ${ID}: &a { mode: observe }\n  ntm/active-session: *a\n`;
    const config = await compileConfig([person(text)]);
    expect(config.problems).toEqual([]);
    expect(config.policies["ntm/active-session"]?.mode).toBe("observe");
  });

  it("reads %YAML 1.1 without taking `off` for a yes or no", async () => {
    const config = await compileConfig([person(`%YAML 1.1\n---\npolicies: { ${ID}: "off" }`)]);
    expect(config.policies[ID]?.mode).toBe("off");
  });
});

describe("mistakes", () => {
  it.each([
    ["profiles: [saftey]", "1:12: the profile `saftey` is not known. Did you mean `safety`?"],
    ["profile: [safety]", "1:1: `profile` is not a key here. Did you mean `profiles`?"],
    ["a: 1\ncontextbudget: {}", "`contextbudget` is not a key here. Did you mean `contextBudget`?"],
    ["profiles: safety", "1:11: `profiles` should be a list"],
    ["profiles: [[safety]]", 'the profile `["safety"]` is not known'],
    ["profiles: [{ toString: 1, valueOf: 2 }]", "is not known"],
    ["policies: [a]", "1:11: `policies` should hold policy names"],
    [
      `policies:\n  safety/protected-path: off`,
      "2:3: the policy `safety/protected-path` is not known. Did you mean `safety/protected-paths`?",
    ],
    [`policies:\n  __proto__: off`, "2:3: the policy `__proto__` is not known."],
    [`policies:\n  constructor: off`, "2:3: the policy `constructor` is not known."],
    [`policies:\n  ${ID}: enforced`, "2:27: the mode `enforced` is not known. Did you mean `enforce`?"],
    [`policies:\n  ${ID}: { mode: enforced }`, "2:35: the mode `enforced` is not known. Did you mean `enforce`?"],
    [`policies:\n  ${ID}: { mode: }`, "the mode `null` is not known."],
    [`policies:\n  ${ID}: true`, "2:27: a policy takes `off`"],
    [`policies:\n  ${ID}: [off]`, "a policy takes `off`"],
    [`policies:\n  ${ID}: { als: [x] }`, "2:29: `als` is not an option here. Did you mean `also`?"],
    [`policies:\n  ${ID}: { moed: off }`, "Did you mean `mode`?"],
    [`policies:\n  ${ID}: { toString: x }`, "`toString` is not an option here."],
    [`policies:\n  ${ID}: { __proto__: { also: [] } }`, "`__proto__` is not an option here."],
    [`policies:\n  ${ID}: { also: x }`, "`also`: Invalid input: expected array"],
    [`policies:\n  ${ID}: { also: }`, "`also`: Invalid input: expected array"],
    [`policies:\n  ${ID}: { also: [ok, 7] }`, "2:40: `also.1`: Invalid input: expected string"],
    ["contextBudget: 100", "`contextBudget` takes `start` and `tool`"],
    ["contextBudget: { start: 100 }", "1:25: `start`: Too small"],
    ["contextBudget: { start: 9001 }", "`start`: Too big"],
    ["contextBudget: { tool: 600.5 }", "`tool`: Invalid input: expected int"],
    ["contextBudget: { tools: 600 }", "Did you mean `tool`?"],
    ["contextBudget: { tool: .inf }", "`tool`"],
    ["- a\n- b", "1:1: the file should hold keys and values"],
    ["just text", "keys and values"],
    ["a: [", "1:"],
    ["profiles: []\nprofiles: [safety]", "2:1: `profiles` is already set above"],
    [`policies:\n  ${ID}: off\n  "${ID}": enforce`, "3:3: `safety/protected-paths` is already set above"],
    ["policies:\n\tx: off", "2:1:"],
    ["profiles: [safety]\n---\nprofiles: []", "2:1:"],
    ["profiles: *nowhere", "1:11: nothing is called `&nowhere`"],
    ["profiles: &a [*a]", "1:1: an alias refers to the very thing it is part of"],
    ["<<: { profiles: [] }", "`<<` is not a key here."],
    ["profiles: !!js/function 'x'", "`profiles` should be a list"],
    ["profiles: [safety", "1:"],
    ["\u0000", ""],
  ])("says where %j is wrong, and what was probably meant", async (text, expected) => {
    const { problems, goodFiles } = await compileConfig([person(text)]);
    expect(problems.join("\n")).toContain("/home/dev/config.yml:");
    expect(problems.join("\n")).toContain(expected);
    expect(problems.at(-1)).toContain(MENDED);
    expect(goodFiles).toEqual([]);
  });

  it("names each one", async () => {
    const text = `profiles: [a, b]\nx: 1\npolicies: { ${ID}: { y: 1, also: 3 } }\n`;
    const { problems } = await compileConfig([person(text)]);
    expect(problems).toHaveLength(6);
    expect(problems.map((one) => one.match(/yml:(\d+):/)?.[1])).toEqual(["2", "1", "1", "3", "3", undefined]);
  });

  it("does not fill the screen", async () => {
    const text = Array.from({ length: 500 }, (_, index) => `k${index}: 1`).join("\n");
    const { problems } = await compileConfig([person(text)]);
    expect(problems).toHaveLength(22);
    expect(problems[20]).toContain("there is more");
  });

  it("prints nothing that a terminal would obey, and no endless names", async () => {
    const text = `"\\e[2J\\u202e${"x".repeat(900)}": 1`;
    const { problems } = await compileConfig([person(text)]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(problems.join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(problems.join("")).toContain("\\u{1b}[2J");
    expect(problems.join("").length).toBeLessThan(400);
  });
});

describe("a broken file", () => {
  const strictMine = person(`profiles: [safety, ntm]\npolicies: { ${ID}: { also: [mine] } }`);

  it("counts as it was before, with all its rights if it is the person's", async () => {
    const config = await compileConfig([{ ...person("profiles: ["), lastGood: `policies: { ${ID}: off }` }]);
    expect(config.policies[ID]?.mode).toBe("off");
    expect(config.problems.at(-1)).toContain("what the file said before stays in force");
  });

  it("of a project does not loosen, even if it was trusted before", async () => {
    const text = `policies: { ${ID}: off, ntm/active-session: off }`;
    const config = await compileConfig([strictMine, { ...trusted("profiles: ["), lastGood: text }]);
    expect(config.policies).toEqual({
      [ID]: { mode: "enforce", options: { also: ["mine"] } },
      "ntm/active-session": { mode: "enforce", options: {} },
    });
  });

  it("does not keep a good one from counting", async () => {
    const config = await compileConfig([strictMine, project("x: 1")]);
    expect(config.policies[ID]?.options).toEqual({ also: ["mine"] });
    expect(config.goodFiles).toEqual(["/home/dev/config.yml"]);
  });

  it.each([
    ["a misspelt profile does not take safety away", "profiles: [saftey]", ["safety"], undefined],
    ["what is stricter is still taken", `x: 1\npolicies: { ${ID}: { also: [a], b: 1 } }`, ["safety"], ["a"]],
    ["what is looser is not", `x: 1\nprofiles: []\npolicies: { ${ID}: off }`, ["safety"], undefined],
  ])("without a past: %s", async (_name, text, profiles, also) => {
    const config = await compileConfig([person(text)]);
    expect(config.profiles).toEqual(profiles);
    expect(config.policies[ID]?.mode ?? "enforce").toBe("enforce");
    expect(config.policies[ID]?.options?.also).toEqual(also);
    expect(config.problems.at(-1)).toContain("only what makes things stricter");
  });

  it("whose past is broken too is treated as one without a past", async () => {
    const config = await compileConfig([{ ...person("profiles: [x]"), lastGood: "profiles: [y]" }]);
    expect(config.profiles).toEqual(["safety"]);
    expect(config.problems.at(-1)).toContain("only what makes things stricter");
  });

  it("that cannot be read is said, and counts as before", async () => {
    const unreadable = "/p/hookwright.yml: this is a directory, not a file.";
    const config = await compileConfig([{ ...project(""), unreadable, lastGood: "profiles: [ntm]" }]);
    expect(config.profiles).toEqual(["safety", "ntm"]);
    expect(config.problems[0]).toBe(unreadable);
    expect((await compileConfig([{ ...project(""), unreadable }])).problems[1]).toContain("as if it were not there");
  });
});

describe("a project's file", () => {
  it("adds profiles, never takes one away", async () => {
    const config = await compileConfig([person("profiles: [safety]"), project("profiles: [ntm]")]);
    expect(config.profiles).toEqual(["safety", "ntm"]);
    expect(config.problems).toEqual([]);
  });

  it.each([
    ["off", "enforce", "enforce", false],
    ["off", "observe", "observe", false],
    ["off", "off", "off", false],
    ["observe", "off", "observe", true],
    ["enforce", "observe", "enforce", true],
    ["enforce", "enforce", "enforce", false],
  ])("with the person's mode %s and its own %s uses %s", async (mine, theirs, used, isRefused) => {
    const config = await compileConfig([
      person(`policies: { ${ID}: ${mine} }`),
      project(`policies:\n  ${ID}: ${theirs}`),
    ]);
    expect(config.policies[ID]?.mode).toBe(used);
    expect(config.problems).toEqual(
      isRefused
        ? [
            `/p/hookwright.yml:2:27: \`${ID}.mode\` is ignored: a project may only make it stricter, and \`${mine}\` is in force. To allow it, run \`hookwright trust\` in the project.`,
          ]
        : [],
    );
  });

  it("cannot switch off what nobody configured, and the rest of it still counts", async () => {
    const config = await compileConfig([project(`profiles: [ntm]\npolicies: { ${ID}: { mode: off, also: [b] } }`)]);
    expect(config.policies[ID]).toEqual({ mode: "enforce", options: { also: ["b"] } });
    expect(config.profiles).toEqual(["safety", "ntm"]);
    expect(config.goodFiles).toEqual(["/p/hookwright.yml"]);
    expect(config.problems).toHaveLength(1);
  });

  it("adds its protected paths to the person's", async () => {
    const config = await compileConfig([
      person(`policies: { ${ID}: { also: [a] } }`),
      project(`policies: { ${ID}: { also: [b, a] } }`),
    ]);
    expect(config.policies[ID]?.options).toEqual({ also: ["a", "b"] });
  });

  it("lowers the context budget, and does not raise it", async () => {
    const config = await compileConfig([
      person("contextBudget: { start: 5000 }"),
      project("contextBudget: { start: 6000, tool: 1000 }"),
    ]);
    expect(config.contextBudget).toEqual({ start: 5000, tool: 1000 });
    expect(config.problems).toHaveLength(1);
    expect(config.problems[0]).toContain("`contextBudget.start` is ignored");
    expect(config.problems[0]).toContain("`5000` is in force");
  });

  it("does not choose what happens to a full context, unless it is trusted", async () => {
    expect((await compileConfig([person("contextPolicy: restart")])).contextPolicy).toBe("restart");
    const theirs = await compileConfig([project("contextPolicy: restart")]);
    expect(theirs.contextPolicy).toBe("preserve");
    expect(theirs.problems.join()).toContain("`contextPolicy` is ignored: a project may not set it by itself");
    expect((await compileConfig([trusted("contextPolicy: restart")])).contextPolicy).toBe("restart");
    const wrong = await compileConfig([person("contextPolicy: kill")]);
    expect(wrong.problems.join()).toContain("`contextPolicy` takes `preserve` or `restart`");
  });

  it("loosens everything once it is trusted", async () => {
    const mine = `profiles: [safety, ntm]\npolicies: { ${ID}: { also: [a] } }\ncontextBudget: { start: 600 }`;
    const theirs = `profiles: [plan]\npolicies: { ${ID}: { mode: off, also: [] } }\ncontextBudget: { start: 9000 }`;
    const { goodFiles: _files, ...config } = await compileConfig([person(mine), trusted(theirs)]);
    expect(config).toEqual({
      profiles: ["plan"],
      policies: { [ID]: { mode: "off", options: { also: [] } } },
      contextBudget: { start: 9000, tool: 2000 },
      contextPolicy: "preserve",
      rules: [],
      problems: [],
    });
  });

  it("takes options under a pack's name for every policy of the pack that has them", async () => {
    const config = await compileConfig([person("safety: { also: [a] }")]);
    expect(config.policies["safety/protected-paths"]?.options).toEqual({ also: ["a"] });
    expect(config.problems).toEqual([]);
  });

  it("lets a policy's own entry go before its pack's, and a project only add", async () => {
    const both = "safety: { also: [a] }\npolicies: { safety/protected-paths: { also: [b] } }";
    expect((await compileConfig([person(both)])).policies["safety/protected-paths"]?.options).toEqual({ also: ["b"] });
    const config = await compileConfig([person("safety: { also: [a] }"), project("safety: { also: [b] }")]);
    expect(config.policies["safety/protected-paths"]?.options).toEqual({ also: ["a", "b"] });
  });

  it.each([
    ["safety: { als: [a] }", "`als` is not an option here. Did you mean `also`?"],
    ["safety: 5", "`safety` should hold options: "],
    // `allow` means hosts in one policy and losses in another, so it cannot be set for the whole pack.
    ["safety: { allow: [x.test] }", "`allow` is not an option here."],
    ["saftey: {}", "Did you mean `safety`?"],
  ])("says what is wrong with %j", async (text, expected) => {
    expect((await compileConfig([person(text)])).problems.join()).toContain(expected);
  });
});

describe("a policy that starts programs of the project", () => {
  const STARTS = "detection/plugin-patterns";
  const modeIn = async (...sources: ConfigSource[]) => {
    const { policies, problems } = await compileConfig(sources);
    return [policies[STARTS]?.mode, problems];
  };

  it("is turned on by a person, and by a project that is trusted", async () => {
    expect(await modeIn(person(`policies: { ${STARTS}: enforce }`))).toEqual(["enforce", []]);
    expect(await modeIn(trusted(`policies: { ${STARTS}: enforce }`))).toEqual(["enforce", []]);
  });

  it("is not turned on by a project alone, which the person is told", async () => {
    for (const mode of ["observe", "enforce"]) {
      expect(await modeIn(project(`policies: { ${STARTS}: ${mode} }`))).toEqual([
        "off",
        [expect.stringContaining(`\`${STARTS}.mode\` is ignored: a project may not set it by itself. To allow it,`)],
      ]);
    }
    const watched = person(`policies: { ${STARTS}: observe }`);
    expect((await modeIn(watched, project(`policies: { ${STARTS}: enforce }`)))[0]).toBe("observe");
    expect(await modeIn(watched, project(`policies: { ${STARTS}: observe }`))).toEqual(["observe", []]);
  });

  it("is turned off by a project only as any other", async () => {
    const on = person(`policies: { ${STARTS}: enforce }`);
    expect((await modeIn(on, project(`policies: { ${STARTS}: off }`)))[0]).toBe("enforce");
  });

  it("differs in that from others that are off by default", async () => {
    const { policies } = await compileConfig([project("policies: { enhancement/agent-usage-reminder: enforce }")]);
    expect(policies["enhancement/agent-usage-reminder"]?.mode).toBe("enforce");
  });
});
