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
  ])("refuses %s, and leaves nothing behind", async (_, limits, command, why) => {
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

  it("takes a repository of 10,000 files in little more than git needs to look at it", async () => {
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
    expect(took / look).toBeLessThan(40);
  }, 120_000);
});

describe("outside git", () => {
  beforeEach(() => {
    yard = new Yard(false);
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
