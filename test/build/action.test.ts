/** The GitHub Action: what its step runs, in a repository with a change, and that action.yml calls it with what it reads. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../authors/support.ts";
import { LAUNCHER, World } from "../support/world.ts";

const SCRIPT = "scripts/action/check.mjs";
let world: World;
let base: string;
beforeEach(() => {
  world = new World();
  fs.rmSync(path.join(world.project, ".git"), { recursive: true });
  git("init", "--quiet");
  base = commit({ "package.json": '{\n  "scripts": {\n    "old": "rm -rf ~"\n  }\n}\n', "old.sh": "rm -rf ~\n" });
});
afterEach(() => world.dispose());

function git(...args: string[]): string {
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
  const done = spawnSync("git", [...who, ...args], { cwd: world.project, encoding: "utf8" });
  expect(done, done.stderr).toMatchObject({ status: 0 });
  return done.stdout.trim();
}

function commit(files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(world.project, name)), { recursive: true });
    fs.writeFileSync(path.join(world.project, name), text);
  }
  git("add", "--all");
  git("commit", "--quiet", "--message", "x");
  return git("rev-parse", "HEAD");
}

async function act(inputs: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH ?? "", HOOKWRIGHT_PROGRAM: LAUNCHER, INPUT_BASE: base, ...inputs };
  const { exit, stdout, stderr } = await world.start([process.execPath, path.join(ROOT, SCRIPT)], { env }).ended;
  expect(stderr).toBe("");
  return { exit, annotations: stdout.split("\n").filter((line) => line.startsWith("::")), log: stdout };
}

describe("the step of the action", () => {
  it("says nothing about a harmless change, and nothing about what was there before", async () => {
    commit({
      "package.json": '{\n  "scripts": {\n    "old": "rm -rf ~",\n    "test": "vitest run"\n  }\n}\n',
      "a.md": "",
    });
    expect(await act()).toMatchObject({
      exit: 0,
      annotations: [],
      log: expect.stringContaining("Commands: 1 checked"),
    });
  });

  it("finds what a script, a package script and a hook would do, and where it stands", async () => {
    commit({
      "tools/clean up.sh": "#!/bin/sh\nset -e\nrm -rf ~\n",
      "package.json": '{\n  "scripts": {\n    "old": "rm -rf ~",\n    "wipe": "git push --force origin main"\n  }\n}\n',
      ".claude/settings.json": JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: "command", command: "echo $(" }] }] },
      }),
    });
    const { exit, annotations } = await act();
    expect(exit).toBe(1);
    expect(annotations).toHaveLength(3);
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::error file=tools\/clean up\.sh,line=1,title=Hookwright::/),
    );
    expect(annotations).toContainEqual(expect.stringMatching(/^::error file=package\.json,line=4,.*"deny"/));
    expect(annotations).toContainEqual(
      expect.stringMatching(/^::warning file=\.claude\/settings\.json,line=1,.*"ask"/),
    );
    expect((await act({ INPUT_FAIL_ON: "never" })).exit).toBe(0);
  });

  it("finds a mistake in the configuration, and writes it as SARIF too", async () => {
    commit({ "hookwright.yml": "profiles: [safety]\nprofile: x\n" });
    const sarif = path.join(world.root, "out.sarif");
    const { exit, annotations } = await act({ INPUT_SARIF: sarif });
    expect(exit).toBe(1);
    expect(annotations[0]).toMatch(/^::error file=hookwright\.yml,line=2,col=1,title=Hookwright::/);
    expect(JSON.parse(fs.readFileSync(sarif, "utf8")).runs[0].results).not.toEqual([]);
  });

  it("replays recorded events, and fails where one is answered differently", async () => {
    const fixtures = path.join(ROOT, "test/replay-fixtures");
    expect(await act({ INPUT_FIXTURES: fixtures })).toMatchObject({ exit: 0, annotations: [] });
    const changed = world.folder("fixtures");
    const recorded = fs.readFileSync(path.join(fixtures, "work-on-the-shop.jsonl"), "utf8");
    fs.writeFileSync(
      path.join(changed, "changed.jsonl"),
      recorded.replace('command\\":\\"rm -rf ~', 'command\\":\\"ls ~'),
    );
    const { exit, annotations } = await act({ INPUT_FIXTURES: changed });
    expect({ exit, annotations }).toEqual({ exit: 1, annotations: [expect.stringContaining("get other answers now")] });
    expect(await act({ INPUT_FIXTURES: "missing" })).toMatchObject({ exit: 1 });
  });

  it("never lets a name or a text of the change become a command of the runner", async () => {
    commit({ "a\n::set-env name=x::y,b.sh": "rm -rf ~\n" });
    const { annotations } = await act();
    expect(annotations).toHaveLength(1);
    expect(annotations[0]).toMatch(/^::error file=a%0A%3A%3Aset-env name=x%3A%3Ay%2Cb\.sh,line=1,/);
  });
});

describe("action.yml", () => {
  const action = parse(fs.readFileSync(path.join(ROOT, "action.yml"), "utf8"));
  const [install, check] = action.runs.steps;

  it("runs the step with every input that it reads, and gives no input to a shell as text", () => {
    expect(check.run).toContain(SCRIPT);
    const read = fs.readFileSync(path.join(ROOT, SCRIPT), "utf8").match(/INPUT_\w+|HOOKWRIGHT_PROGRAM/g) ?? [];
    expect(Object.keys(check.env)).toEqual(expect.arrayContaining([...new Set(read)]));
    for (const { run } of [install, check]) expect(run).not.toContain("${{");
    const used = JSON.stringify(action.runs)
      .match(/inputs\.[\w-]+/g)
      ?.map((one: string) => one.slice(7));
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
  });
});
