/** `hookwright check` in real repositories: whether a command loses anything depends on what git has committed. */
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkedIn } from "./check-command-line.samples.ts";

/** Outside the folders for temporary files, in which nothing counts as lost. */
let room: string;
let clean: string;
let dirty: string;
let plain: string;

beforeAll(() => {
  room = realpathSync(mkdtempSync(join(homedir(), "hookwright-git-state-")));
  clean = repository("clean");
  dirty = repository("dirty");
  appendFileSync(join(dirty, "src/a.ts"), "more\n");
  writeFileSync(join(dirty, "draft.md"), "not added\n");
  plain = join(room, "plain");
  mkdirSync(join(plain, "src"), { recursive: true });
});
afterAll(() => rmSync(room, { recursive: true, force: true }));

/** Everything committed and pushed. */
function repository(name: string): string {
  const folder = join(room, name);
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/a.ts"), "export {};\n");
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  execFileSync("git", ["init", "--quiet", "--bare", join(room, `${name}.git`)]);
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.email", "a@example.org");
  git("config", "user.name", "A");
  git("add", ".");
  git("commit", "--quiet", "-m", "all");
  git("remote", "add", "origin", join(room, `${name}.git`));
  git("push", "--quiet", "-u", "origin", "main");
  return folder;
}

async function verdict(command: string, cwd: string): Promise<string> {
  return (await checkedIn(room, cwd, command)).verdict;
}

async function verdicts(command: string): Promise<string[]> {
  const answers: string[] = [];
  for (const folder of [clean, dirty, plain]) answers.push(await verdict(command, folder));
  return answers;
}

async function reason(command: string, cwd: string): Promise<string> {
  return (await checkedIn(room, cwd, command)).reason;
}

it.each([
  "git reset --hard",
  "git checkout .",
  "git checkout -- src/a.ts",
  "git restore .",
  "git clean -fd",
  "rm -rf src",
  "rm src/a.ts",
  "rm src/*.ts",
  "find src -name '*.ts' -delete",
  "git stash && git stash drop",
])("%s loses something only where something is not kept", async (command) => {
  const answers = await verdicts(command);
  // Dropping a stash is always a loss, because its content is in no commit.
  expect(answers).toEqual([command.includes("drop") ? "ask" : "pass", "ask", "ask"]);
});

it("what git ignores is the output of a script that is committed, and may be all that a new one is for", async () => {
  const folder = repository("scripts");
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  writeFileSync(join(folder, ".gitignore"), "lib\n");
  writeFileSync(join(folder, "tidy.sh"), "rm -rf lib typings\n");
  expect(await verdict("sh tidy.sh", folder)).toBe("pass");
  mkdirSync(join(folder, "lib"));
  writeFileSync(join(folder, "lib/a.js"), "1\n");
  expect(await verdict("sh tidy.sh", folder)).toBe("ask");
  git("add", ".");
  git("commit", "--quiet", "-m", "tidy");
  expect(await verdict("sh tidy.sh", folder)).toBe("pass");
  expect(await verdict("rm -rf lib", folder)).toBe("ask");
  mkdirSync(join(folder, "typings"));
  writeFileSync(join(folder, "typings/a.d.ts"), "1\n");
  expect(await reason("sh tidy.sh", folder)).toMatch(/^`rm` in tidy\.sh deletes typings with everything in it\. /);
});

it("what the line copies first is kept", async () => {
  expect(await verdict("cp src/a.ts src/a.bak && git checkout -- src/a.ts", dirty)).toBe("pass");
  expect(await verdict("cp src/a.ts src/a.bak && git checkout -- .", dirty)).toBe("ask");
  expect(await verdict("sort draft.md > d.tmp && mv d.tmp draft.md", dirty)).toBe("pass");
  expect(await verdict("sort src/a.ts > d.tmp && mv d.tmp draft.md", dirty)).toBe("ask");
});

it.each([
  ...["cp -r vendor/src-old/. src/", "cp -rT vendor/src-old src", "cp -a vendor/src-old/* src/", "cp -r vendor/src ."],
  ...["rsync -a vendor/src-old/ src", "mv -f vendor/src/* src/"],
])("%s loses something only where a file that it replaces is not kept", async (command) => {
  for (const folder of [clean, dirty, plain]) {
    for (const name of ["vendor/src-old", "vendor/src"]) {
      mkdirSync(join(folder, name), { recursive: true });
      for (const file of ["a.ts", "new.ts"]) writeFileSync(join(folder, name, file), "other\n");
    }
  }
  // Without git there is no such file.
  expect(await verdicts(command)).toEqual(["pass", "ask", "pass"]);
});

it("of many files that are replaced, only those that git does not keep are named", async () => {
  const many = repository("many");
  for (let at = 0; at < 40; at++) writeFileSync(join(many, `src/${at}.ts`), "mine\n");
  execFileSync("git", ["-C", many, "add", "."]);
  execFileSync("git", ["-C", many, "commit", "--quiet", "-m", "more"]);
  cpSync(join(many, "src"), join(many, "old"), { recursive: true });
  expect(await verdict("cp -r old/. src", many)).toBe("pass");
  appendFileSync(join(many, "src/7.ts"), "more\n");
  expect(await reason("cp -r old/. src", many)).toMatch(/^`cp` replaces src\/7\.ts\. /);
});

it("what git itself is made of is never kept by git", async () => {
  expect(await verdict("rm -rf .git", clean)).not.toBe("pass");
  expect(await verdict("git push --force", clean)).toBe("deny");
});
