import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSession } from "./command.ts";

let folder: string;
let project: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-session-")));
  project = path.join(folder, "app");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Run {
  readonly input?: string;
  readonly options?: Record<string, string | boolean>;
  readonly env?: Record<string, string>;
}

async function run(args: string[], { input = "", options = {}, env = {} }: Run = {}) {
  const lines: string[] = [];
  const out = (text: string) => lines.push(text);
  const context = {
    args,
    options,
    cwd: project,
    env: { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), CLAUDE_CODE_SESSION_ID: "agent-1", ...env },
    out,
    err: out,
  };
  // An error that is thrown synchronously also counts as an error of the command.
  const code = await (async () => runSession(context, Readable.from([Buffer.from(input)])))();
  return { code, out: lines.join("\n") };
}

const DIR = "sessions/2026_01_02_LOGIN";
const at = (name: string, dir = DIR): string => path.join(project, dir, name);
const state = (dir = DIR): Record<string, unknown> =>
  JSON.parse(fs.readFileSync(at(".state.json", dir), "utf8")) as Record<string, unknown>;
const write = (name: string, text: string): void => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
};

const PHASES = [
  { label: "1", name: "Setup", steps: ["Look around"], proof: ["looked"] },
  { major: 2, name: "Build" },
  { major: 2, minor: 1, name: "Tests", proof: { suite: "which", result: "how" } },
  { label: "3.A", name: "Ship" },
  { label: "3.B", name: "Shelve" },
  { label: "4", name: "Synthesis", proof: ["debriefed"] },
];
const PARAMETERS = {
  taskType: "feature",
  taskSummary: "log in",
  scope: "src",
  directoriesOfInterest: [],
  contextPaths: [],
  planTemplate: "",
  logTemplate: "TEMPLATE_LOGIN_LOG.md",
  debriefTemplate: "TEMPLATE_LOGIN.md",
  requestTemplate: "",
  responseTemplate: "",
  requestFiles: [],
  nextSkills: ["test"],
  extraInfo: "",
  phases: PHASES,
};
const begin = (more: Run = {}) => run(["activate", DIR, "implement"], more);
const beginWithPhases = () => begin({ input: JSON.stringify(PARAMETERS) });

