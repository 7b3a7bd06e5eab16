/** Snapshots, killed half way: either there is a whole one or none, and the call is never let through without. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { toolCall } from "../support/events.ts";
import { PATIENT } from "../support/surroundings.ts";
import { isMissing, LAUNCHER, type Payload, World } from "../support/world.ts";

/** As long as may be, because the machine may be busy. */
const CONFIG =
  "safety: { onLoss: snapshot }\npolicies: { safety/destructive-command: { snapshotMilliseconds: 2500 } }\n";
const ROUTE = { client: "node", daemon: false } as const;
let world: World;
const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.test", ...args], {
    cwd: world.project,
    encoding: "utf8",
  });
const refs = (): string[] => git("for-each-ref", "--format=%(refname)", "refs/hookwright").split("\n").filter(Boolean);
/** A world has no programs of its own; here git is one of them. */
const PATH = process.env.PATH ?? "";
const send = (payload: Payload) => world.send(payload, ROUTE, { args: PATIENT, env: { PATH } });
const hookwright = (...args: string[]) => world.start([process.execPath, LAUNCHER, ...args], { env: { PATH } }).ended;
/** What git leaves behind when its caller dies. */
const reports = (): string[] => {
  const folder = path.join(world.project, ".git");
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith("fast_import_crash_"))
    .map((name) => path.join(folder, name));
};
const reset = (id: string) => toolCall(world, id, "Bash", { command: "git reset --hard" });

beforeEach(() => {
  world = new World();
  world.allowCrashPoints();
  fs.writeFileSync(path.join(world.home, "config.yml"), CONFIG);
  git("init", "--quiet");
  fs.writeFileSync(path.join(world.project, "a.txt"), "committed\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  fs.writeFileSync(path.join(world.project, "a.txt"), "work\n");
});
afterEach(() => world.dispose());

it.skipIf(isMissing("node")).each([
  ["snapshot-read", 0],
  ["snapshot-half", 0],
  ["snapshot-kept", 1],
  ["snapshot-done", 1],
] as const)("is killed at %s and leaves %i snapshots, whole ones", async (point, left) => {
  const index = fs.readFileSync(path.join(world.project, ".git", "index"));
  const running = world.begin(reset("call-1"), ROUTE, {
    args: PATIENT,
    env: { PATH, HOOKWRIGHT_CRASH_POINT: point },
  });
  await running.sees("stderr", new RegExp(`crash point ${point} reached by`));
  running.kill("SIGKILL");
  await running.ended;
  expect(refs()).toHaveLength(left);
  expect(fs.readFileSync(path.join(world.project, ".git", "index"))).toEqual(index);
  expect(git("status", "--porcelain").trim()).toBe("M a.txt");
  expect(git("fsck", "--no-dangling")).toBe("");
  for (const report of reports()) fs.utimesSync(report, 0, 0);

  // The same call again: it passes with one whole snapshot, whatever was there.
  const answer = await send(reset("call-1"));
  expect(answer.exit).toBe(0);
  const [ref] = refs();
  expect(refs()).toHaveLength(1);
  if (left === 0) expect(reports()).toEqual([]);
  expect(answer.stdout).toContain(`hookwright undo ${ref?.split("/").at(-1)}`);
  git("reset", "-q", "--hard");
  expect((await hookwright("undo", "--last")).exit).toBe(0);
  expect(fs.readFileSync(path.join(world.project, "a.txt"), "utf8")).toBe("work\n");
});

it("asks when no snapshot can be made, and makes none for a look", async () => {
  const explained = await hookwright("check", "git reset --hard");
  expect(explained.exit).toBe(0);
  expect(refs()).toEqual([]);
  fs.mkdirSync(path.join(world.project, ".git", "refs", "hookwright"), { recursive: true });
  fs.writeFileSync(path.join(world.home, "undo"), "in the way");
  const answer = await send(reset("call-2"));
  expect(JSON.parse(answer.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "ask" });
  expect(answer.stdout).toContain("No snapshot could be made");
});

it("brings back what git still had, when the same line loses something else", async () => {
  fs.mkdirSync(path.join(world.project, "src"));
  fs.writeFileSync(path.join(world.project, "src/b.ts"), "committed\n");
  git("add", "src");
  git("commit", "-qm", "second");
  fs.writeFileSync(path.join(world.project, "notes.md"), "untracked\n");
  const answer = await send(toolCall(world, "call-4", "Bash", { command: "rm -rf src notes.md" }));
  expect(answer.stdout).toContain("hookwright undo");
  for (const name of ["src", "notes.md"]) fs.rmSync(path.join(world.project, name), { recursive: true });
  expect((await hookwright("undo", "--last")).exit).toBe(0);
  expect(fs.readFileSync(path.join(world.project, "src/b.ts"), "utf8")).toBe("committed\n");
  expect(fs.readFileSync(path.join(world.project, "notes.md"), "utf8")).toBe("untracked\n");
});

it("lets only one undo work at a time", async () => {
  await send(reset("call-5"));
  git("reset", "-q", "--hard");
  const both = await Promise.all([hookwright("undo", "--last"), hookwright("undo", "--last")]);
  expect(both.some(({ exit }) => exit === 0)).toBe(true);
  for (const { exit, stderr } of both) if (exit !== 0) expect(stderr).toContain("HW_UNDO_RUNNING");
  expect(fs.readFileSync(path.join(world.project, "a.txt"), "utf8")).toBe("work\n");
});

it("refuses to overwrite newer work without --yes, and keeps it when told to", async () => {
  await send(reset("call-3"));
  git("reset", "-q", "--hard");
  const file = path.join(world.project, "a.txt");
  fs.writeFileSync(file, "newer\n");
  const refused = await hookwright("undo", "--last");
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.stderr).toContain("a.txt");
  expect(fs.readFileSync(file, "utf8")).toBe("newer\n");
  const done = await hookwright("undo", "--last", "--yes", "--json");
  expect(fs.readFileSync(file, "utf8")).toBe("work\n");
  const { backup } = JSON.parse(done.stdout);
  expect((await hookwright("undo", backup, "--yes")).exit).toBe(0);
  expect(fs.readFileSync(file, "utf8")).toBe("newer\n");
  const listed = JSON.parse((await hookwright("undo", "--list", "--json")).stdout);
  expect(listed.length).toBeGreaterThanOrEqual(2);
  expect((await hookwright("journal", "--json")).stdout).toContain("undo --last --yes");
});
