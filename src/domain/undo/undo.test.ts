import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sized } from "../../../test/support/long.ts";
import { expireSnapshots } from "./expire.ts";
import { registeredSnapshots } from "./snapshot-store.ts";
import { UNDO_ENV, UndoWorkspace } from "./undo.samples.ts";

const FILES = sized(2_000, 10_000);
const DAY_MS = 86_400_000;

let workspace: UndoWorkspace;
afterEach(() => workspace.dispose());

const newer = async (snapshot: Parameters<UndoWorkspace["plan"]>[0]): Promise<string[]> =>
  (await workspace.plan(snapshot)).filter(({ isNewer }) => isNewer).map(({ what }) => what);

describe("in a repository", () => {
  beforeEach(() => {
    workspace = new UndoWorkspace();
    workspace.write("a.txt", "committed\n");
    workspace.git("add", "-A");
    workspace.git("commit", "-qm", "first");
    workspace.write("a.txt", "work\n");
  });

  it("keeps what git would collect as rubbish", async () => {
    workspace.git("checkout", "-q", "-b", "side");
    workspace.git("commit", "-qam", "only on side");
    workspace.git("checkout", "-q", "main");
    workspace.write("b.txt", "staged\n");
    workspace.git("add", "b.txt");
    workspace.git("stash", "-q");
    const before = workspace.state();
    const snapshot = await workspace.keep("git branch -D side; git stash clear");
    workspace.bash("git branch -D side; git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now");
    await workspace.restore(snapshot);
    expect(workspace.state()).toEqual(before);
  });

  it("calls what came after it newer work, and nothing else", async () => {
    const snapshot = await workspace.keep("git reset --hard");
    workspace.bash("git reset --hard");
    expect(await newer(snapshot)).toEqual([]);
    workspace.write("a.txt", "written since\n");
    expect(await newer(snapshot)).toEqual(["a.txt is back"]);
    workspace.git("commit", "-qam", "since");
    expect(await newer(snapshot)).toEqual([expect.stringContaining("the branch main points to")]);
  });

  it("brings back single files without touching anything else", async () => {
    workspace.write("other.txt", "staged\n");
    workspace.git("add", "other.txt");
    const snapshot = await workspace.keep("git reset --hard");
    workspace.bash("git reset --hard");
    for (const step of await workspace.plan(snapshot, ["a.txt"])) await step.run();
    expect(workspace.read("a.txt")).toBe("work\n");
    expect(workspace.git("ls-files").trim()).toBe("a.txt");
  });

  it.each(["", "text"])("gives a file its rights back although git sees no difference (%j)", async (text) => {
    workspace.write("b.sh", text, 0o755);
    workspace.git("add", "b.sh");
    const before = workspace.state();
    const command = "install -m 700 /dev/null b.sh";
    const snapshot = await workspace.keep(command);
    workspace.bash(command);
    expect(workspace.state()).not.toEqual(before);
    await workspace.restore(snapshot);
    expect(workspace.state()).toEqual(before);
  });

  it("works in a linked work tree, and leaves the others alone", async () => {
    workspace.git("worktree", "add", "-q", "-b", "side", "trees/one");
    const inner = new UndoWorkspace({ tree: path.join(workspace.root, "trees/one") });
    inner.write("a.txt", "work in the other tree\n");
    inner.write("new.txt", "staged there\n");
    inner.git("add", "new.txt");
    const [before, outer] = [inner.state(), workspace.state()];
    const snapshot = await inner.keep("git reset --hard HEAD && git clean -fdx");
    inner.bash("git reset -q --hard HEAD && git clean -qfdx");
    expect(inner.state()).not.toEqual(before);
    await inner.restore(snapshot);
    expect(inner.state()).toEqual(before);
    expect(workspace.state()).toEqual(outer);
  });

  it("keeps what a pattern matches and not the rest of its folder", async () => {
    workspace.write("one.data", "1\n");
    workspace.write("two.data", "2\n");
    workspace.write("large.bin", "x".repeat(5_000));
    const before = workspace.state();
    const snapshot = await workspace.keep("rm -f *.data", { maxBytes: 1_000 });
    workspace.bash("rm -f *.data");
    await workspace.restore(snapshot);
    expect(workspace.state()).toEqual(before);
    expect(snapshot.files).toBe(2);
  });

  it("leaves untracked files that are in nobody's way, however large", async () => {
    workspace.write("large.bin", "x".repeat(5_000));
    await workspace.keep("git reset --hard", { maxBytes: 1_000 });
    await expect(workspace.keep("git checkout -f other", { maxBytes: 1_000 })).rejects.toThrow("more than");
    await expect(workspace.keep("git add -A && git reset --hard", { maxBytes: 1_000 })).rejects.toThrow("more than");
  });

  it("has more branches than a commit can well have parents", async () => {
    const tip = (n: number): string => workspace.git("commit-tree", "HEAD^{tree}", "-m", `number ${n}`).trim();
    const own = tip(1);
    const lines = Array.from({ length: 1_200 }, (_, n) => `create refs/heads/b${n} ${n === 7 ? own : "HEAD"}\n`);
    workspace.bash(`git update-ref --stdin <<'END'\n${lines.join("")}END`);
    const before = workspace.state();
    const snapshot = await workspace.keep("git branch -D b7 b8");
    workspace.bash("git branch -q -D b7 b8; git reflog expire --expire=now --all; git gc -q --prune=now");
    await workspace.restore(snapshot);
    expect(workspace.state()).toEqual(before);
  }, 180_000);

  it("starts no program that the repository names", async () => {
    const trace = path.join(workspace.base, "started");
    workspace.write(".gitattributes", "*.txt filter=own\n");
    for (const name of ["clean", "process", "smudge"]) workspace.git("config", `filter.own.${name}`, `touch ${trace}`);
    workspace.git("config", "core.fsmonitor", `touch ${trace}`);
    fs.mkdirSync(path.join(workspace.root, "hooks"));
    workspace.write("hooks/reference-transaction", `#!/bin/sh\ntouch ${trace}\n`, 0o755);
    workspace.git("config", "core.hooksPath", "hooks");
    fs.rmSync(trace, { force: true });
    await workspace.keep("git reset --hard");
    expect(fs.existsSync(trace)).toBe(false);
  });

  it.each([
    ["what is too large", { maxBytes: 3 }, "git reset --hard", "more than"],
    ["what takes too long", { maxMs: 1 }, "git reset --hard", "longer than"],
    ["the repository's own storage", {}, "rm -rf .git/refs", "own storage"],
    ["a name that is not text", {}, "rm -f $'caf\\351'", "not text"],
    ["two repositories at once", {}, "rm -rf a.txt inner/b.txt", "more than one repository"],
    ["what is no file", {}, "rm -rf pipes", "neither a file nor a folder"],
    ["submodules that go with it", {}, "git rm -rf inner", "submodules"],
    ["a split index", {}, "git stash clear; git reset --hard", "split"],
  ])("refuses %s, and leaves nothing behind", async (_, limits, command, why) => {
    workspace.bash(
      "mkdir inner pipes && mkfifo pipes/one && cd inner && git init -q && git commit -q --allow-empty -m x",
    );
    workspace.bash("touch inner/b.txt; git add inner");
    if (why === "split") workspace.git("update-index", "--split-index");
    await expect(workspace.keep(command, limits)).rejects.toThrow(why);
    expect(workspace.git("for-each-ref", "refs/hookwright")).toBe("");
    expect(registeredSnapshots({ folder: workspace.undo })).toEqual([]);
  });

  it("refuses to follow a link out of the project", async () => {
    fs.mkdirSync(path.join(workspace.base, "elsewhere"));
    fs.symlinkSync(path.join(workspace.base, "elsewhere"), path.join(workspace.root, "out"));
    await expect(workspace.keep("rm -rf out/data")).rejects.toThrow("outside the project");
  });

  it("expires by age and by size, oldest first", async () => {
    const first = await workspace.keep("git reset --hard");
    const second = await workspace.keep("git reset --hard");
    const at = { folder: workspace.undo };
    const now = Date.now();
    expect(await expireSnapshots(at, UNDO_ENV, now)).toBe(0);
    expect(await expireSnapshots(at, UNDO_ENV, now, { days: 14, megabytes: (first.bytes * 1.5) / 1e6 })).toBe(1);
    expect(registeredSnapshots(at)).toHaveLength(1);
    expect(await expireSnapshots(at, UNDO_ENV, now + 15 * DAY_MS)).toBe(1);
    expect(workspace.git("for-each-ref", "refs/hookwright")).toBe("");
    await expect(workspace.plan(second)).rejects.toThrow();
  });

  it("takes a large repository in not much more than git needs to look at it", async () => {
    for (let i = 0; i < FILES; i++) workspace.write(`many/${i % 100}/${i}.txt`, `file ${i}\n`);
    workspace.git("add", "-A");
    workspace.git("commit", "-qm", "many");
    for (let i = 0; i < 20; i++) workspace.write(`many/${i}/${i}.txt`, "changed\n");
    workspace.git("status", "--short");
    const started = performance.now();
    workspace.git("status", "--porcelain", "-uall");
    const look = performance.now() - started;
    const again = performance.now();
    const { files } = await workspace.keep("git reset --hard");
    const took = performance.now() - again;
    console.log(`${FILES} files, ${files} kept: ${took.toFixed(0)} ms; git status alone: ${look.toFixed(0)} ms`);
    expect(files).toBe(20);
    expect(took / look).toBeLessThan(20);
  }, 120_000);
});

describe("outside git", () => {
  beforeEach(() => {
    workspace = new UndoWorkspace("folder");
    workspace.write("notes/a.txt", "one\n", 0o600);
    workspace.write("notes/run.sh", "#!/bin/sh\n", 0o755);
    fs.symlinkSync("a.txt", path.join(workspace.root, "notes", "link"));
    fs.mkdirSync(path.join(workspace.root, "notes", "empty"), { mode: 0o750 });
  });

  it.each(["rm -rf notes", ": > notes/a.txt", "mv notes/run.sh notes/a.txt"])("undoes %s", async (command) => {
    const before = workspace.state();
    const snapshot = await workspace.keep(command);
    expect(snapshot.store).toBe("copy");
    workspace.bash(command);
    expect(workspace.state()).not.toEqual(before);
    await workspace.restore(snapshot);
    if (!command.startsWith("mv")) expect(workspace.state()).toEqual(before);
    expect(workspace.read("notes/a.txt")).toBe("one\n");
  });
});
