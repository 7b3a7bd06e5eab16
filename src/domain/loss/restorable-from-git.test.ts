import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { effectsOf } from "../../effects/effects.ts";
import { readShell } from "../../shell/shell.ts";
import { GIT_QUERY_ENVIRONMENT, type GitRun } from "../git-loss.ts";
import { answerEffects } from "./answer-effects.ts";
import { withQuestionLimit } from "./limited-git.ts";
import { lineProbes } from "./line/line-probes.ts";
import { restorableFromGit } from "./restorable-from-git.ts";

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "kept-by-git-")));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
const repo = path.join(root, "repo");
const environment = { PATH: process.env.PATH ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
let started = 0;

const run: GitRun = (folder, args) => {
  started++;
  return new Promise((done) => {
    const options = { env: { ...environment, ...GIT_QUERY_ENVIRONMENT }, encoding: "utf8" } as const;
    execFile("git", ["-C", folder, ...args], options, (error, stdout) => {
      done({ code: error ? (typeof error.code === "number" ? error.code : null) : 0, stdout });
    });
  });
};

const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(repo, file)), { recursive: true });
  fs.writeFileSync(path.join(repo, file), text);
};
const committed = Array.from({ length: 500 }, (_, at) => `src/f${at}.txt`);

beforeAll(() => {
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args], { env: environment, stdio: "pipe" });
  fs.mkdirSync(repo);
  git("init", "-q");
  for (const file of [...committed, "dirty/a", "dirty/b", "dirty/c", "dirty/gone/x", "sub/x"]) write(file, "1\n");
  fs.symlinkSync("a", path.join(repo, "dirty/link"));
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
  write("dirty/b", "2\n");
  fs.rmSync(path.join(repo, "dirty/gone"), { recursive: true });
});

const kept = async (folder: string, names: readonly string[]): Promise<readonly string[]> => {
  started = 0;
  const questions = names.map((name) => ({ path: path.join(folder, name), folder }));
  return [...(await restorableFromGit(questions, withQuestionLimit(run).git))]
    .map((one) => path.relative(folder, one))
    .sort();
};

test("hundreds of committed files are asked for at once", async () => {
  const names = committed.map((file) => path.basename(file));
  expect(await kept(path.join(repo, "src"), names)).toEqual([...names].sort());
  expect(started).toBeLessThan(12);
});

test("files that git does not know are asked for at once", async () => {
  const names = Array.from({ length: 900 }, (_, at) => `new${at}`);
  expect(await kept(path.join(repo, "src"), ["f1.txt", ...names])).toEqual(["f1.txt"]);
  expect(started).toBeLessThan(16);
});

test("where there is no repository nothing is kept", async () => {
  expect(await kept(root, ["a", "b", "c", "d"])).toEqual([]);
});

test("one changed file does not hide the others, and is not kept", async () => {
  expect(await kept(path.join(repo, "dirty"), ["a", "b", "c", "new"])).toEqual(["a", "c"]);
});

test("links and folders are looked at one by one", async () => {
  expect(await kept(path.join(repo, "dirty"), ["a", "c", "link", "gone", "none"])).toEqual(["a", "c", "link"]);
  expect(await kept(repo, ["sub", "src", "dirty", "x"])).toEqual(["src", "sub"]);
});

const at = { cwd: repo, userHome: path.join(root, "person") };
const weighedOn = async (line: string): Promise<number> => {
  started = 0;
  const shell = readShell(line, { cwd: repo });
  const probes = {
    info: (name: string) =>
      fs.statSync(name, { throwIfNoEntry: false })?.isDirectory()
        ? ({ kind: "directory", uid: 0, mode: 0 } as const)
        : undefined,
    list: () => undefined,
    git: run,
    isCreatedBySession: () => false,
    ...lineProbes(shell, repo),
    inText: () => undefined,
  };
  const context = { ...at, project: repo, tempDir: path.join(root, "no"), folders: [] };
  const settings = {
    setting: () => "standard" as const,
    onLoss: "ask",
    allowances: [],
    now: 0,
  } as const;
  return (await answerEffects(effectsOf(shell, at), context, probes, settings)).length;
};

test("what git would be asked too often about counts as lost", async () => {
  // Git could restore all of it, but two hundred answers would take too long.
  const line = Array.from({ length: 200 }, (_, index) => `git checkout -- src/f${index}.txt`).join("; ");
  expect(await weighedOn(line)).toBeGreaterThan(100);
  expect(started).toBeLessThan(200);
  expect(await weighedOn("git checkout -- src/f1.txt; git checkout -- src/f2.txt; git checkout -- dirty/b")).toBe(1);
});

test.each([
  ["rm -rf src", 0],
  ["git stash pop && rm -rf src", 1],
  ["git stash apply && rm -rf src", 0],
  ["git stash apply && rm -rf src && git stash drop", 1],
  ["git stash pop && rm src/f1.txt", 0],
  ["rm -rf src && git stash pop", 0],
  ["sleep 10m && rm -rf src", 1],
  ["watch rm -rf src", 1],
  ["sleep 5; rm -rf src", 0],
])("what git says of a folder now, and when it is hit: %s", async (line, lost) => {
  expect(await weighedOn(line)).toBe(lost);
});