describe("activate", () => {
  it("makes the folder, the state and says where things are", async () => {
    const { code, out } = await begin({ options: { "fleet-pane": "main:1:api", "target-file": "src/a.ts" } });
    expect(code).toBe(0);
    expect(out).toContain("Session 2026_01_02_LOGIN is active. Skill: implement.");
    expect(out).toContain(at("IMPLEMENT_LOG.md"));
    expect(state()).toMatchObject({
      sessionId: "agent-1",
      skill: "implement",
      lifecycle: "active",
      loading: false,
      overflowed: false,
      killRequested: false,
      fleetPaneId: "main:1:api",
      targetFile: "src/a.ts",
    });
  });

  it("takes parameters, all of them, and begins with the first phase", async () => {
    const { out } = await beginWithPhases();
    expect(out).toContain("Phase: 1: Setup");
    expect(out).toContain("Proof needed before the next phase: looked");
    expect(state()).toMatchObject({
      ...PARAMETERS,
      loading: true,
      currentPhase: "1: Setup",
      phaseHistory: ["1: Setup"],
    });
    const { phases: _phases, ...less } = PARAMETERS;
    await expect(begin({ input: JSON.stringify(less) })).rejects.toThrow("missing: phases");
    await expect(begin({ input: JSON.stringify({ ...PARAMETERS, phases: "x" }) })).rejects.toThrow(
      "not a list: phases",
    );
    await expect(run([])).rejects.toThrow("Give an action");
    await expect(begin({ input: "{" })).rejects.toThrow("parameters on standard input");
    await expect(begin({ input: "[]" })).rejects.toThrow("not a JSON object");
  });

  it.each([
    "..",
    "../x",
    "sessions",
    "sessions/../x",
    "sessions/a/b",
    "/etc",
    "elsewhere/x",
    "sessions/.x",
    "",
    "sessions/a b",
  ])("does not take %j for a session", async (dir) => {
    await expect(run(["activate", dir, "do"])).rejects.toThrow("is not the folder of a session");
    expect(fs.existsSync(path.join(folder, "x"))).toBe(false);
  });

  it("does not follow a link out of the project", async () => {
    fs.mkdirSync(path.join(folder, "away"));
    fs.symlinkSync(path.join(folder, "away"), path.join(project, "sessions"));
    await expect(begin()).rejects.toThrow("is not the folder of a session");
    expect(fs.readdirSync(path.join(folder, "away"))).toEqual([]);
  });

  it("a bare name is below sessions", async () => {
    await run(["activate", "X", "do"]);
    expect(state("sessions/X").skill).toBe("do");
  });

  it("leaves the session it was in", async () => {
    await begin();
    const { out } = await run(["activate", "sessions/OTHER", "do"]);
    expect(out).toContain("Left: 2026_01_02_LOGIN");
    expect(state().sessionId).toBeUndefined();
    expect(state("sessions/OTHER").sessionId).toBe("agent-1");
    expect((await run(["find"])).out).toBe(path.join(project, "sessions/OTHER"));
  });

  it("does not take a session from a process that is alive, but from a dead one", async () => {
    write(".state.json", JSON.stringify({ pid: process.pid, skill: "do", theirs: 1 }));
    await expect(begin()).rejects.toThrow(`belongs to process ${process.pid}`);
    write(".state.json", JSON.stringify({ pid: 2 ** 22 + 5, skill: "do", theirs: 1 }));
    await begin();
    expect(state()).toMatchObject({ skill: "implement", theirs: 1, sessionId: "agent-1" });
  });

  it("a skill that was completed needs the user's word, unless it is a small task", async () => {
    await begin();
    await run(["idle"], { input: "later" });
    await expect(begin()).rejects.toThrow("already completed");
    expect((await begin({ options: { "user-approved": "again, please" } })).code).toBe(0);
    expect(state().approvals).toEqual(["implement: again, please"]);
    await run(["idle"], { input: "later" });
    expect((await begin({ options: { "fast-track": true } })).code).toBe(0);
  });

  it("another skill begins without the phases of the one before", async () => {
    await beginWithPhases();
    await run(["activate", DIR, "test"]);
    expect(state()).toMatchObject({ skill: "test", loading: false });
    expect(state().phases).toBeUndefined();
    expect(state().currentPhase).toBeUndefined();
  });

  it("names alerts, open delegations, related sessions and directives", async () => {
    fs.mkdirSync(path.join(project, "src"));
    fs.writeFileSync(path.join(project, "src/PITFALLS.md"), "x");
    fs.mkdirSync(path.join(project, "sessions/2025_12_01_LOGIN"), { recursive: true });
    fs.writeFileSync(path.join(project, "sessions/2025_12_01_LOGIN/A.md"), "#active-alert\n#needs-review `#needs-x`\n");
    const { out } = await begin({ input: JSON.stringify({ ...PARAMETERS, directoriesOfInterest: ["src"] }) });
    expect(out).toContain("Alert: ");
    expect(out).toContain("Open: #needs-review in ");
    expect(out).not.toContain("#needs-x");
    expect(out).toContain("Related: 2025_12_01_LOGIN");
    expect(out).toContain(`Directive: ${project}/src/PITFALLS.md`);
  });
});

describe("phase", () => {
  const go = (text: string, more: Run = {}) => run(["phase", DIR, text], more);
  const looked = { input: "looked: yes, all of it\n" };

  it("goes to the next one with proof, resets the count and ends the loading", async () => {
    await beginWithPhases();
    await run(["update", DIR, "toolCallsSinceLastLog", "7"]);
    const { out } = await go("2: Build", looked);
    expect(out).toBe("Phase: 2: Build");
    expect(state()).toMatchObject({
      loading: false,
      currentPhase: "2: Build",
      toolCallsByTranscript: {},
      toolCallsSinceLastLog: 0,
    });
    expect(state().phaseHistory).toEqual(["1: Setup", "2: Build"]);
    expect(state().provenItems).toEqual({ "1": { looked: "yes, all of it" } });
  });

  it.each(["", "looked:", "looked: ____", "other: x"])("is not left with %j for a proof", async (input) => {
    await beginWithPhases();
    await expect(go("2: Build", { input })).rejects.toThrow("1: Setup cannot be left without its proof");
    expect(state().currentPhase).toBe("1: Setup");
  });

  it("says its steps and what will have to be proven", async () => {
    await beginWithPhases();
    await go("2: Build", looked);
    expect((await go("2.1: Tests")).out).toContain("next phase: suite, result");
    expect(
      (await go("1: Setup", { input: "suite: a\nresult: b", options: { "user-approved": "again" } })).out,
    ).toContain("1. Look around");
  });

  it.each([
    ["3.A: Ship", "does not follow 1: Setup"],
    ["7: Party", "It is not a declared phase"],
    ["4: Synthesis", "The next phase is 2: Build"],
  ])("does not jump to %j", async (text, says) => {
    await beginWithPhases();
    await expect(go(text, looked)).rejects.toThrow(says);
    await go(text, { ...looked, options: { "user-approved": "jump" } });
    expect(state().currentPhase).toBe(text);
  });

  it("adds an undeclared phase of the same number, and does not switch branches", async () => {
    await beginWithPhases();
    await go("2: Build", looked);
    await go("2.7: Polish");
    expect((state().phases as { label?: string }[])[3]).toEqual({ label: "2.7", name: "Polish" });
    await go("3.A: Ship");
    await expect(go("3.B: Shelve")).rejects.toThrow("Branch 3.A was chosen");
    await go("4: Synthesis");
    await expect(go("5: More", { input: "debriefed: yes" })).rejects.toThrow("4: Synthesis is the last phase");
  });

  it.each(["Build", "x: y", "2:", ""])("does not take %j for a phase", async (text) => {
    await begin();
    await expect(go(text)).rejects.toThrow("a phase is written as");
  });

  it("without declared phases any order goes, and the folder may be left out", async () => {
    await begin();
    expect((await run(["phase", "Phase 3: Anything"])).out).toBe("Phase: 3: Anything");
    expect(state().currentPhase).toBe("3: Anything");
  });
});

