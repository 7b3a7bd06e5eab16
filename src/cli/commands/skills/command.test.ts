import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { draftOf } from "../../../domain/skills/draft.ts";
import { runSkillJob, skillJob } from "../../../domain/skills/keep-skill.ts";
import { momentIn } from "../../../domain/skills/moments.ts";
import { readSkill } from "../../../domain/skills/skill.ts";
import { LOGIN, SOLVED, skillFile } from "../../../domain/skills/skills.samples.ts";
import { SkillRecords, skillRecords } from "../../../domain/skills/store.ts";
import { Database } from "../../../state/database.ts";
import { openTable } from "../../../state/stores.ts";
import { skillsCommand } from "./command.ts";
import { runSkills } from "./run.ts";

let root: string;
let project: string;
let home: string;
let now: number;
let notices: string[];
const at = (...parts: string[]): string => path.join(project, ".omc/skills", ...parts);
const own = (...parts: string[]): string => path.join(home, ".claude/local-skills", ...parts);
const database = (): string => path.join(root, "hw/state.db");
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-skills-")));
  project = path.join(root, "project");
  home = path.join(root, "home");
  fs.mkdirSync(home);
  execFileSync("git", ["init", "-q", project]);
  now = Date.UTC(2026, 0, 9, 3, 4);
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

type Options = Parameters<typeof runSkills>[0]["options"];

async function run(args: readonly string[], options: Options = {}, stdin = ""): Promise<string> {
  const lines: string[] = [];
  notices = [];
  const context = {
    args,
    options,
    cwd: project,
    env: { HOME: home, HOOKWRIGHT_HOME: path.join(root, "hw") },
    out: (text: string) => lines.push(text),
    err: (text: string) => notices.push(text),
  };
  const input = Readable.from([Buffer.from(stdin)]) as Parameters<typeof runSkills>[1]["input"];
  expect(await runSkills(context, { now: () => now, input })).toBe(0);
  return lines.join("\n");
}
const json = async (args: readonly string[], options: Options = {}) =>
  JSON.parse(await run(args, { ...options, json: true }));
const texts = { problem: "The login fails", solution: "Set the domain of the cookie" };
const addOne = (name = "Fix login", options: Options = {}): Promise<string> =>
  run(["add", name], { ...texts, trigger: [name.toLowerCase()], ...options });
const put = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};
function records<T>(work: (records: SkillRecords) => T, folder = project): T {
  const db = new Database(database(), 1_000);
  try {
    return work(new SkillRecords(openTable(db, `project:${folder}`, skillRecords.name, () => undefined)));
  } finally {
    db.close();
  }
}
const gitStatus = (): string =>
  execFileSync("git", ["-C", project, "status", "--porcelain", "--untracked-files=all"]).toString();

