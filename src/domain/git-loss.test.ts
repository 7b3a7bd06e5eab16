import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { GitQuestion } from "../effects/effect.ts";
import { effectsOf } from "../effects/effects.ts";
import { readShell } from "../shell/shell.ts";
import { GIT_QUERY_ENVIRONMENT, type GitRun, gitLoss, trackedAndClean } from "./git-loss.ts";

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "git-loss-")));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const environment = {
  PATH: process.env.PATH ?? "",
  HOME: root,
  GIT_CONFIG_GLOBAL: path.join(root, "gitconfig"),
  GIT_CONFIG_NOSYSTEM: "1",
};
fs.writeFileSync(
  environment.GIT_CONFIG_GLOBAL,
  '[user]\n\tname = a\n\temail = a@b\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
);

const run: GitRun = (folder, args) =>
  new Promise((done) => {
    const options = { env: { ...environment, ...GIT_QUERY_ENVIRONMENT }, encoding: "utf8" } as const;
    execFile("git", ["-C", folder, ...args], options, (error, stdout) => {
      done({ code: error ? (typeof error.code === "number" ? error.code : null) : 0, stdout });
    });
  });

let count = 0;
let repo = "";
/** A repository with `kept.txt`, `sub/deep.txt`, `.gitignore` (`*.log`, `build/`) in one commit. */
beforeEach(() => {
  repo = fresh("repo");
  git(repo, "init", "-q");
  write("kept.txt", "1\n");
  write("sub/deep.txt", "1\n");
  write(".gitignore", "*.log\nbuild/\n");
  commitAll("first");
});

function fresh(name: string): string {
  const folder = path.join(root, `${name} ${++count}`);
  fs.mkdirSync(folder);
  return folder;
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { env: environment, encoding: "utf8", stdio: "pipe" });
}

function write(file: string, text: string, folder = repo): void {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  fs.writeFileSync(path.join(folder, file), text);
}

function commitAll(message: string, folder = repo): void {
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", message);
}

function ask(loses: GitQuestion["loses"], only: readonly string[] = [], folder: string | undefined = repo) {
  return gitLoss({ folder, loses, only }, run);
}