describe("closing", () => {
  it("idle needs a description, frees the process and can be continued", async () => {
    await begin({ env: { CLAUDE_SUPERVISOR_PID: "77" } });
    await expect(run(["idle", DIR])).rejects.toThrow("say what was done");
    await run(["idle", DIR], { input: "half done" });
    expect(state()).toMatchObject({
      lifecycle: "idle",
      sessionDescription: "half done",
      completedSkills: ["implement"],
    });
    expect(state().pid).toBeUndefined();
    expect((await run(["continue", DIR])).out).toContain("is continued");
    expect(state().lifecycle).toBe("active");
  });

  it("deactivate asks for the debrief, the checks and the proof once work has begun", async () => {
    await beginWithPhases();
    await run(["phase", DIR, "4: Synthesis"], { input: "looked: x", options: { "user-approved": "short" } });
    write("LOGIN_LOG.md", "## x\n#needs-review\n");
    await expect(run(["deactivate", DIR], { input: "done" })).rejects.toThrow("LOGIN.md is not written");
    expect((await run(["debrief", DIR])).out).toContain("Its phase still needs proof of: debriefed");
    await run(["debrief", DIR], { input: "# Done" });
    await expect(run(["deactivate", DIR], { input: "done" })).rejects.toThrow("checks have not passed");
    const open = await run(["check", DIR]);
    expect(open.code).toBe(1);
    expect(open.out).toContain("LOGIN_LOG.md:2: #needs-review is still open");
    write("LOGIN_LOG.md", "## x\n`#needs-review` was done\n");
    expect((await run(["check", DIR])).code).toBe(0);
    await expect(run(["deactivate", DIR], { input: "done" })).rejects.toThrow(
      "4: Synthesis cannot be left without its proof",
    );
    await run(["deactivate", DIR], { input: "Logins work.\ndebriefed: yes", options: { keywords: "login, form" } });
    expect(state()).toMatchObject({ lifecycle: "completed", searchKeywords: ["login", "form"] });
  });

  it("a session that has hardly begun is just closed", async () => {
    await beginWithPhases();
    await run(["deactivate", DIR], { input: "not needed" });
    expect(state().lifecycle).toBe("completed");
  });

  it("check wants checklists answered and requests done", async () => {
    await begin();
    fs.writeFileSync(path.join(project, "CHECKLIST.md"), "- [ ] Tests pass\n- [ ] Docs\n");
    fs.writeFileSync(path.join(project, "request.md"), "**Tags**: #needs-answer\n");
    await run(["update", DIR, "discoveredChecklists", JSON.stringify([path.join(project, "CHECKLIST.md")])]);
    await run(["update", DIR, "requestFiles", '["request.md", "gone.md"]']);
    const first = await run(["check", DIR], { input: "- [x] Tests pass" });
    expect(first.code).toBe(1);
    expect(first.out).toContain("CHECKLIST.md:2: not answered: Docs");
    expect(first.out).toContain("request.md:1: #needs-answer is not answered");
    expect(first.out).toContain("gone.md is listed as a request file but does not exist");
    fs.writeFileSync(path.join(project, "request.md"), "**Tags**: #done-answer\n");
    await run(["update", DIR, "requestFiles", '["request.md"]']);
    expect((await run(["check", DIR], { input: "- [x] Tests pass\n- [-] Docs" })).code).toBe(0);
    expect(state()).toMatchObject({ checkPassed: true, tagCheckPassed: true, requestCheckPassed: true });
  });
});