describe("skills add", () => {
  it("writes a file that is read again, and that git does not show", async () => {
    expect(await addOne()).toBe(`Wrote ${at("fix-login.md")}.`);
    expect(fs.readFileSync(at("fix-login.md"), "utf8")).toBe(
      [
        "---",
        "id: fix-login",
        "name: Fix login",
        "description: The login fails",
        "source: manual",
        'createdAt: "2026-01-09T03:04:00.000Z"',
        'quality: "100"',
        "triggers: [fix login]",
        "tags: [login]",
        "---",
        "",
        "# Problem",
        "",
        "The login fails",
        "",
        "# Solution",
        "",
        "Set the domain of the cookie",
        "",
      ].join("\n"),
    );
    expect(gitStatus()).toBe("");
    expect(fs.statSync(at("fix-login.md")).mode & 0o777).toBe(0o600);
  });
  it("writes the person's own where they belong", async () => {
    await addOne("Fix login", { global: true });
    expect(fs.readdirSync(own())).toEqual(["fix-login.md"]);
    expect(fs.existsSync(at())).toBe(false);
  });
  it("leaves a folder of skills as git shows it", async () => {
    put(at("mine.md"), LOGIN);
    await addOne("Another");
    expect(gitStatus()).toBe("?? .omc/skills/another.md\n?? .omc/skills/mine.md\n");
  });
  it("takes a whole skill from standard input", async () => {
    await run(["add", "-"], {}, LOGIN);
    expect(readSkill(fs.readFileSync(at("fix-login.md"), "utf8"), "x")).toMatchObject({
      triggers: ["login", "session cookie"],
      body: "# Problem\n\nThe login fails.\n\n# Solution\n\nSet the cookie's domain.",
    });
  });
  it("masks a secret", async () => {
    const secret = `password=${"hunter2hunter2"}`;
    await addOne("Fix login", { solution: `Set ${secret} in the environment`, description: secret });
    const text = fs.readFileSync(at("fix-login.md"), "utf8");
    expect(text).toContain("Set password=[masked] in the environment");
    expect(text).not.toContain("hunter2");
  });
  it("never leaves its folder, whatever the name", async () => {
    const names = ["../../../etc/x", "/etc/y", "a/../../b", "..", "x\0y", "~/z", ".git", "CON", "-rf", "修复"];
    for (const [index, name] of names.entries()) await addOne(name, { trigger: [`trigger${index}x`] });
    expect(fs.readdirSync(at()).sort()).toEqual(
      [...fs.readdirSync(at())].filter((name) => /^[a-z0-9][a-z0-9-]*\.md$/.test(name)).sort(),
    );
    expect(fs.readdirSync(at())).toHaveLength(names.length);
    expect(fs.readdirSync(root).sort()).toEqual(["home", "hw", "project"]);
    expect(fs.readdirSync(project).sort()).toEqual([".git", ".omc"]);
  });
  it.each<[string, readonly string[], Options, string, string]>([
    ["no name", ["add"], texts, "", "Name the skill"],
    ["a name in several words", ["add", "a", "b"], texts, "", "`b` is one word too many"],
    ["no problem", ["add", "a"], { solution: texts.solution, trigger: ["x1y"] }, "", "problem is missing"],
    ["no solution", ["add", "a"], { problem: "It fails", trigger: ["x1y"] }, "", "solution is missing"],
    ["no trigger", ["add", "a"], texts, "", "triggers is missing"],
    ["too short", ["add", "a"], { problem: "x", solution: "y", trigger: ["x1y"] }, "", "fewer than 10 characters"],
    ["no front matter", ["add", "-"], {}, "# Login\n", "it does not begin with front matter"],
    ["front matter without an end", ["add", "-"], {}, "---\nname: x\n", "its front matter has no end"],
    ["no UTF-8", ["add", "-"], {}, `${LOGIN}\uFFFD`, "it is not UTF-8 text"],
    ["too much", ["add", "-"], {}, LOGIN + "x".repeat(40_000), "more than 32 KB"],
  ])("refuses %s", async (_name, args, options, stdin, said) => {
    await expect(run(args, options, stdin)).rejects.toThrow(said);
    expect(fs.existsSync(at())).toBe(false);
  });
  it("never overwrites", async () => {
    put(at("fix-login.md"), "mine");
    await expect(addOne()).rejects.toThrow(".omc/skills/fix-login.md is there already, and is not overwritten");
    expect(fs.readFileSync(at("fix-login.md"), "utf8")).toBe("mine");
  });
  it("refuses what is like another skill", async () => {
    await addOne("Fix login", { trigger: ["login,cookie"] });
    await expect(addOne("Other", { trigger: ["cookie", "domain"] })).rejects.toThrow(
      "it shares half of its triggers or more with .omc/skills/fix-login.md",
    );
    await addOne("Other", { trigger: ["cookie", "domain", "header"] });
  });
  it.each([".omc", ".omc/skills"])("writes nothing through a link in the place of %s", async (name) => {
    const elsewhere = path.join(root, "elsewhere");
    fs.mkdirSync(path.join(elsewhere, "skills"), { recursive: true });
    fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    fs.symlinkSync(name === ".omc" ? elsewhere : path.join(elsewhere, "skills"), path.join(project, name));
    await expect(addOne()).rejects.toThrow("is no plain folder");
    expect(fs.readdirSync(elsewhere)).toEqual(["skills"]);
    expect(fs.readdirSync(path.join(elsewhere, "skills"))).toEqual([]);
  });
  it("writes nothing over a link", async () => {
    fs.mkdirSync(at(), { recursive: true });
    fs.symlinkSync(path.join(root, "target.md"), at("fix-login.md"));
    await expect(addOne()).rejects.toThrow("is there already");
    expect(fs.existsSync(path.join(root, "target.md"))).toBe(false);
  });
  it("says so where the project has a skill of that id", async () => {
    put(at("x.md"), skillFile(["id: fix-login", "triggers: [zzz]"]));
    await addOne("Fix login", { global: true });
    expect(notices).toEqual([expect.stringContaining("this project has a skill of its own with the id `fix-login`")]);
  });
});

