import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import type { UndoWorkspace } from "./undo.samples.ts";

const NAMES = [
  "a.txt",
  "b.sh",
  "src/c.ts",
  "src/deep/d e.ts",
  "src/ü\"'.md",
  "src/line\nbreak",
  "lib/x",
  "-dash",
  "secret.env",
  "src/own.env",
  "caf\\351",
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
  "intent to add",
  "skipped by git",
  "assumed unchanged",
] as const;

/** Commands after which `undo` has to restore everything, or about which the person has to be asked. */
export const COMMANDS = [
  ...["git reset --hard", "git reset --hard HEAD~1", "git reset --hard other", "git reset --hard && git clean -fdx"],
  ...["git reset --merge other", "git read-tree --reset -u other", "git checkout-index -f -a"],
  ...["git checkout -f other", "git checkout -- .", "git checkout HEAD -- a.txt src/c.ts", "git checkout other -- ."],
  ...["git restore .", "git restore --staged --worktree .", "git restore --source=other --worktree -- a.txt src"],
  ...["git switch --discard-changes other", "git checkout -B other HEAD", "git switch -f -C fresh other"],
  ...["git clean -fd", "git clean -fdx", "git clean -fdX src", "git clean -ffdx", "git clean -ffd src nested"],
  ...["git stash drop", "git stash drop stash@{1}", "git stash clear", "git stash clear; git reset --hard"],
  ...["git branch -D other", "git branch -f other HEAD~1", "git branch -M main other", "git branch -D ümlaut"],
  ...["git update-ref -d refs/heads/other", "git update-ref refs/heads/other HEAD~1"],
  ...["git tag -d noted", "git tag -f noted HEAD~1", "git tag -d noted v1 && git reset --hard"],
  ...[
    "git update-ref -d refs/tags/noted",
    "git branch -D -r origin/topic",
    "git update-ref -d refs/remotes/origin/topic",
  ],
  ...["git rm -rf src", "git rm -f a.txt", "git mv -f a.txt b.sh", "git add -A && git reset --hard"],
  ...["rm -rf src", "rm -rf src lib && git reset --hard", "rm -f -- a.txt secret.env -dash", "rm -rf src/deep 'lib/x'"],
  ...["rm -rf nested", "rm -rf bare sub empty", "rm -f src/line*", "rm -rf sub nested/inner"],
  ...[": > a.txt", "echo other > secret.env", "truncate -s 0 b.sh src/own.env", "tee a.txt b.sh < /dev/null"],
  ...[
    "cp a.txt b.sh",
    "mv a.txt src/c.ts",
    "ln -sf lib a.txt",
    "install -m 700 /dev/null b.sh",
    "dd if=/dev/null of=a.txt",
  ],
  ...["find src -type f -delete", "find src -name '*.ts' -exec rm {} +", "rm -rf link src/link", "rm -rf linked/"],
];

export const repository = fc.record({
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
  /** A sparse checkout that leaves out `lib`. */
  isSparse: fc.boolean(),
  hasSubmodule: fc.boolean(),
  folderMode: fc.constantFrom(0o755, 0o700, 0o775),
  command: fc.constantFrom(...COMMANDS),
});
export type Repository = typeof repository extends fc.Arbitrary<infer T> ? T : never;

export function build(workspace: UndoWorkspace, { files, stashes, isDetached, isMerging, ...made }: Repository): void {
  workspace.write(".gitignore", "*.env\n");
  workspace.write("both", "first\n");
  for (const name of NAMES) if (!name.endsWith(".env")) workspace.write(name, `first ${name}\n`);
  workspace.git("add", "-A");
  workspace.git("commit", "-qm", "first");
  workspace.write("a.txt", "second\n");
  workspace.write("both", "ours\n");
  workspace.git("commit", "-qam", "second");
  workspace.git("checkout", "-q", "-b", "other", "HEAD~1");
  workspace.write("new-there", "only on the other branch\n");
  workspace.write("both", "theirs\n");
  workspace.git("rm", "-qr", "lib");
  workspace.git("add", "-A");
  workspace.git("commit", "-qm", "other");
  const only = (text: string): string => workspace.git("commit-tree", "HEAD^{tree}", "-m", text).trim();
  workspace.git("tag", "-m", "a message of its own", "noted", only("only under a tag"));
  workspace.git("tag", "v1", "HEAD~1");
  workspace.git("update-ref", "refs/remotes/origin/topic", only("only in the copy of a remote branch"));
  workspace.git("branch", "ümlaut", only("only on this branch"));
  workspace.git("config", "branch.other.description", "kept too");
  workspace.git("checkout", "-q", "main");
  for (let i = 0; i < stashes; i++) {
    workspace.write("src/c.ts", `stashed ${i}\n`);
    workspace.git("stash", "push", "-qm", `number ${i} — ü`);
  }
  if (made.hasSubmodule) {
    inner(workspace, "sub");
    workspace.bash("git add sub && git commit -qm sub");
  }
  if (made.isSparse) workspace.git("sparse-checkout", "set", "--no-cone", "/*", "!/lib/");
  if (isDetached) workspace.git("checkout", "-q", "--detach");
  if (isMerging) workspace.bash("git merge -q other");
  inner(workspace, "nested");
  fs.mkdirSync(path.join(workspace.root, "empty", "deeper"), { recursive: true });
  for (const name of ["src", "empty"]) fs.chmodSync(path.join(workspace.root, name), made.folderMode);
  fs.symlinkSync("a.txt", path.join(workspace.root, "link"));
  fs.symlinkSync("src", path.join(workspace.root, "linked"));
  for (const [index, name] of NAMES.entries()) arrange(workspace, name, files[index] as Repository["files"][number]);
}

/** Creates a nested repository with uncommitted work. */
function inner(workspace: UndoWorkspace, name: string): void {
  workspace.write(`${name}/inner/build/f.txt`, "committed\n");
  workspace.bash(`cd ${name} && git init -q && git add -A && git commit -qm inner`);
  workspace.write(`${name}/inner/build/f.txt`, "changed\n", 0o600);
  workspace.write(`${name}/new.txt`, "untracked\n");
}

function arrange(workspace: UndoWorkspace, name: string, { state, text, mode }: Repository["files"][number]): void {
  const place = workspace.place(name);
  const isIgnored = name.endsWith(".env");
  const forGit = `${quoted(name)}`;
  const git = (args: string): void => workspace.bash(`git ${args} -- ${forGit}`);
  if (state === "absent" || state === "deleted") fs.rmSync(place, { force: true });
  else if (state === "removed") git("rm -qf --ignore-unmatch --sparse");
  if (["absent", "deleted", "removed"].includes(state) || (state === "clean" && !isIgnored)) return;
  workspace.write(name, text, mode);
  if (state === "untracked" || state === "intent to add") git("rm -q --cached --ignore-unmatch --sparse");
  if (state === "intent to add") git("add --force -N");
  if (state.startsWith("staged")) git("add --force --sparse");
  if (state === "staged and modified") workspace.write(name, `${text} and more`);
  if (state === "skipped by git") git("update-index --skip-worktree");
  if (state === "assumed unchanged") git("update-index --assume-unchanged");
}

/** Quotes for bash; `\351` stands for a byte that is not valid UTF-8. */
function quoted(name: string): string {
  return `$'${name.replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
}