describe("files", () => {
  test("a clean work tree loses nothing", async () => {
    expect(await ask(["changes", "unstaged", "untracked", "ignored"])).toBe("nothing");
  });

  test("a changed file is lost, and only where it is asked for", async () => {
    write("sub/deep.txt", "2\n");
    expect(await ask(["changes"])).toBe("something");
    expect(await ask(["unstaged"])).toBe("something");
    expect(await ask(["changes"], ["sub"])).toBe("something");
    expect(await ask(["changes"], ["*.txt"])).toBe("something");
    expect(await ask(["changes"], [path.join(repo, "sub/deep.txt")])).toBe("something");
    expect(await ask(["changes"], ["kept.txt"])).toBe("nothing");
    expect(await ask(["untracked", "ignored"])).toBe("nothing");
  });

  test("a staged change is safe from what only takes back to the index", async () => {
    write("kept.txt", "2\n");
    git(repo, "add", ".");
    expect(await ask(["unstaged"])).toBe("nothing");
    expect(await ask(["changes"])).toBe("something");
  });

  test("a file that was deleted only comes back", async () => {
    fs.rmSync(path.join(repo, "kept.txt"));
    expect(await ask(["changes", "unstaged"])).toBe("nothing");
    git(repo, "rm", "-q", "sub/deep.txt");
    expect(await ask(["changes"])).toBe("nothing");
  });

  test("a file taken out of the index that is still there would be written over", async () => {
    git(repo, "rm", "-q", "--cached", "kept.txt");
    expect(await ask(["changes"])).toBe("something");
  });

  test("a file staged and then deleted is only in the index", async () => {
    write("new.txt", "only here\n");
    git(repo, "add", "new.txt");
    fs.rmSync(path.join(repo, "new.txt"));
    expect(await ask(["changes"])).toBe("something");
    expect(await ask(["unstaged"])).toBe("nothing");
  });

  test("untracked and ignored are two things", async () => {
    write("new.txt", "x");
    expect(await ask(["untracked"])).toBe("something");
    expect(await ask(["ignored"])).toBe("nothing");
    expect(await ask(["changes"])).toBe("nothing");
    fs.rmSync(path.join(repo, "new.txt"));
    write("a.log", "x");
    expect(await ask(["untracked"])).toBe("nothing");
    expect(await ask(["ignored"])).toBe("something");
  });

  test("untracked files below a path, and a folder that is untracked as a whole", async () => {
    write("new/deep/a.txt", "x");
    expect(await ask(["untracked"], ["new"])).toBe("something");
    expect(await ask(["untracked"], ["new/deep"])).toBe("something");
    expect(await ask(["untracked"], ["sub"])).toBe("nothing");
  });

  test("a folder with nothing in it is no loss", async () => {
    fs.mkdirSync(path.join(repo, "empty/below"), { recursive: true });
    expect(await ask(["untracked"])).toBe("nothing");
  });

  test("from a subfolder: all of the work tree, or only what is here", async () => {
    const below = path.join(repo, "sub");
    write("new.txt", "x");
    write("kept.txt", "2\n");
    expect(await ask(["untracked"], [], below)).toBe("something");
    expect(await ask(["untracked"], ["."], below)).toBe("nothing");
    expect(await ask(["changes"], [], below)).toBe("something");
    expect(await ask(["changes"], ["."], below)).toBe("nothing");
    expect(await ask(["changes"], [":/"], below)).toBe("something");
    expect(await ask(["changes"], ["../kept.txt"], below)).toBe("something");
  });

  test("names with blanks, line ends and quotes", async () => {
    const name = 'a b\n"c".txt';
    write(name, "1");
    expect(await ask(["untracked"], [name])).toBe("something");
    commitAll("strange");
    expect(await ask(["changes"], [name])).toBe("nothing");
    write(name, "2");
    expect(await ask(["changes"], [name])).toBe("something");
    git(repo, "rm", "-q", "--cached", name);
    expect(await ask(["changes"], [name])).toBe("something");
  });

  test("files that nobody misses", async () => {
    write("build/out.js", "x");
    write("build/deep/b.js", "x");
    const question = { folder: repo, loses: ["ignored"], only: ["."] } as const;
    const seen: string[] = [];
    const harmless = (file: string) => seen.push(file) > 0 && file.startsWith("build/");
    expect(await gitLoss(question, run, harmless)).toBe("nothing");
    expect(seen).toEqual(["build/"]);
    write("a.log", "x");
    expect(await gitLoss(question, run, harmless)).toBe("something");
  });

  test("before the first commit", async () => {
    const unborn = fresh("unborn");
    git(unborn, "init", "-q");
    expect(await ask(["changes", "untracked"], [], unborn)).toBe("nothing");
    write("a.txt", "x", unborn);
    expect(await ask(["untracked"], [], unborn)).toBe("something");
    git(unborn, "add", ".");
    expect(await ask(["changes"], [], unborn)).toBe("something");
  });

  test("in a linked work tree only its own files count", async () => {
    const other = path.join(root, `tree ${++count}`);
    git(repo, "worktree", "add", "-q", "-b", "side", other);
    write("kept.txt", "2\n");
    expect(await ask(["changes"], [], other)).toBe("nothing");
    write("kept.txt", "3\n", other);
    expect(await ask(["changes"], [], other)).toBe("something");
  });

  test("what is in a submodule is its own, unless commands reach into it", async () => {
    const outer = fresh("outer");
    git(outer, "init", "-q");
    git(outer, "submodule", "add", "-q", repo, "part");
    commitAll("with a part", outer);
    write("part/kept.txt", "2\n", outer);
    expect(await ask(["changes"], [], outer)).toBe("nothing");
    expect(await ask(["changes"], [], path.join(outer, "part"))).toBe("something");
    git(outer, "config", "submodule.recurse", "true");
    expect(await ask(["changes"], [], outer)).toBe("unknown");
    expect(await ask(["untracked"], [], outer)).toBe("nothing");
    git(outer, "config", "submodule.recurse", "false");
    expect(await ask(["changes"], [], outer)).toBe("nothing");
  });

  test("no answer: no repository, no folder, a bare one, inside .git, no git, too late", async () => {
    const bare = fresh("bare");
    git(bare, "init", "-q", "--bare");
    const plain = fresh("plain");
    for (const folder of [plain, path.join(root, "missing"), bare, path.join(repo, ".git")]) {
      expect(await ask(["changes"], [], folder)).toBe("unknown");
      expect(await ask(["untracked"], [], folder)).toBe("unknown");
    }
    expect(await gitLoss({ folder: undefined, loses: ["changes"], only: [] }, run)).toBe("unknown");
    expect(await ask(["changes"], [path.join(plain, "x")])).toBe("unknown");
    const late: GitRun = async () => ({ code: null, stdout: "" });
    expect(await gitLoss({ folder: repo, loses: ["changes"], only: [] }, late)).toBe("unknown");
    expect(await gitLoss({ folder: repo, loses: ["branch"], only: ["main"] }, late)).toBe("unknown");
  });
});