describe("50 skills", () => {
  it("are 50 whole files, and nothing else", async () => {
    const expected: Record<string, string> = {};
    for (let index = 0; index < 50; index++) {
      const solution = `Do thing number ${index} and then the next one\n\n## Not a section ${index}`;
      await run(["add", `Skill ${index}`], {
        problem: texts.problem,
        solution,
        trigger: [`trigger-${index}`],
        description: "d",
      });
      expected[`skill-${index}.md`] = [
        `---\nid: skill-${index}\nname: Skill ${index}\ndescription: d\nsource: manual`,
        'createdAt: "2026-01-09T03:04:00.000Z"\nquality: "100"',
        `triggers: [trigger-${index}]\ntags: [login]\n---\n\n# Problem\n\nThe login fails\n\n# Solution\n\n${solution}\n`,
      ].join("\n");
    }
    expect(Object.fromEntries(fs.readdirSync(at()).map((name) => [name, fs.readFileSync(at(name), "utf8")]))).toEqual(
      expected,
    );
    expect((await json([])).skills).toHaveLength(50);
  });
});

describe("skills list and show", () => {
  it("say how to begin", async () => {
    expect(await run([])).toBe("There are no skills. `hookwright skills add NAME` writes one into .omc/skills.");
    expect(await json([])).toEqual({ skills: [], unusable: [] });
  });
  it("show uses, last use and quality", async () => {
    put(at("login.md"), LOGIN);
    put(own("cache.md"), skillFile(["triggers: [cache]"]));
    put(at("broken.md"), "---\nname: x\n");
    records((all) => all.countUse("project", "fix-login", now));
    records((all) => all.countUse("person", "cache", now - 86_400_000));
    records((all) => all.countUse("person", "cache", now), path.join(root, "another"));
    expect((await run([])).split("\n")).toEqual([
      "skill      uses  last use    quality  triggers               file",
      "fix-login  1     2026-01-09  90       login, session cookie  .omc/skills/login.md",
      "cache      2     2026-01-09  -        cache                  ~/.claude/local-skills/cache.md",
      "Not used: .omc/skills/broken.md (its front matter has no end)",
    ]);
    expect(await json(["list"])).toMatchObject({
      skills: [
        {
          id: "fix-login",
          scope: "project",
          uses: 1,
          lastUsed: "2026-01-09T03:04:00.000Z",
          quality: 90,
          file: at("login.md"),
        },
        { id: "cache", scope: "person", uses: 2, quality: null },
      ],
      unusable: [{ shown: ".omc/skills/broken.md" }],
    });
  });
  it("cannot move the cursor of a terminal", async () => {
    put(at("a.md"), skillFile(['triggers: ["\\x1b[2Jlogin"]']));
    expect(await run([])).not.toContain("\u001b");
    expect(await run([])).toContain("[2jlogin");
  });
  it("count on when the file is written again", async () => {
    put(at("login.md"), LOGIN);
    records((all) => all.countUse("project", "fix-login", now));
    fs.rmSync(at("login.md"));
    put(at("other-file.md"), LOGIN.replace("quality: 90", "quality: 10"));
    expect((await json([])).skills).toMatchObject([{ id: "fix-login", uses: 1, quality: 10 }]);
  });
  it("show a skill, by id or by name", async () => {
    put(at("login.md"), LOGIN);
    expect(await run(["show", "fix-login"])).toBe(`.omc/skills/login.md (never used)\n\n${LOGIN.trim()}`);
    expect(await json(["show", "Fix login"])).toMatchObject({
      id: "fix-login",
      body: expect.stringContaining("cookie's"),
    });
    await expect(run(["show", "fix-logn"])).rejects.toThrow("There is no skill `fix-logn`. Did you mean `fix-login`?");
    await expect(run(["show", "../login"])).rejects.toThrow("There is no skill");
    await expect(run(["show", "fix-login"], { global: true })).rejects.toThrow("There is no skill");
    await expect(run(["shwo"])).rejects.toThrow("There is no action `shwo`. Did you mean `show`?");
  });
});

