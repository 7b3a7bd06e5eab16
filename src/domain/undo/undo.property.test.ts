import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Yard } from "./undo.samples.ts";

const NAMES = [
  "a.txt",
  "b.sh",
  "src/c.ts",
  "src/deep/d e.ts",
  "src/ü\"'.md",
  "lib/x",
  "-dash",
  "secret.env",
  "src/own.env",
];
const STATES = [
  "clean",
  "modified",
  "staged",
  "staged and modified",
  "deleted",
  "removed",
  "untracked",
  "absent",
] as const;
const COMMANDS = [
  "git reset --hard",
  "git reset --hard HEAD~1",
  "git reset --hard other",
  "git reset --hard && git clean -fdx",
  "git checkout -f other",
  "git checkout -- .",
  "git checkout HEAD -- a.txt src/c.ts",
  "git restore .",
  "git restore --staged --worktree .",
  "git switch --discard-changes other",
  "git checkout -B other HEAD",
  "git clean -fd",
  "git clean -fdx",
  "git clean -fdX src",
  "git stash drop",
  "git stash drop stash@{1}",
  "git stash clear",
  "git branch -D other",
  "git branch -f other HEAD~1",
  "git rm -rf src",
  "rm -rf src",
  "rm -rf src lib && git reset --hard",
  "rm -f -- a.txt secret.env -dash",
  "rm -rf src/deep 'lib/x'",
  ": > a.txt",
  "echo other > secret.env",
  "truncate -s 0 b.sh src/own.env",
  "cp a.txt b.sh",
  "mv a.txt src/c.ts",
  "find src -type f -delete",
  "rm -rf link src/link",
];

const repository = fc.record({
  files: fc.array(
    fc.record({
      state: fc.constantFrom(...STATES),
      text: fc.string({ unit: "binary", maxLength: 40 }),
      mode: fc.constantFrom(0o644, 0o755, 0o600),
    }),
    { minLength: NAMES.length, maxLength: NAMES.length },
  ),
  stashes: fc.nat(2),
  isDetached: fc.boolean(),
  isMerging: fc.boolean(),
  command: fc.constantFrom(...COMMANDS),
});
type Repository = typeof repository extends fc.Arbitrary<infer T> ? T : never;

function build(yard: Yard, { files, stashes, isDetached, isMerging }: Repository): void {
  yard.write(".gitignore", "*.env\n");
  yard.write("both", "first\n");
  for (const name of NAMES) if (!name.endsWith(".env")) yard.write(name, `first ${name}\n`);
  yard.git("add", "-A");
  yard.git("commit", "-qm", "first");
  yard.write("a.txt", "second\n");
  yard.write("both", "ours\n");
  yard.git("commit", "-qam", "second");
  yard.git("checkout", "-q", "-b", "other", "HEAD~1");
  yard.write("new-there", "only on the other branch\n");
  yard.write("both", "theirs\n");
  yard.git("rm", "-qr", "lib");
  yard.git("add", "-A");
  yard.git("commit", "-qm", "other");
  yard.git("config", "branch.other.description", "kept too");
  yard.git("checkout", "-q", "main");
  for (let i = 0; i < stashes; i++) {
    yard.write("src/c.ts", `stashed ${i}\n`);
    yard.git("stash", "push", "-qm", `number ${i}`);
  }
  if (isDetached) yard.git("checkout", "-q", "--detach");
  if (isMerging) yard.bash("git merge -q other");
  fs.symlinkSync("a.txt", path.join(yard.root, "link"));
  for (const [index, name] of NAMES.entries()) arrange(yard, name, files[index] as Repository["files"][number]);
}

function arrange(yard: Yard, name: string, { state, text, mode }: Repository["files"][number]): void {
  const place = path.join(yard.root, name);
  const isIgnored = name.endsWith(".env");
  if (state === "absent" || state === "deleted") fs.rmSync(place, { force: true });
  else if (state === "removed") yard.git("rm", "-qf", "--ignore-unmatch", "--", name);
  if (["absent", "deleted", "removed"].includes(state) || (state === "clean" && !isIgnored)) return;
  yard.write(name, text, mode);
  if (state === "untracked") yard.git("rm", "-q", "--cached", "--ignore-unmatch", "--", name);
  if (state.startsWith("staged")) yard.git("add", "--force", "--", name);
  if (state === "staged and modified") yard.write(name, `${text} and more`);
}

it("brings back every byte, the index, branches and stashes after any destructive command", async () => {
  let changed = 0;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(repository, async (made) => {
      const yard = new Yard();
      try {
        build(yard, made);
        const before = yard.state();
        const snapshot = await yard.keep(made.command);
        expect(yard.state()).toEqual(before);
        yard.bash(made.command);
        runs++;
        if (JSON.stringify(yard.state()) !== JSON.stringify(before)) changed++;
        await yard.restore(snapshot);
        expect(yard.state()).toEqual(before);
        expect(await yard.plan(snapshot)).toEqual([]);
      } finally {
        yard.dispose();
      }
    }),
    { numRuns: Number(process.env.HOOKWRIGHT_UNDO_RUNS ?? 40) },
  );
  console.log(`${changed} of ${runs} commands changed something`);
  expect(changed).toBeGreaterThan(runs / 2);
}, 300_000);
