import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planText, TITLE } from "../../../domain/plan/plan.samples.ts";
import { plan as planStore } from "../../../domain/plan/store.ts";
import { Database } from "../../../state/database.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { planCommand } from "./command.ts";

const PLAN = "docs/plans/2026-02-16-login-design.md";
let folder: string;
let project: string;
let stateFile: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-plan-")));
  project = path.join(folder, "app");
  stateFile = path.join(project, ".claude/orchestrator-state.json");
  write(PLAN, planText(["complete", "in-progress", "pending"]));
  git(project, "init", "--quiet");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.resolve(project, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

function git(cwd: string, ...args: string[]): void {
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["-C", cwd, ...who, ...args], { stdio: "ignore" });
}

type Options = Record<string, string | boolean | string[]>;

async function run(args: string[], options: Options = {}, more: { cwd?: string; env?: Record<string, string> } = {}) {
  const lines: string[] = [];
  const code = await planCommand.run({
    args,
    options,
    env: { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), ...more.env },
    cwd: more.cwd ?? project,
    out: (text) => lines.push(text),
    err: (text) => lines.push(text),
  });
  return { code, out: lines.join("\n") };
}

const state = (): Record<string, unknown> => JSON.parse(fs.readFileSync(stateFile, "utf8")) as Record<string, unknown>;
const document = (): string => fs.readFileSync(path.join(project, PLAN), "utf8");