describe("branches", () => {
  const asked = (...only: string[]) => ask(["branch"], only);

  test("commits that another branch, a tag or a remote keeps are not lost", async () => {
    git(repo, "branch", "same");
    expect(await asked("same")).toBe("nothing");
    git(repo, "checkout", "-qb", "feature/x");
    write("f.txt", "1");
    commitAll("more");
    expect(await asked("feature/x")).toBe("something");
    expect(await asked("refs/heads/feature/x")).toBe("something");
    expect(await asked("HEAD")).toBe("something");
    expect(await asked("main")).toBe("nothing");
    git(repo, "tag", "kept");
    expect(await asked("feature/x")).toBe("nothing");
    git(repo, "tag", "-d", "kept");
    git(repo, "update-ref", "refs/remotes/origin/feature/x", "feature/x");
    expect(await asked("feature/x", "HEAD")).toBe("nothing");
  });

  test("branches that only keep each other are lost together", async () => {
    git(repo, "checkout", "-qb", "a");
    write("f.txt", "1");
    commitAll("more");
    git(repo, "branch", "b");
    git(repo, "checkout", "-q", "main");
    expect(await asked("a")).toBe("nothing");
    expect(await asked("a", "b")).toBe("something");
  });

  test("a HEAD on no branch", async () => {
    git(repo, "checkout", "-q", "--detach");
    expect(await asked("HEAD")).toBe("nothing");
    write("f.txt", "1");
    commitAll("more");
    expect(await asked("HEAD")).toBe("something");
  });

  test("a name that is not there", async () => {
    expect(await asked("gone")).toBe("unknown");
    expect(await asked("main", "gone")).toBe("unknown");
    expect(await asked()).toBe("unknown");
    expect(await asked("--all")).toBe("unknown");
    expect(await gitLoss({ folder: repo, loses: ["branch"], only: ["new"], mayBeNew: true }, run)).toBe("nothing");
    const nowhere = { folder: root, loses: ["branch"], only: ["new"], mayBeNew: true } as const;
    expect(await gitLoss(nowhere, run)).toBe("unknown");
  });

  test("in a bare repository", async () => {
    const bare = fresh("bare");
    git(repo, "clone", "-q", "--bare", repo, bare);
    git(bare, "branch", "same");
    expect(await ask(["branch"], ["same"], bare)).toBe("nothing");
  });
});

describe("tracked and clean", () => {
  const kept = (...paths: string[]) => trackedAndClean(paths, repo, run);

  test("committed files and folders", async () => {
    expect(await kept("kept.txt")).toBe(true);
    expect(await kept("kept.txt", "sub", path.join(repo, "sub/deep.txt"))).toBe(true);
    expect(await trackedAndClean(["deep.txt", "../kept.txt"], path.join(repo, "sub"), run)).toBe(true);
  });

  test("whatever is not kept", async () => {
    write("new.txt", "x");
    expect(await kept("new.txt")).toBe(false);
    expect(await kept("kept.txt", "new.txt")).toBe(false);
    expect(await kept("missing.txt")).toBe(false);
    expect(await kept(".git")).toBe(false);
    expect(await kept(".git/config")).toBe(false);
    expect(await kept(root)).toBe(false);
    expect(await kept()).toBe(false);
    expect(await trackedAndClean(["x"], root, run)).toBe(false);
  });

  test("the root holds the repository itself", async () => {
    expect(await kept(".")).toBe(false);
    expect(await kept(repo)).toBe(false);
    expect(await trackedAndClean([".."], path.join(repo, "sub"), run)).toBe(false);
    expect(await kept("sub/..")).toBe(false);
  });

  test("a folder with anything else in it", async () => {
    write("sub/a.log", "x");
    expect(await kept("sub")).toBe(false);
    fs.rmSync(path.join(repo, "sub/a.log"));
    expect(await kept("sub")).toBe(true);
    write("sub/new/x.txt", "x");
    expect(await kept("sub")).toBe(false);
    expect(await kept("sub/deep.txt")).toBe(true);
  });

  test("changed, staged, deleted, or hidden from git", async () => {
    write("kept.txt", "2\n");
    expect(await kept("kept.txt")).toBe(false);
    git(repo, "add", ".");
    expect(await kept("kept.txt")).toBe(false);
    git(repo, "reset", "-q", "--hard");
    fs.rmSync(path.join(repo, "kept.txt"));
    expect(await kept("kept.txt")).toBe(false);
    git(repo, "reset", "-q", "--hard");
    expect(await kept("kept.txt")).toBe(true);
    git(repo, "update-index", "--assume-unchanged", "kept.txt");
    write("kept.txt", "2\n");
    expect(await kept("kept.txt")).toBe(false);
    git(repo, "update-index", "--no-assume-unchanged", "kept.txt");
    git(repo, "update-index", "--skip-worktree", "kept.txt");
    expect(await kept("kept.txt")).toBe(false);
  });

  test("a submodule, and a folder that has one", async () => {
    const outer = fresh("outer");
    git(outer, "init", "-q");
    git(outer, "submodule", "add", "-q", repo, "in/part");
    commitAll("with a part", outer);
    expect(await trackedAndClean(["in/part"], outer, run)).toBe(false);
    expect(await trackedAndClean(["in"], outer, run)).toBe(false);
  });

  test("names are names, not patterns", async () => {
    expect(await kept("*.txt")).toBe(false);
    write("*.txt", "x");
    commitAll("a star");
    expect(await kept("*.txt")).toBe(true);
  });
});

