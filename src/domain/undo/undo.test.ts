import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expireSnapshots } from "./expire.ts";
import { registered } from "./stores.ts";
import { ENV, Yard } from "./undo.samples.ts";

const DAY_MS = 86_400_000;

let yard: Yard;
afterEach(() => yard.dispose());

const newer = async (snapshot: Parameters<Yard["plan"]>[0]): Promise<string[]> =>
  (await yard.plan(snapshot)).filter(({ isNewer }) => isNewer).map(({ what }) => what);

describe("in a repository", () => {
  beforeEach(() => {
    yard = new Yard();
    yard.write("a.txt", "committed\n");
    yard.git("add", "-A");
    yard.git("commit", "-qm", "first");
    yard.write("a.txt", "work\n");
  });

  it("keeps what git would collect as rubbish", async () => {
    yard.git("checkout", "-q", "-b", "side");
    yard.git("commit", "-qam", "only on side");
    yard.git("checkout", "-q", "main");
    yard.write("b.txt", "staged\n");
    yard.git("add", "b.txt");
    yard.git("stash", "-q");
    const before = yard.state();
    const snapshot = await yard.keep("git branch -D side; git stash clear");
    yard.bash("git branch -D side; git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now");
    await yard.restore(snapshot);
    expect(yard.state()).toEqual(before);
  });

  it("calls what came after it newer work, and nothing else", async () => {
    const snapshot = await yard.keep("git reset --hard");
    yard.bash("git reset --hard");
    expect(await newer(snapshot)).toEqual([]);
    yard.write("a.txt", "written since\n");
    expect(await newer(snapshot)).toEqual(["a.txt is back"]);
    yard.git("commit", "-qam", "since");
    expect(await newer(snapshot)).toEqual([expect.stringContaining("the branch main points to")]);
  });

  it("brings back single files without touching anything else", async () => {
    yard.write("other.txt", "staged\n");
    yard.git("add", "other.txt");
    const snapshot = await yard.keep("git reset --hard");
    yard.bash("git reset --hard");
    for (const step of await yard.plan(snapshot, ["a.txt"])) await step.run();
    expect(yard.read("a.txt")).toBe("work\n");
    expect(yard.git("ls-files").trim()).toBe("a.txt");
  });

  it.each(["", "text"])("gives a file its rights back although git sees no difference (%j)", async (text) => {
    yard.write("b.sh", text, 0o755);
    yard.git("add", "b.sh");
    const before = yard.state();
    const command = "install -m 700 /dev/null b.sh";
    const snapshot = await yard.keep(command);
    yard.bash(command);
    expect(yard.state()).not.toEqual(before);
    await yard.restore(snapshot);
    expect(yard.state()).toEqual(before);
  });

  it("works in a linked work tree, and leaves the others alone", async () => {
    yard.git("worktree", "add", "-q", "-b", "side", "trees/one");
    const inner = new Yard({ tree: path.join(yard.root, "trees/one") });
    inner.write("a.txt", "work in the other tree\n");
    inner.write("new.txt", "staged there\n");
    inner.git("add", "new.txt");
    const [before, outer] = [inner.state(), yard.state()];
    const snapshot = await inner.keep("git reset --hard HEAD && git clean -fdx");
    inner.bash("git reset -q --hard HEAD && git clean -qfdx");
    expect(inner.state()).not.toEqual(before);
    await inner.restore(snapshot);
    expect(inner.state()).toEqual(before);
    expect(yard.state()).toEqual(outer);
  });

  it("keeps what a pattern matches and not the rest of its folder", async () => {
    yard.write("one.data", "1\n");
    yard.write("two.data", "2\n");
    yard.write("large.bin", "x".repeat(5_000));
    const before = yard.state();
    const snapshot = await yard.keep("rm -f *.data", { maxBytes: 1_000 });
    yard.bash("rm -f *.data");
    await yard.restore(snapshot);
    expect(yard.state()).toEqual(before);
    expect(snapshot.files).toBe(2);
  });

  it("leaves untracked files that are in nobody's way, however large", async () => {
    yard.write("large.bin", "x".repeat(5_000));
    await yard.keep("git reset --hard", { maxBytes: 1_000 });
    await expect(yard.keep("git checkout -f other", { maxBytes: 1_000 })).rejects.toThrow("more than");
    await expect(yard.keep("git add -A && git reset --hard", { maxBytes: 1_000 })).rejects.toThrow("more than");
  });

  it("has more branches than a commit can well have parents", async () => {
    const tip = (n: number): string => yard.git("commit-tree", "HEAD^{tree}", "-m", `number ${n}`).trim();
    const own = tip(1);
    const lines = Array.from({ length: 1_200 }, (_, n) => `create refs/heads/b${n} ${n === 7 ? own : "HEAD"}\n`);
    yard.bash(`git update-ref --stdin <<'END'\n${lines.join("")}END`);
    const before = yard.state();
    const snapshot = await yard.keep("git branch -D b7 b8");
    yard.bash("git branch -q -D b7 b8; git reflog expire --expire=now --all; git gc -q --prune=now");
    await yard.restore(snapshot);
    expect(yard.state()).toEqual(before);
  }, 60_000);

  it("starts no program that the repository names", async () => {
    const trace = path.join(yard.base, "started");
    yard.write(".gitattributes", "*.txt filter=own\n");
    for (const name of ["clean", "process", "smudge"]) yard.git("config", `filter.own.${name}`, `touch ${trace}`);
    yard.git("config", "core.fsmonitor", `touch ${trace}`);
    fs.mkdirSync(path.join(yard.root, "hooks"));
    yard.write("hooks/reference-transaction", `#!/bin/sh\ntouch ${trace}\n`, 0o755);
    yard.git("config", "core.hooksPath", "hooks");
    fs.rmSync(trace, { force: true });
    await yard.keep("git reset --hard");
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
    yard.bash("mkdir inner pipes && mkfifo pipes/one && cd inner && git init -q && git commit -q --allow-empty -m x");
    yard.bash("touch inner/b.txt; git add inner");
    if (why === "split") yard.git("update-index", "--split-index");
    await expect(yard.keep(command, limits)).rejects.toThrow(why);
    expect(yard.git("for-each-ref", "refs/hookwright")).toBe("");
    expect(registered({ folder: yard.undo })).toEqual([]);
  });

  it("refuses to follow a link out of the project", async () => {
    fs.mkdirSync(path.join(yard.base, "elsewhere"));
    fs.symlinkSync(path.join(yard.base, "elsewhere"), path.join(yard.root, "out"));
    await expect(yard.keep("rm -rf out/data")).rejects.toThrow("outside the project");
  });

  it("expires by age and by size, oldest first", async () => {
    const first = await yard.keep("git reset --hard");
    const second = await yard.keep("git reset --hard");
    const at = { folder: yard.undo };
    const now = Date.now();
    expect(await expireSnapshots(at, ENV, now)).toBe(0);
    expect(await expireSnapshots(at, ENV, now, { days: 14, megabytes: (first.bytes * 1.5) / 1e6 })).toBe(1);
    expect(registered(at)).toHaveLength(1);
    expect(await expireSnapshots(at, ENV, now + 15 * DAY_MS)).toBe(1);
    expect(yard.git("for-each-ref", "refs/hookwright")).toBe("");
    await expect(yard.plan(second)).rejects.toThrow();
  });

  it("takes a repository of 10,000 files in not much more than git needs to look at it", async () => {
    for (let i = 0; i < 10_000; i++) yard.write(`many/${i % 100}/${i}.txt`, `file ${i}\n`);
    yard.git("add", "-A");
    yard.git("commit", "-qm", "many");
    for (let i = 0; i < 20; i++) yard.write(`many/${i}/${i}.txt`, "changed\n");
    yard.git("status", "--short");
    const started = performance.now();
    yard.git("status", "--porcelain", "-uall");
    const look = performance.now() - started;
    const again = performance.now();
    const { files } = await yard.keep("git reset --hard");
    const took = performance.now() - again;
    console.log(`10,000 files, ${files} kept: ${took.toFixed(0)} ms; git status alone: ${look.toFixed(0)} ms`);
    expect(files).toBe(20);
    expect(took / look).toBeLessThan(20);
  }, 120_000);
});

describe("outside git", () => {
  beforeEach(() => {
    yard = new Yard("folder");
    yard.write("notes/a.txt", "one\n", 0o600);
    yard.write("notes/run.sh", "#!/bin/sh\n", 0o755);
    fs.symlinkSync("a.txt", path.join(yard.root, "notes", "link"));
    fs.mkdirSync(path.join(yard.root, "notes", "empty"), { mode: 0o750 });
  });

  it.each(["rm -rf notes", ": > notes/a.txt", "mv notes/run.sh notes/a.txt"])("undoes %s", async (command) => {
    const before = yard.state();
    const snapshot = await yard.keep(command);
    expect(snapshot.store).toBe("copy");
    yard.bash(command);
    expect(yard.state()).not.toEqual(before);
    await yard.restore(snapshot);
    if (!command.startsWith("mv")) expect(yard.state()).toEqual(before);
    expect(yard.read("notes/a.txt")).toBe("one\n");
  });
});