describe("plan start", () => {
  it.each([
    ["an agent's session", { CLAUDE_CODE_SESSION_ID: "agent-1" }, "agent-1"],
    ["a person's own shell", {}, ""],
  ])("remembers who leads the plan, started by %s", async (_name, env, lead) => {
    await run(["start", PLAN], {}, { env });
    const db = new Database(path.join(folder, "hw/state.db"), 50);
    const scope = projectScope({ agent: "", session: "", agentId: "", project });
    expect(planStore.open(openTable(db, scope, planStore.name)).lead(String(state().started))).toBe(lead);
    db.close();
  });

  it("writes exactly the state that hooks read, and says so", async () => {
    const { out, code } = await run(["start", PLAN]);
    expect(code).toBe(0);
    expect(out).toContain(`Started '${TITLE}' (${PLAN}). 1/3 tasks complete, 1 in-progress, 1 pending.`);
    expect(state()).toEqual({
      active_plan: PLAN,
      slug: "login",
      team: "implement-login",
      started: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      worktrees: {},
    });
    expect(Object.keys(state())).toEqual(["active_plan", "slug", "team", "started", "worktrees"]);
    expect(Math.abs(Date.parse(String(state().started)) - Date.now())).toBeLessThan(60_000);
    expect(fs.readdirSync(path.dirname(stateFile))).toEqual(["orchestrator-state.json"]);
  });

  it("finds the plan from any folder, by any kind of path", async () => {
    await run(["start", "2026-02-16-login-design.md"], {}, { cwd: path.join(project, "docs/plans") });
    expect(state().active_plan).toBe(PLAN);
    await run(["abort"]);
    await run(["start", path.join(project, PLAN)], {}, { cwd: path.join(project, "docs") });
    expect(state().active_plan).toBe(PLAN);
  });

  it("takes a team's name", async () => {
    await run(["start", PLAN], { team: "night-shift" });
    expect(state().team).toBe("night-shift");
  });

  it("takes one worktree, or one for each service", async () => {
    const [one, two] = ["one", "two"].map((name) => path.join(folder, name)) as [string, string];
    fs.mkdirSync(one);
    fs.mkdirSync(two);
    await run(["start", PLAN], { worktree: [one] });
    expect(state().worktrees).toEqual({ _all: one });
    await run(["abort"]);
    await run(["start", PLAN], { worktree: [`api=${one}`, "web=../two"] });
    expect(state().worktrees).toEqual({ api: one, web: two });
  });

  it("takes over the worktrees that the plan names", async () => {
    write(PLAN, planText(["pending"], "## Worktree\n\n- **Path:** `../wt`\n- **Branch:** x\n"));
    const { out } = await run(["start", PLAN]);
    expect(state().worktrees).toEqual({ _all: path.join(folder, "wt") });
    expect(out).toContain("which does not exist yet");
    await run(["abort"]);
    write(
      PLAN,
      planText(
        ["pending"],
        "## Worktrees\n\n| Service | Path | Branch |\n|--|--|--|\n| api | /wt/api | a |\n| web | /wt/web | b |\n",
      ),
    );
    await run(["start", PLAN]);
    expect(state().worktrees).toEqual({ api: "/wt/api", web: "/wt/web" });
  });

  it.each([
    ["a file that is not there", ["gone.md"], {}, "Could not read"],
    ["a folder", ["docs"], {}, "not a regular file"],
    ["a file outside the project", ["../outside.md"], {}, "is not inside"],
    ["a link that leads out", ["link.md"], {}, "is not inside"],
    ["a file without tasks", ["empty.md"], {}, "has no table of tasks"],
    ["bytes that are no text", ["binary.md"], {}, "Could not read"],
    ["a team whose name is a path", [PLAN], { team: "../x" }, "cannot be used as a file name"],
    ["a worktree that is no folder", [PLAN], { worktree: ["/nowhere/at/all"] }, "is not a folder"],
    ["a worktree without a folder", [PLAN], { worktree: ["api="] }, "needs a folder"],
    ["two worktrees without names", [PLAN], { worktree: ["/tmp", "/"] }, "each needs the name of a service"],
    ["a service twice", [PLAN], { worktree: ["a=/tmp", "a=/"] }, "given twice"],
    ["both kinds of worktrees", [PLAN], { worktree: ["/tmp", "a=/"] }, "Give either one worktree"],
  ])("refuses %s, and changes nothing", async (_name, args, options, message) => {
    write("../outside.md", planText(["pending"]));
    fs.symlinkSync("../outside.md", path.join(project, "link.md"));
    write("empty.md", "# Nothing to do\n");
    fs.writeFileSync(path.join(project, "binary.md"), Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]));
    await expect(run(["start", ...args], options as Options)).rejects.toThrow(message);
    expect(fs.existsSync(path.dirname(stateFile))).toBe(false);
  });

  it("refuses a second plan and leaves the first one alone", async () => {
    await run(["start", PLAN]);
    const before = fs.readFileSync(stateFile, "utf8");
    write("docs/other.md", planText(["pending"]));
    await expect(run(["start", "docs/other.md"])).rejects.toThrow(`A plan is active already: ${PLAN}`);
    expect(fs.readFileSync(stateFile, "utf8")).toBe(before);
  });

  it("refuses to write over a state that it does not understand", async () => {
    write(".claude/orchestrator-state.json", '{"active_plan": "docs');
    await expect(run(["start", PLAN])).rejects.toThrow("cannot be understood");
    expect(fs.readFileSync(stateFile, "utf8")).toBe('{"active_plan": "docs');
  });

  it("leaves nothing behind when it cannot write", async () => {
    write(".claude", "a file where the folder should be");
    await expect(run(["start", PLAN])).rejects.toThrow("Could not write");
    expect(fs.readFileSync(path.join(project, ".claude"), "utf8")).toBe("a file where the folder should be");
    expect(fs.readdirSync(project).sort()).toEqual([".claude", ".git", "docs"]);
  });
});

