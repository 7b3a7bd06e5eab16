import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSession } from "./command.ts";

let folder: string;
let project: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-documents-")));
  project = path.join(folder, "app");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

async function run(args: string[], input = "", options: Record<string, string | boolean> = {}, env = {}) {
  const lines: string[] = [];
  const out = (text: string) => lines.push(text);
  const own = { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), CLAUDE_CODE_SESSION_ID: "agent-1", ...env };
  const context = { args, options, cwd: project, env: own, out, err: out };
  const code = await (async () => runSession(context, Readable.from([Buffer.from(input)])))();
  return { code, out: lines.join("\n") };
}

const LOG = "sessions/X/LOG.md";
const text = (file = LOG): string => fs.readFileSync(path.join(project, file), "utf8");
const put = (file: string, content: string): void => {
  fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  fs.writeFileSync(path.join(project, file), content);
};

describe("log", () => {
  it("adds an entry with the time in its first heading", async () => {
    await run(["log", LOG], "## One\nbody\n## Two");
    await run(["log", LOG], "## [noon] Three\n");
    expect(text()).toMatch(/^## \[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] One\nbody\n## Two\n\n## \[noon\] Three\n$/);
  });
  it("replaces the file when asked to, with or without a heading", async () => {
    await run(["log", LOG], "## One\n");
    await run(["log", LOG], "# Fresh\n", { overwrite: true });
    expect(text()).toBe("# Fresh\n");
    expect(fs.readdirSync(path.join(project, "sessions/X"))).toEqual(["LOG.md"]);
  });
  it.each([
    ["", "nothing to log"],
    ["no heading\n### small", "needs a heading"],
  ])("refuses %j", async (input, says) => {
    await expect(run(["log", LOG], input)).rejects.toThrow(says);
    expect(fs.existsSync(path.join(project, LOG))).toBe(false);
  });
  it.each(["a.md", "sessions/X/a.txt", "../sessions/X/a.md", "sessions/../a.md", "/etc/a.md", "sessions.md"])(
    "does not write %j",
    async (file) => {
      await expect(run(["log", file], "## x\n", { overwrite: true })).rejects.toThrow("is no markdown document below");
    },
  );
  it("does not follow a link out of the sessions", async () => {
    put("secret.md", "mine");
    fs.mkdirSync(path.join(project, "sessions/X"), { recursive: true });
    fs.symlinkSync(path.join(project, "secret.md"), path.join(project, LOG));
    await expect(run(["log", LOG], "## x\n")).rejects.toThrow("is no markdown document");
    expect(text("secret.md")).toBe("mine");
  });
});

describe("tag", () => {
  const DOC = "sessions/X/A.md";
  it("adds to the line of tags, once, and makes the line where there is none", async () => {
    put(DOC, "# Title\nbody\n");
    await run(["tag", "add", DOC, "#needs-review"]);
    await run(["tag", "add", DOC, "#needs-review"]);
    await run(["tag", "add", DOC, "#next-test"]);
    expect(text(DOC)).toBe("# Title\n**Tags**: #needs-review #next-test\nbody\n");
  });
  it("removes and swaps exactly that tag", async () => {
    put(DOC, "# T\n**Tags**: #needs-review #needs-review-2 #b\n");
    await run(["tag", "remove", DOC, "#b"]);
    await run(["tag", "swap", DOC, "#needs-review", "#done-review"]);
    expect(text(DOC)).toBe("# T\n**Tags**: #done-review #needs-review-2\n");
    await expect(run(["tag", "swap", DOC, "#needs-review", "#x"])).rejects.toThrow("there is no #needs-review");
    await expect(run(["tag", "remove", DOC, "#gone"])).rejects.toThrow("there is no #gone");
  });
  it("on a line of its own", async () => {
    put(DOC, "# T\nfix #needs-fix here\n");
    await run(["tag", "swap", DOC, "#needs-fix", "#done-fix"], "", { inline: "2" });
    expect(text(DOC)).toBe("# T\nfix #done-fix here\n");
    await expect(run(["tag", "add", DOC, "#a"], "", { inline: "9" })).rejects.toThrow("no line 9");
    await expect(run(["tag", "add", DOC, "#a"], "", { inline: "x" })).rejects.toThrow("line number");
  });
  it("finds tags that are live", async () => {
    put(DOC, "**Tags**: #needs-a\nspoken of `#needs-b`\n```\n#needs-c\n```\ndo #needs-d\n");
    const all = await run(["tag", "find", "#needs-*"]);
    expect(all.out.split("\n")).toEqual([`${DOC}:1: #needs-a`, `${DOC}:6: #needs-d`]);
    expect((await run(["tag", "find", "#needs-*"], "", { "tags-only": true })).out).toBe(`${DOC}:1: #needs-a`);
    expect((await run(["tag", "find", "#needs-d"], "", { context: "1" })).out).toContain("```\ndo #needs-d");
    expect((await run(["tag", "find", "#nothing"])).code).toBe(1);
  });
  it.each([
    [["add", DOC, "plain"]],
    [["swap", DOC, "#a"]],
    [["paint", DOC, "#a"]],
    [["add", "/etc/x.md", "#a"]],
    [["find", "#("]],
  ])("refuses %j", async (args) => {
    put(DOC, "x");
    await expect(run(["tag", ...args])).rejects.toThrow();
    expect(text(DOC)).toBe("x");
  });
});

describe("the state", () => {
  const DIR = "sessions/X";
  const state = () => JSON.parse(text(`${DIR}/.state.json`)) as Record<string, unknown>;

  it("fields are updated as what they are", async () => {
    await run(["activate", DIR, "do"]);
    await run(["update", DIR, "contextUsage", "0.5"]);
    await run(["update", DIR, "loading", "true"]);
    await run(["update", DIR, "currentPhase", "2: Build"]);
    await run(["update", DIR, "extraInfo", "42"]);
    await run(["target", DIR, "src/a.ts"]);
    expect(state()).toMatchObject({
      contextUsage: 0.5,
      loading: true,
      currentPhase: "2: Build",
      extraInfo: "42",
      targetFile: "src/a.ts",
    });
  });
  it.each([
    ["contextUsage", "much"],
    ["loading", "yes"],
    ["phases", "one"],
    ["lifecycle", "asleep"],
    ["__proto__", "{}"],
    ["a b", "1"],
  ])("%s cannot be %s", async (field, value) => {
    await run(["activate", DIR, "do"]);
    const before = text(`${DIR}/.state.json`);
    await expect(run(["update", DIR, field, value])).rejects.toThrow();
    expect(text(`${DIR}/.state.json`)).toBe(before);
  });
  it("what others write into the file is taken over, and what they break is put right", async () => {
    await run(["activate", DIR, "do"]);
    put(`${DIR}/.state.json`, JSON.stringify({ ...state(), skill: "theirs", extra: 1 }));
    await run(["update", DIR, "contextUsage", "0.1"]);
    expect(state()).toMatchObject({ skill: "theirs", extra: 1, contextUsage: 0.1 });
    put(`${DIR}/.state.json`, "half");
    await run(["update", DIR, "contextUsage", "0.2"]);
    expect(state()).toMatchObject({ skill: "theirs", contextUsage: 0.2 });
    const aside = fs.readdirSync(path.join(project, DIR)).filter((name) => name.includes(".corrupt-"));
    expect(aside.map((name) => text(`${DIR}/${name}`))).toEqual(["half"]);
  });
  it("a file that is removed ends the session", async () => {
    await run(["activate", DIR, "do"]);
    fs.rmSync(path.join(project, DIR, ".state.json"));
    expect((await run(["find"])).code).toBe(1);
  });
  it("is found by the process too, and printed whole on request", async () => {
    await run(["activate", DIR, "do"], "", {}, { CLAUDE_SUPERVISOR_PID: "4242" });
    const other = { CLAUDE_CODE_SESSION_ID: "agent-2", CLAUDE_SUPERVISOR_PID: "4242" };
    const { out } = await run(["find"], "", { json: true }, other);
    expect(JSON.parse(out)).toMatchObject({ dir: path.join(project, DIR), state: { pid: 4242, skill: "do" } });
    const stranger = { CLAUDE_CODE_SESSION_ID: "agent-3", CLAUDE_SUPERVISOR_PID: "1" };
    expect(await run(["find"], "", {}, stranger)).toEqual({ code: 1, out: "" });
  });
  it("rules are listed in their order, with what holds and what is broken", async () => {
    await run(["activate", DIR, "do"]);
    put(
      ".claude/guards.json",
      JSON.stringify([
        {
          id: "mine",
          trigger: { type: "phase", condition: { matches: "Build" } },
          payload: { text: "x" },
          priority: 1,
        },
      ]),
    );
    await run(["phase", "2: Build"]);
    const explained = (await run(["rules"], "", { explain: true })).out;
    expect(explained.indexOf("mine")).toBeLessThan(explained.indexOf("session-gate"));
    expect(explained).toContain(`from ${project}/.claude/guards.json: applies now`);
    put(".claude/guards.json", "[{");
    const broken = await run(["rules"], "", { json: true });
    const { rules, broken: files } = JSON.parse(broken.out) as {
      rules: { id: string; holds: boolean }[];
      broken: object[];
    };
    expect(rules[0]).toMatchObject({ id: "mine", holds: true });
    expect(files).toEqual([
      { file: `${project}/.claude/guards.json`, problem: expect.stringContaining("not valid JSON") },
    ]);
    expect((await run(["rules"])).out).toContain("The rules it had before still apply");
  });
  it.each([[[]], [["what"]], [["activate", DIR]], [["update", DIR, "x"]], [["target", DIR]], [["phase", DIR, "2: X"]]])(
    "refuses %j",
    async (args) => {
      await expect(run(args)).rejects.toThrow();
    },
  );
});