describe("skills promote", () => {
  const PROGRESS =
    "## Codebase Patterns\n---\n\n## [2026-01-08 10:00] - US-001\n- Learnings:\n  - The vitest workers need a port of their own\n  - short\n---\n";
  const draft = draftOf(momentIn(SOLVED) ?? expect.fail("no moment"), "extracted");
  const keep = (): void =>
    records((all) => all.keepMoment({ id: "abc123", draft, at: now, session: "s", repeats: 0, isTold: true }));
  it("lists what could become a skill", async () => {
    expect(await run(["promote"])).toBe("Nothing is waiting to become a skill.");
    keep();
    fs.writeFileSync(path.join(project, "progress.txt"), PROGRESS);
    const lines = (await run(["promote"])).split("\n");
    expect(lines[0]).toMatch(/^abc123 {2}session {2}The login failed because/);
    expect(lines[1]).toMatch(/^[0-9a-f]{6} {2}ralph {4}The vitest workers need a port of their own$/);
    expect(lines).toHaveLength(2);
  });
  it("writes what an agent has found out", async () => {
    keep();
    await run(["promote", "abc123"], { name: "Proxy port" });
    expect(readSkill(fs.readFileSync(at("proxy-port.md"), "utf8"), "x")).toMatchObject({
      name: "Proxy port",
      source: "extracted",
      triggers: draft.triggers,
      body: `# Problem\n\n${draft.problem}\n\n# Solution\n\n${draft.solution}`,
    });
    expect(await run(["promote"])).toBe("Nothing is waiting to become a skill.");
  });
  it("writes what ralph has learned", async () => {
    fs.writeFileSync(path.join(project, "progress.txt"), PROGRESS);
    const [{ id }] = (await json(["promote"])).candidates;
    await run(["promote", id], { global: true, name: "Worker ports" });
    expect(readSkill(fs.readFileSync(own("worker-ports.md"), "utf8"), "x")).toMatchObject({
      source: "promoted",
      triggers: ["vitest", "port"],
      body: expect.stringContaining("The vitest workers need a port of their own"),
    });
  });
  it("keeps the moment when it is refused", async () => {
    keep();
    await expect(run(["promote", "abc123"], { solution: "x", problem: "y" })).rejects.toThrow("fewer than");
    expect(await run(["promote"])).toContain("abc123");
  });
  it("moves a skill to the person's own, with its uses", async () => {
    put(at("login.md"), `${LOGIN}\npassword=${"hunter2hunter2"}\n`);
    records((all) => all.countUse("project", "fix-login", now));
    expect(await run(["promote", "fix-login"])).toBe(`Moved .omc/skills/login.md to ${own("fix-login.md")}.`);
    expect(fs.readFileSync(own("fix-login.md"), "utf8")).toBe(`${LOGIN}\npassword=[masked]\n`);
    expect(fs.readdirSync(at())).toEqual([]);
    expect((await json([])).skills).toMatchObject([{ id: "fix-login", scope: "person", uses: 1 }]);
  });
  it("moves nothing over another file", async () => {
    put(at("login.md"), LOGIN);
    put(own("fix-login.md"), "mine");
    await expect(run(["promote", "fix-login"])).rejects.toThrow("is there already");
    expect([fs.readFileSync(at("login.md"), "utf8"), fs.readFileSync(own("fix-login.md"), "utf8")]).toEqual([
      LOGIN,
      "mine",
    ]);
    await expect(run(["promote", "nothing"])).rejects.toThrow("There is no skill `nothing`");
  });
});