describe("inside a git worktree of the project", () => {
  let worktree: string;
  beforeEach(() => {
    git(project, "add", ".");
    git(project, "commit", "-m", "x");
    worktree = path.join(folder, "wt");
    git(project, "worktree", "add", worktree);
  });

  it("starts, shows and ends the project's plan", async () => {
    await run(["start", PLAN], {}, { cwd: worktree });
    expect(state().active_plan).toBe(PLAN);
    expect(fs.existsSync(path.join(worktree, ".claude"))).toBe(false);
    expect((await run(["status"], {}, { cwd: path.join(worktree, "docs") })).out).toContain("1/3 tasks complete");
    await run(["task", "3", "complete"], {}, { cwd: worktree });
    expect(document()).toContain("| 3 | Build part 3 | — | complete |");
    await run(["abort"], {}, { cwd: worktree });
    expect(fs.existsSync(stateFile)).toBe(false);
  });

  it("finds the plan of the folder that the session was started in", async () => {
    await run(["start", PLAN]);
    const other = path.join(folder, "elsewhere");
    fs.mkdirSync(other);
    expect((await run(["status"], {}, { cwd: other })).out).toContain("No plan is active");
    const env = { CLAUDE_PROJECT_DIR: project };
    expect((await run(["status"], {}, { cwd: other, env })).out).toContain(TITLE);
  });
});

describe("plan status", () => {
  it("shows how far the plan is and what is switched on", async () => {
    write(".claude/project.yml", "hooks:\n  stop_guard: true # yes\n  session_context: 1\n");
    await run(["start", PLAN]);
    const { out } = await run(["status"]);
    expect(out).toContain(`${TITLE} (${PLAN})`);
    expect(out).toContain("Team: implement-login.");
    expect(out).toMatch(/2 +in-progress +Build part 2/);
    expect(out).toContain("stop_guard on, session_context off");
    expect(out).toContain("hooks.session_context must be true or false");
  });

  it("prints all of it as JSON", async () => {
    await run(["start", PLAN]);
    const shown = JSON.parse((await run(["status"], { json: true })).out) as Record<string, unknown>;
    expect(shown).toMatchObject({
      root: project,
      active: { plan: PLAN, team: "implement-login" },
      title: TITLE,
      counts: { complete: 1, "in-progress": 1, pending: 1, blocked: 0, escalated: 0 },
      tasks: [
        { id: "1", status: "complete" },
        { id: "2", status: "in-progress" },
        { id: "3", status: "pending" },
      ],
      hooks: { verification: "off", stopGuard: false },
    });
    await run(["abort"]);
    expect(JSON.parse((await run(["status"], { json: true })).out)).toMatchObject({ active: null });
  });

  it("says what is wrong with a plan that is gone", async () => {
    await run(["start", PLAN]);
    fs.rmSync(path.join(project, PLAN));
    await expect(run(["status"])).rejects.toThrow("Could not read");
  });
});

