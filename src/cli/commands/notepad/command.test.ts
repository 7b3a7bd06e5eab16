import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NEW_NOTEPAD } from "../../../domain/notepad/sections.ts";
import { notepadCommand } from "./command.ts";
import { runNotepad } from "./run.ts";

let root: string;
let now: number;
let notices: string[];
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-notepad-")));
  execFileSync("git", ["init", "-q", root]);
  now = new Date(2026, 0, 9, 3, 4).getTime();
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

type Options = Parameters<typeof runNotepad>[0]["options"];

async function run(args: readonly string[], options: Options = {}, stdin = "", cwd = root): Promise<string> {
  const lines: string[] = [];
  notices = [];
  const context = {
    args,
    options,
    cwd,
    env: { HOME: root, HOOKWRIGHT_HOME: path.join(root, ".git/hw") },
    out: (text: string) => lines.push(text),
    err: (text: string) => notices.push(text),
  };
  const input = Readable.from([Buffer.from(stdin)]) as Parameters<typeof runNotepad>[1]["input"];
  expect(await runNotepad(context, { now: () => now, input })).toBe(0);
  return lines.join("\n");
}
const json = async (args: readonly string[], options: Options = {}) =>
  JSON.parse(await run(args, { ...options, json: true }));
const file = (): string => path.join(root, ".omc/notepad.md");
const text = (): string => fs.readFileSync(file(), "utf8");
const gitStatus = (): string =>
  execFileSync("git", ["-C", root, "status", "--porcelain", "--untracked-files=all"]).toString();

describe("notepad add", () => {
  it("begins a notepad that git does not show", async () => {
    expect(await run(["add", "use", "npm", "ci"])).toBe("Added to the working memory in .omc/notepad.md.");
    expect(text()).toBe(NEW_NOTEPAD.replace("Memory\n", "Memory\n\n### 2026-01-09 03:04\nuse npm ci\n"));
    expect(gitStatus()).toBe("");
    expect(fs.statSync(file()).mode & 0o777).toBe(0o600);
  });
  it("keeps a folder of others as git shows it", async () => {
    fs.mkdirSync(path.join(root, ".omc"));
    fs.writeFileSync(path.join(root, ".omc/mine.md"), "x");
    const before = gitStatus();
    await run(["add", "a"]);
    expect(gitStatus()).toBe(before);
    fs.writeFileSync(path.join(root, ".omc/.gitignore"), "/other\n");
    await run(["add", "b"]);
    expect(fs.readFileSync(path.join(root, ".omc/.gitignore"), "utf8")).toBe("/other\n");
  });
  it("writes into the section that an option names", async () => {
    await run(["add", "the API is frozen"], { priority: true });
    await run(["add", "mine"], { manual: true });
    expect(await json(["show"])).toMatchObject({
      priority: "the API is frozen",
      working: [],
      manual: [{ time: "2026-01-09 03:04", text: "mine" }],
    });
  });
  it("takes several lines from standard input", async () => {
    await run(["add", "-"], {}, "one\ntwo\n");
    expect((await json([])).working).toEqual([{ time: "2026-01-09 03:04", text: "one\ntwo" }]);
  });
  it("is the same from a folder inside, and as JSON", async () => {
    fs.mkdirSync(path.join(root, "src"));
    await run(["add", "a"], {}, "", path.join(root, "src"));
    expect(await json(["add", "b"])).toEqual({
      file: file(),
      section: "working",
      time: "2026-01-09 03:04",
      changed: true,
    });
    expect(await json(["add", "b"])).toMatchObject({ changed: false });
    expect(await json(["add", "c"], { priority: true })).toMatchObject({ section: "priority", time: null });
  });
  it("masks a secret, and says so", async () => {
    await run(["add", `password=${"hunter2hunter2"}`]);
    expect(text()).toContain("password=[masked]");
    expect(notices).toEqual(["hookwright: a secret in the text was replaced by [masked]."]);
  });
  it("warns about what is too long to be of use", async () => {
    await run(["add", "x".repeat(501)], { priority: true });
    expect(notices[0]).toContain("sessions are told the first 500");
    await run(["add", "x".repeat(500)], { priority: true });
    expect(notices).toEqual([]);
    await run(["add", "x ".repeat(4_000)]);
    expect(notices[0]).toContain("more than the 8192 that are of use");
  });
});

