import { describe, expect, test } from "vitest";
import { fastestMs } from "../../../test/support/cost.ts";
import { readShell } from "../../shell/shell.ts";
import type { Effect, GitQuestion } from "../effect.ts";
import { effectsOf } from "../effects.ts";

function effects(line: string): readonly Effect[] {
  const shell = readShell(line, { cwd: "/w", variables: { HOME: "/home/u" } });
  expect(shell.unreadable).toBeUndefined();
  return effectsOf(shell, { cwd: "/w", userHome: "/home/u" });
}

type Short = readonly [folder: string | undefined, loses: string, ...only: string[]];

function short(question: GitQuestion | undefined): Short | undefined {
  return question && [question.folder, question.loses.join(" "), ...question.only];
}

describe("what git is asked", () => {
  test.each<[string, ...(Short | undefined)[]]>([
    ["git reset --hard", ["/w", "changes"]],
    ["git -C a -C b reset --hard", ["/w/a/b", "changes"]],
    ["cd a; git -C ~/b reset --hard", ["/home/u/b", "changes"]],
    ['git -C "$D" reset --hard', [undefined, "changes"]],
    ['git -C "$D" -C /x reset --hard', ["/x", "changes"]],
    ["if x; then cd a; fi; git reset --hard", ["/w/a", "changes"], ["/w", "changes"]],
    ["ssh h git reset --hard", [undefined, "changes"]],
    ["git reset --hard HEAD~1", ["/w", "changes"], ["/w", "branch", "HEAD"]],
    ["git checkout main && git reset --hard x", ["/w", "changes"], ["/w", "branch", "main"]],
    ["git commit -m x && git reset --hard HEAD~1", ["/w", "changes"], ["/w", "branch"]],
    ["git clean -fd", ["/w", "untracked", "."]],
    ["git clean -fdx a b", ["/w", "untracked ignored", "a", "b"]],
    ["git clean -fX", ["/w", "ignored", "."]],
    ["git -c core.excludesFile=/dev/null clean -f", ["/w", "untracked ignored", "."]],
    ['git clean -fd "$X"', ["/w", "untracked"]],
    ["git checkout -- a 'b c'", ["/w", "unstaged", "a", "b c"]],
    ["git checkout HEAD -- a", ["/w", "changes", "a"]],
    ["git checkout HEAD a.ts", ["/w", "changes", "a.ts"]],
    ["git checkout a.ts b.ts", ["/w", "unstaged", "a.ts", "b.ts"]],
    ["git checkout -- *.ts", ["/w", "unstaged", "*.ts"]],
    ["git checkout -- !(a)", ["/w", "unstaged"]],
    ["git restore -SW .", ["/w", "changes", "."]],
    ["git restore .", ["/w", "unstaged", "."]],
    ["git rm -rf src", ["/w", "changes", "src"]],
    ["git worktree remove -f ../side", ["/side", "changes untracked"]],
    ["git submodule deinit -f lib", ["/w/lib", "changes untracked"]],
    ["git submodule deinit -f --all", [undefined, "changes untracked"]],
    ["git branch -D a b", ["/w", "branch", "a", "b"]],
    ["git branch -D a $B", ["/w", "branch"]],
    ["git update-ref -d refs/heads/a", ["/w", "branch", "refs/heads/a"]],
    ["git --git-dir=/x/.git --work-tree=/x reset --hard", ["/x", "changes"]],
    ["git --git-dir=.git reset --hard", ["/w", "changes"]],
    ["git --git-dir=/x/.git reset --hard", [undefined, "changes"]],
    ["git --work-tree=/y reset --hard", [undefined, "changes"]],
    ["GIT_WORK_TREE=/y git reset --hard", [undefined, "changes"]],
    ["export GIT_DIR=/y; git reset --hard", [undefined, "changes"]],
    ["GIT_INDEX_FILE=x env git reset --hard", [undefined, "changes"]],
    ["git stash && git clean -fdx", ["/w", "untracked ignored", "."]],
    ["git stash -u && git clean -fdx", ["/w", "ignored", "."]],
    // What git says now is not what it would say then.
    ["git stash pop && git reset --hard", undefined],
    ["git stash apply && git reset --hard", ["/w", "changes"]],
    ["git reset HEAD~1; git checkout .", undefined],
    ["watch -n5 'git checkout -- .'", undefined],
    ["sleep 3600 && git reset --hard", undefined],
    ["sleep 30 1m; git clean -fd", undefined],
    ["while true; do git checkout -- .; sleep 5; done", undefined],
    ["until false; do git reset --hard; sleep 5; done", undefined],
    ["echo 'git checkout -- .' | at now + 1 hour", undefined],
    ["sleep 5 && git checkout -- a.ts", ["/w", "unstaged", "a.ts"]],
    ["sleep 3600 & git reset --hard", ["/w", "changes"]],
    ["git reset --hard; sleep 3600", ["/w", "changes"]],
    ["while read f; do git reset --hard; done", ["/w", "changes"]],
    ["while true; do git reset --hard && break; done", ["/w", "changes"]],
    ["while x; do git reset --hard || true; done", ["/w", "changes"]],
    ["git rm -r --cached . && git clean -fd", undefined],
    ["git reset --hard --recurse-submodules", undefined],
    ["git push -f", undefined],
    ["git stash drop", ["/w", ""]],
  ])("%s", (line, ...expected) => {
    expect(effects(line).map(({ git }) => short(git))).toEqual(expected);
  });

  test("a branch that is only written may be new", () => {
    const news = ["git checkout -B a", "git switch -C a", "git branch -f a b", "git fetch -f origin b:a"];
    for (const line of news) expect(effects(line).map(({ git }) => git?.mayBeNew)).toEqual([true]);
    expect(effects("git branch -D a").map(({ git }) => git?.mayBeNew)).toEqual([undefined]);
  });
});

test("an effect belongs to the command that stands on the line", () => {
  for (const line of ["git-reset --hard", "hub push -f", "git -c alias.x='!git push -f' x"]) {
    const shell = readShell(line, { cwd: "/w" });
    const [effect] = effectsOf(shell, { cwd: "/w", userHome: "/home/u" });
    expect(effect?.by).toBe(shell.commands[0]);
  }
});

test("a long line of git commands stays cheap", () => {
  let runs = 0;
  const cost = (count: number): number =>
    fastestMs(() => {
      // Another line each time, because what was read once is remembered.
      const line = Array.from({ length: count }, (_, at) => `git checkout -- file${at}-${runs}.ts`).join("; ");
      runs++;
      expect(effectsOf(readShell(line, { cwd: "/w" }), { cwd: "/w", userHome: "/home/u" })).toHaveLength(count);
    });
  cost(50);
  // Eight times the commands: every pair of them may be looked at, and no more than that.
  expect(cost(400)).toBeLessThan(300 * cost(50));
});