describe("from the line to the answer", () => {
  const answers = async (line: string) => {
    const shell = readShell(line, { cwd: repo });
    const effects = effectsOf(shell, { cwd: repo, userHome: root });
    return Promise.all(effects.map((one) => (one.git ? gitLoss(one.git, run) : "unasked")));
  };

  test("nothing to lose", async () => {
    git(repo, "branch", "merged");
    git(repo, "update-ref", "refs/remotes/origin/main", "main");
    fs.rmSync(path.join(repo, "sub/deep.txt"));
    for (const line of [
      "git checkout -- sub/deep.txt",
      "git checkout .",
      "git clean -fdx",
      "git branch -D merged",
      "git checkout -B new",
      "cd sub && git clean -fd",
      "git rm -rf sub",
      "git restore --source=HEAD~0 .",
    ])
      expect(await answers(line), line).toEqual(["nothing"]);
    expect(await answers("git reset --hard origin/main")).toEqual(["nothing", "nothing"]);
  });

  test("something to lose", async () => {
    git(repo, "checkout", "-qb", "feature");
    write("f.txt", "1");
    commitAll("more");
    write("kept.txt", "2\n");
    write("new.txt", "x");
    write("sub/a.log", "x");
    for (const line of [
      "git checkout -- kept.txt",
      "git checkout HEAD -- *.txt",
      "git restore .",
      "cd sub && git reset --hard",
      "cd sub && git clean -fx",
      "git clean -f",
      "git clean -fX sub",
      "git rm -f kept.txt",
      "git branch -D feature",
      "git switch -C feature main",
    ])
      expect(await answers(line), line).toEqual(["something"]);
    expect(await answers("git reset --hard HEAD~1")).toEqual(["something", "something"]);
    expect(await answers("git checkout sub/deep.txt")).toEqual(["nothing"]);
    expect(await answers("git clean -f sub")).toEqual(["nothing"]);
    expect(await answers("git branch -D gone")).toEqual(["unknown"]);
    expect(await answers("git stash pop; git checkout .")).toEqual(["unasked"]);
  });
});

test("asking starts nothing that the repository names", async () => {
  const outer = path.join(root, "trapped");
  fs.mkdirSync(outer);
  git(outer, "init", "-q");
  git(outer, "submodule", "add", "-q", repo, "part");
  write("f.txt", "1\n", outer);
  commitAll("with a part", outer);
  const mark = path.join(root, "started");
  const program = path.join(outer, ".git", "program");
  fs.writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\n`, { mode: 0o755 });
  for (const folder of [path.join(outer, "part"), outer]) {
    git(folder, "config", "core.fsmonitor", program);
    git(folder, "config", "core.pager", program);
    git(folder, "config", "diff.external", program);
    git(folder, "config", "diff.x.textconv", program);
    git(folder, "config", `filter.${path.basename(folder)}.clean`, program);
    git(folder, "config", "filter.y.z.process", program);
    git(folder, "config", "filter.y.z.required", "true");
  }
  const hooks = path.join(outer, ".git/hooks");
  fs.mkdirSync(hooks, { recursive: true });
  for (const name of ["post-index-change", "post-checkout"]) fs.copyFileSync(program, path.join(hooks, name));
  for (const folder of [outer, path.join(outer, "part")])
    write(".gitattributes", `*.txt filter=${path.basename(folder)} diff=x\nkept* filter=y.z\n`, folder);
  fs.rmSync(mark, { force: true });

  await run(outer, ["diff"]);
  expect(fs.existsSync(mark), "the trap works").toBe(true);
  fs.rmSync(mark);
  for (const [file, folder] of [
    ["f.txt", outer],
    ["part/kept.txt", outer],
  ] as const)
    write(file, "1\n", folder);
  await ask(["changes", "unstaged"], ["f.txt", "part"], outer);
  await ask(["untracked", "ignored"], [], outer);
  await ask(["branch"], ["main"], outer);
  await trackedAndClean(["f.txt"], outer, run);
  await ask(["changes"], [], path.join(outer, "part"));
  expect(fs.existsSync(mark) ? fs.readFileSync(mark, "utf8") : "").toBe("");
});