describe("notepad show", () => {
  it("says how to begin when there is none", async () => {
    expect(await run([])).toContain("`hookwright notepad add TEXT` begins .omc/notepad.md");
    expect(await json([])).toMatchObject({ file: file(), exists: false, bytes: 0, working: [] });
    expect(fs.existsSync(path.join(root, ".omc"))).toBe(false);
  });
  it("prints the file, or one section", async () => {
    await run(["add", "a"]);
    expect(await run(["show"])).toBe(text().trim());
    expect(await run(["show"], { manual: true })).toBe("The section MANUAL is empty.");
    await run(["add", "b"], { manual: true });
    expect(await run(["show"], { manual: true })).toBe("### 2026-01-09 03:04\nb");
    expect(await json(["show"], { priority: true })).not.toHaveProperty("working");
  });
  it("counts bytes and names the oldest note", async () => {
    await run(["add", "b"]);
    now -= 3_600_000;
    await run(["add", "a"]);
    expect(await json([])).toMatchObject({
      exists: true,
      bytes: Buffer.byteLength(text()),
      oldest: "2026-01-09 02:04",
    });
  });
});

describe("notepad prune and clear", () => {
  it("prune removes notes older than seven days, and no other", async () => {
    await run(["add", "old"]);
    await run(["add", "old"], { manual: true });
    now += 8 * 86_400_000;
    await run(["add", "young"]);
    expect(await run(["prune"])).toBe("Removed 1 note.");
    expect(await json([])).toMatchObject({ working: [{ text: "young" }], manual: [{ text: "old" }] });
    expect(await run(["prune"])).toBe("No note is older than 7 days.");
    expect(await json(["prune"])).toEqual({ file: file(), removed: 0 });
  });
  it("clear empties one section", async () => {
    await run(["add", "a"]);
    await run(["add", "b"]);
    await run(["add", "c"], { manual: true });
    await run(["add", "d"], { priority: true });
    expect(await run(["clear"])).toBe("Removed 2 notes.");
    expect(await json(["clear"], { priority: true })).toMatchObject({ section: "priority", removed: 1, changed: true });
    expect(await json([])).toMatchObject({ priority: "", working: [], manual: [{ text: "c" }] });
    expect(await run(["clear"], { manual: true })).toBe("Removed 1 note.");
    expect(text()).toBe(NEW_NOTEPAD);
    expect(await run(["clear"])).toBe("The working memory is empty.");
  });
  it("make no file where there is none", async () => {
    await run(["prune"]);
    await run(["clear"]);
    expect(fs.existsSync(path.join(root, ".omc"))).toBe(false);
  });
});

describe("refused", () => {
  it.each<[string, readonly string[], Options, string]>([
    ["an unknown action", ["ad", "x"], {}, "There is no action `ad`. Did you mean `add`?"],
    ["a text without an action", ["remember this"], {}, "`notepad add TEXT` adds a note"],
    ["no text", ["add"], {}, "`add` needs a text"],
    ["blanks", ["add", " \n "], {}, "`add` needs a text"],
    ["empty standard input", ["add", "-"], {}, "`add` needs a text"],
    ["a very long text", ["add", "x".repeat(20_001)], {}, "more than 20000 characters"],
    ["two sections", ["add", "x"], { priority: true, manual: true }, "Give --priority or --manual"],
    ["a text where none is taken", ["clear", "x"], {}, "`clear` takes no text"],
    ["prune of another section", ["prune"], { manual: true }, "`prune` is about the working memory alone"],
  ])("%s", async (_name, args, options, said) => {
    await expect(run(args, options)).rejects.toThrow(said);
    expect(fs.existsSync(path.join(root, ".omc"))).toBe(false);
  });
  it.each(["show", "add", "prune", "clear"])("%s where links lead elsewhere, and writes nothing", async (action) => {
    const elsewhere = path.join(root, "elsewhere");
    fs.mkdirSync(elsewhere);
    fs.writeFileSync(path.join(elsewhere, "notepad.md"), "## Working Memory\n\n### 2020-01-01 00:00\nx\n");
    const args = action === "add" ? [action, "x"] : [action];
    fs.symlinkSync(elsewhere, path.join(root, ".omc"));
    await expect(run(args)).rejects.toThrow(".omc is no plain folder");
    fs.rmSync(path.join(root, ".omc"));
    fs.mkdirSync(path.join(root, ".omc"));
    fs.symlinkSync(path.join(elsewhere, "notepad.md"), file());
    await expect(run(args)).rejects.toThrow(".omc/notepad.md is no plain file");
    expect(fs.readdirSync(elsewhere)).toEqual(["notepad.md"]);
    expect(fs.readdirSync(path.join(root, ".omc"))).toEqual(["notepad.md"]);
  });
});

it("is journalled when it changes something", () => {
  const changes = (...args: string[]) => notepadCommand.changes?.({ args, options: {} });
  expect([changes(), changes("show"), changes("add", "x"), changes("prune"), changes("clear")]).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});