describe("plan task", () => {
  it("changes one cell and no other byte", async () => {
    const text = planText(["complete", "in-progress", "pending"], "Bytes: ä € 😀 | pending |\n").replaceAll(
      "\n",
      "\r\n",
    );
    write(PLAN, `\uFEFF${text}`);
    fs.chmodSync(path.join(project, PLAN), 0o600);
    await run(["start", PLAN]);
    const { out } = await run(["task", "3", "complete"]);
    expect(out).toContain("Task 3 is now complete (before: pending). 2/3 tasks complete, 1 in-progress, 0 pending.");
    expect(document()).toBe(
      `\uFEFF${text.replace("| 3 | Build part 3 | — | pending |", "| 3 | Build part 3 | — | complete |")}`,
    );
    expect(fs.statSync(path.join(project, PLAN)).mode & 0o777).toBe(0o600);
  });

  it("keeps which round of review it is", async () => {
    await run(["start", PLAN]);
    await run(["task", "2", "review-fix-2"]);
    expect(document()).toContain("| 2 | Build part 2 | — | review-fix-2 |");
    expect((await run(["status"])).out).toContain("1/3 tasks complete, 1 in-progress, 1 pending.");
  });

  it("writes through a link", async () => {
    write("real/plan.md", planText(["pending"]));
    fs.rmSync(path.join(project, PLAN));
    fs.symlinkSync("../../real/plan.md", path.join(project, PLAN));
    await run(["start", PLAN]);
    await run(["task", "1", "blocked"]);
    expect(fs.lstatSync(path.join(project, PLAN)).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(path.join(project, "real/plan.md"), "utf8")).toContain("| blocked |");
  });

  it("says when something it depends on is not complete", async () => {
    write(PLAN, planText(["pending", "pending"]).replace("| 2 | Build part 2 | — |", "| 2 | Build part 2 | 1 |"));
    await run(["start", PLAN]);
    expect((await run(["task", "2", "in-progress"])).out).toContain("task 2 depends on 1, which is not complete");
  });

  it.each([
    ["a task that is not there", ["task", "33", "complete"], "There is no task `33`"],
    [
      "a status that does not exist",
      ["task", "3", "completed"],
      "`completed` is not a status. Did you mean `complete`?",
    ],
    ["a number that is there twice", ["task", "7", "complete"], "There are 2 tasks `7`"],
    ["a row without a cell for it", ["task", "8", "complete"], "has no cell for a status"],
  ])("refuses %s, and changes nothing", async (_name, args, message) => {
    const row = "| 3 | Build part 3 | — | pending |";
    write(
      PLAN,
      planText(["complete", "pending", "pending"]).replace(
        row,
        `${row}\n| 7 | a | — | pending |\n| 7 | b | — | pending |\n| 8 | x |`,
      ),
    );
    await run(["start", PLAN]);
    const before = document();
    await expect(run(args)).rejects.toThrow(message);
    expect(document()).toBe(before);
  });

  it("needs an active plan", async () => {
    await expect(run(["task", "1", "complete"])).rejects.toThrow(`No plan is active in ${project}`);
  });
});

describe("plan finish and abort", () => {
  it("finish refuses while something is left, and then ends the plan", async () => {
    await run(["start", PLAN]);
    await expect(run(["finish"])).rejects.toThrow(`2 tasks still incomplete in '${TITLE}'`);
    expect(fs.existsSync(stateFile)).toBe(true);
    await run(["task", "2", "complete"]);
    await run(["task", "3", "escalated"]);
    expect((await run(["finish"])).out).toBe(
      `Finished '${TITLE}' (${PLAN}). 2/3 tasks complete, 0 in-progress, 0 pending. 1 escalated (needs human).`,
    );
    expect(fs.existsSync(stateFile)).toBe(false);
    await expect(run(["finish"])).rejects.toThrow("No plan is active");
  });

  it("abort gives up and leaves the document alone", async () => {
    const before = document();
    await run(["start", PLAN]);
    expect((await run(["abort"])).out).toBe(`The plan ${PLAN} is aborted. Its document was not changed.`);
    expect(fs.existsSync(stateFile)).toBe(false);
    expect(document()).toBe(before);
    expect(await run(["abort"])).toEqual({ code: 0, out: "No plan is active." });
  });

  it("abort moves aside what it does not understand", async () => {
    write(".claude/orchestrator-state.json", "{nonsense");
    expect((await run(["abort"])).out).toContain("could not be read and was moved to");
    const [aside] = fs.readdirSync(path.dirname(stateFile));
    expect(aside).toMatch(/^orchestrator-state\.json\.corrupt-/);
    expect(fs.readFileSync(path.join(path.dirname(stateFile), aside ?? ""), "utf8")).toBe("{nonsense");
  });

  it.each([
    [[]],
    [["start"]],
    [["start", "a", "b"]],
    [["status", "x"]],
    [["task", "1"]],
    [["finish", "now"]],
    [["what"]],
  ])("refuses %j", async (args) => {
    await expect(run(args)).rejects.toThrow("Give `start FILE`");
  });

  it("says which file is not there, once", async () => {
    await expect(run(["start", "docs/none.md"])).rejects.toThrow(/none\.md: no such file or directory \(ENOENT\)\.$/);
  });

  it("refuses options of another action", async () => {
    await expect(run(["finish"], { team: "x" })).rejects.toThrow("belong to `start`");
  });
});