describe("skills remove and prune", () => {
  it("removes one file", async () => {
    put(at("login.md"), LOGIN);
    put(own("login.md"), LOGIN);
    expect(await run(["remove", "fix-login"], { global: true })).toBe("Removed ~/.claude/local-skills/login.md.");
    expect(await json(["remove", "fix-login"])).toEqual({ removed: [at("login.md")] });
    await expect(run(["remove", "fix-login"])).rejects.toThrow("There is no skill");
    await expect(run(["remove"])).rejects.toThrow("Name the skill");
  });
  it("removes a link, and not what it leads to", async () => {
    put(at("sub/login.md"), LOGIN);
    fs.symlinkSync(at("sub/login.md"), at("a-link.md"));
    await run(["remove", "fix-login"]);
    expect(fs.readFileSync(at("sub/login.md"), "utf8")).toBe(LOGIN);
    expect(fs.existsSync(at("a-link.md"))).toBe(false);
  });
  const written = (days: number, source = "extracted", trigger = "x1"): string =>
    skillFile([
      `createdAt: "${new Date(now - days * 86_400_000).toISOString()}"`,
      `source: ${source}`,
      `triggers: [${trigger}]`,
    ]);
  it("prunes what was written by itself and not used for 90 days", async () => {
    put(at("old.md"), written(91));
    put(at("young.md"), written(89));
    put(at("manual.md"), written(91, "manual"));
    put(at("used.md"), written(400));
    put(at("untimed.md"), skillFile(["source: extracted", "triggers: [x]"]));
    put(own("old-own.md"), written(91, "promoted"));
    put(path.join(home, ".omc/skills/theirs.md"), written(400));
    records((all) => all.countUse("project", "used", now - 86_400_000));
    const old = [at("old.md"), own("old-own.md")];
    expect(await json(["prune"], { "dry-run": true })).toEqual({ wouldRemove: old });
    expect(await run(["prune"])).toBe("Removed .omc/skills/old.md.\nRemoved ~/.claude/local-skills/old-own.md.");
    expect(fs.readdirSync(at()).sort()).toEqual(["manual.md", "untimed.md", "used.md", "young.md"]);
    expect(await run(["prune"])).toBe("No skill that was written by itself is unused for 90 days.");
    expect(await json(["prune"], { days: "30" })).toEqual({ removed: [at("young.md")] });
    await expect(run(["prune"], { days: "0" })).rejects.toThrow("whole number");
  });
});

describe("the job that writes a skill by itself", () => {
  const draft = draftOf(momentIn(SOLVED) ?? expect.fail("no moment"), "extracted");
  const job = () => skillJob({ project, userHome: home, draft, session: "s1", at: now });
  const work = (): void => {
    const db = new Database(database(), 1_000);
    runSkillJob(job(), db, () => undefined);
    db.close();
  };
  it("writes it once, also when it runs twice", () => {
    work();
    const name = "login-failed-because-vite-config-ts-proxied-api.md";
    const text = fs.readFileSync(at(name), "utf8");
    expect(readSkill(text, name)).toMatchObject({ source: "extracted", quality: 100, triggers: draft.triggers });
    expect(text).toContain("sessionId: s1");
    work();
    expect(fs.readdirSync(at())).toEqual([name]);
    expect(fs.readFileSync(at(name), "utf8")).toBe(text);
  });
  it("writes nothing over a link", () => {
    fs.mkdirSync(path.join(root, "elsewhere"));
    fs.mkdirSync(path.dirname(at()), { recursive: true });
    fs.symlinkSync(path.join(root, "elsewhere"), at());
    work();
    expect(fs.readdirSync(path.join(root, "elsewhere"))).toEqual([]);
  });
});

it("is journalled when it changes something", () => {
  const changes = (args: string[], options = {}) => skillsCommand.changes?.({ args, options });
  expect([[], ["list"], ["show", "a"], ["promote"]].map((args) => changes(args))).toEqual([false, false, false, false]);
  expect([["add", "a"], ["promote", "a"], ["remove", "a"], ["prune"]].map((args) => changes(args))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(changes(["prune"], { "dry-run": true })).toBe(false);
});
