import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Json } from "../../../core/event.ts";
import { Database } from "../../../state/database.ts";
import { addAppend, setMirror, writeOpenMirrors } from "../../../state/exported-files.ts";
import { PROJECT } from "../../../testing/events.ts";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import { exportedRun, type ModeFiles } from "../files/exports.ts";
import { aRun, runsIn } from "../mode.samples.ts";
import type { ModeRun } from "../mode-run.ts";
import { planStart, start } from "../start.ts";
import { ralph } from "./machine.ts";
import { IN_OMC, PROGRESS, prdText, ROOT, readerOf, rejects, startedWith } from "./ralph.samples.ts";

const STARTER = { session: "s1", promptId: "", pid: 1, pane: "", limits: {} };
const MOST = 1_200;

function stepOf(run: ModeRun, files: Record<string, string>, said = "Done.", children: readonly ModeRun[] = []) {
  return ralph.step(run, { lastMessage: said, now: FAKE_NOW }, readerOf(files), children);
}

describe("the start of ralph", () => {
  const begins: readonly [name: string, files: Record<string, string>, details: object, until: string][] = [
    [
      "no PRD",
      {},
      { prd_mode: true, prd_created: true, prd_path: ".omc/prd.json" },
      "all stories of .omc/prd.json pass",
    ],
    [
      "an open PRD",
      { [ROOT]: prdText("+--") },
      { prd_mode: true, prd_created: false, prd_path: "prd.json", current_story_id: "US-002", passed: ["US-001"] },
      "all stories of prd.json pass",
    ],
    [
      "a complete PRD",
      { [ROOT]: prdText("++") },
      { prd_mode: false, prd_created: false, prd_project: "", current_story_id: "" },
      "a message has `RALPH_COMPLETE` alone on a line",
    ],
    ["a PRD without stories", { [IN_OMC]: prdText("") }, { prd_mode: false, prd_created: false }, "`RALPH_COMPLETE`"],
    [
      "a broken PRD",
      { [ROOT]: "{" },
      { prd_mode: false, prd_created: false, prd_path: "prd.json" },
      "`RALPH_COMPLETE`",
    ],
  ];
  it.each(begins)("with %s", (_name, files, details, until) => {
    const run = startedWith(files);
    expect(run.details).toMatchObject(details);
    expect(ralph.until(run)).toContain(until);
    expect(ralph.until(run)).toContain("a reviewer has approved");
  });

  it("has the fields of oh-my-claudecode's state file, unlike the state that its keyword hook writes", () => {
    const exported = exportedRun({ ...startedWith({ [ROOT]: prdText("-") }), round: 3 }, PROJECT);
    expect(exported).toMatchObject({
      active: true,
      iteration: 3,
      max_iterations: 100,
      prompt: "fix the login",
      prd_mode: true,
      current_story_id: "US-001",
      linked_ultrawork: false,
      verification: {
        pending: false,
        completion_claim: "",
        verification_attempts: 0,
        max_verification_attempts: 3,
        architect_feedback: "",
        architect_approved: false,
        requested_at: "",
      },
    });
  });

  const wrong: readonly [name: string, details: Record<string, Json>][] = [
    ["a field of a wrong type", { prd_mode: "yes" }],
    ["a verification that is a list", { verification: [] }],
    ["a field that ralph does not have", { phase_durations: {} }],
  ];
  it.each(wrong)("refuses to store %s", (_name, details) => {
    const db = new Database(":memory:", 50);
    expect(() => runsIn(db).save(aRun("ralph", { details }))).toThrow(/fields of a wrong type/);
    db.close();
  });

  it("works on with a state that has no details", () => {
    expect(stepOf(aRun("ralph"), { [ROOT]: prdText("-") }).text).toContain("US-001 Story 1");
  });
});

describe("the first PRD", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true });
  });

  /** Starts ralph in a real folder; `meanwhile` happens before the files are written. */
  function startIn(prepare: (project: string) => void, meanwhile: (project: string) => void = () => undefined): string {
    const project = fs.mkdtempSync(path.join(os.tmpdir(), "ralph-"));
    folders.push(project);
    prepare(project);
    const read = (file: string): string | undefined =>
      fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
    const db = new Database(":memory:", 50);
    const files: ModeFiles = {
      project,
      info(file) {
        const stat = fs.lstatSync(file, { throwIfNoEntry: false });
        const kind = stat?.isDirectory() ? "directory" : stat?.isSymbolicLink() ? "link" : "file";
        return stat && { kind, uid: stat.uid, mode: stat.mode };
      },
      mirror: (parts, value) => setMirror(db, path.join(...parts), JSON.stringify(value)),
      mirrorText: (parts, text) => setMirror(db, path.join(...parts), text),
      append: (parts, text, marker) => addAppend(db, path.join(...parts), text, marker),
    };
    const reader = {
      ...readerOf({}),
      project,
      text<T>(file: string, _about: string, digest: (text: string) => T) {
        const text = read(file);
        return text === undefined ? undefined : digest(text);
      },
    };
    const store = runsIn(db);
    start(store, files, planStart(store, { mode: "ralph", request: "fix the login" }, STARTER, reader), FAKE_NOW);
    meanwhile(project);
    writeOpenMirrors(db, process.getuid?.() ?? 0);
    db.close();
    return project;
  }

  const textIn = (project: string, file: string): string => fs.readFileSync(path.join(project, file), "utf8");

  it("has one story from the request, with four criteria", () => {
    const project = startIn(() => undefined);
    const prd = JSON.parse(textIn(project, ".omc/prd.json"));
    expect(prd).toMatchObject({ project: path.basename(project), branchName: "", description: "fix the login" });
    expect(prd.userStories).toHaveLength(1);
    expect(prd.userStories[0]).toMatchObject({ id: "US-001", title: "fix the login", priority: 1, passes: false });
    expect(prd.userStories[0].acceptanceCriteria).toHaveLength(4);
    expect(textIn(project, ".omc/.gitignore")).toBe("*\n");
  });

  it("stays out of git in a folder that was there before", () => {
    const project = startIn((folder) => fs.mkdirSync(path.join(folder, ".omc")));
    expect(textIn(project, ".omc/prd.json")).toContain("US-001");
    expect(textIn(project, ".omc/.gitignore").split("\n")).toEqual(["/prd.json", "/progress.txt", "/.gitignore", ""]);
  });

  it("leaves a .gitignore that was there before as it is", () => {
    const project = startIn((folder) => {
      fs.mkdirSync(path.join(folder, ".omc"));
      fs.writeFileSync(path.join(folder, ".omc/.gitignore"), "state/\n");
    });
    expect(textIn(project, ".omc/.gitignore")).toBe("state/\n");
  });

  it.each([
    ["prd.json", '{"userStories": []}'],
    ["prd.json", "{ broken"],
  ])("is not written beside a %s with %s", (file, text) => {
    const project = startIn((folder) => fs.writeFileSync(path.join(folder, file), text));
    expect(textIn(project, file)).toBe(text);
    expect(fs.existsSync(path.join(project, ".omc/prd.json"))).toBe(false);
  });

  it("does not replace a PRD that somebody writes meanwhile", () => {
    const project = startIn(
      () => undefined,
      (folder) => {
        fs.mkdirSync(path.join(folder, ".omc"));
        fs.writeFileSync(path.join(folder, ".omc/prd.json"), prdText("--"));
      },
    );
    expect(textIn(project, ".omc/prd.json")).toBe(prdText("--"));
  });

  it("is not written through a link", () => {
    const outside = fs.mkdtempSync(path.join(os.tmpdir(), "ralph-"));
    folders.push(outside);
    startIn((folder) => fs.symlinkSync(outside, path.join(folder, ".omc")));
    expect(fs.readdirSync(outside)).toEqual([]);
  });
});

describe("what ralph tells the model", () => {
  const working: readonly [name: string, files: Record<string, string>, parts: readonly string[]][] = [
    [
      "the current story with its criteria and the status",
      { [ROOT]: prdText("+---") },
      ["1 of 4 stories of prd.json pass.", "Current story: US-002 Story 2", "- part 2 works", "progress.txt"],
    ],
    [
      "patterns, learnings and the last entries",
      {
        [ROOT]: prdText("-"),
        [PROGRESS]:
          "## Codebase Patterns\n- use sql\n---\n## [2026-01-02 03:04] - US-000\n- Implemented: the form\n- Learnings: cache it\n---\n",
      },
      ["- use sql", "- cache it", "US-000 (2026-01-02 03:04): the form"],
    ],
    ["what is wrong with a broken PRD", { [ROOT]: "{" }, ["prd.json cannot be used: it is not JSON", "left as it is"]],
    ["why a PRD is not used", { [ROOT]: prdText("") }, ["prd.json is not used: it has no stories.", "RALPH_COMPLETE"]],
    ["how to end without a PRD", {}, ["fix the login", "RALPH_COMPLETE alone on a line"]],
  ];
  it.each(working)("%s", (_name, files, parts) => {
    const { kind, text } = stepOf(startedWith(files), files);
    expect(kind).toBe("hold");
    for (const part of parts) expect(text).toContain(part);
  });

  it("names the linked ultrawork only while it runs", () => {
    const files = { [ROOT]: prdText("-") };
    const linked = stepOf(startedWith(files), files, "Done.", [aRun("ultrawork", { parent: "ralph" })]);
    expect(linked.run.details.linked_ultrawork).toBe(true);
    expect(linked.text).toContain("in parallel");
    expect(linked.children).toHaveLength(1);
    const alone = stepOf(linked.run, files);
    expect(alone.run.details.linked_ultrawork).toBe(false);
    expect(alone.text).not.toContain("in parallel");
  });

  const long = "a rather long sentence that says too much about the work at hand, with `code` in it. ".repeat(20);
  const longPrd = prdText("", {
    userStories: Array.from({ length: 9 }, (_, index) => ({
      id: `US-${index}`,
      title: long,
      description: long,
      acceptanceCriteria: Array.from({ length: 30 }, () => long.slice(0, 99)),
      passes: false,
    })),
  });
  const longProgress = `## Codebase Patterns\n${`- ${long}\n`.repeat(9)}---\n${`## [2026-01-02 03:04] - US\n- ${long}\n- Learnings: ${long}\n`.repeat(9)}`;
  const longFiles = { [ROOT]: longPrd, [PROGRESS]: longProgress };

  it.each([
    ["work", "Done.", 0],
    ["work after a rejection", "Done.", 1],
    ["a review", "RALPH_COMPLETE", 0],
    ["a review after a rejection", "RALPH_COMPLETE", 1],
  ])("stays short, cut at the ends of lines: %s", (_name, said, rejections) => {
    const started = startedWith(longFiles, long);
    let run = started;
    if (rejections > 0) {
      run = stepOf(run, longFiles, "RALPH_COMPLETE").run;
      run = ralph.heard?.(run, "architect", rejects(long), readerOf({})) ?? run;
    }
    const { text } = stepOf(run, longFiles, said);
    expect(text.length).toBeLessThanOrEqual(MOST);
    expect(text.length).toBeGreaterThan(600);
    expect(text).not.toMatch(/\n$|\n\n/);
  });

  it("says how many lines were left out", () => {
    expect(stepOf(startedWith(longFiles), longFiles).text).toMatch(/- \d+ more in prd\.json/);
  });

  it.each([
    ["work", "Done."],
    ["a review", "RALPH_COMPLETE"],
  ])("has no command that destroys anything: %s", (_name, said) => {
    const files = { [ROOT]: prdText("-") };
    expect(stepOf(startedWith(files), files, said).text).not.toMatch(/\brm\b|reset|--force|!|[A-Z]{5,} [A-Z]{5,}/);
  });
});

describe("the guide and the progress", () => {
  const guides: readonly [name: string, files: Record<string, string>, parts: readonly string[]][] = [
    ["before its PRD is written", {}, [".omc/prd.json is made with one story", "First split it", ".omc/progress.txt"]],
    ["with an open PRD", { [ROOT]: prdText("+-") }, ["1 of 2 stories of prd.json pass.", "US-002 Story 2"]],
    ["with a broken PRD", { [ROOT]: "[" }, ["prd.json cannot be used"]],
  ];
  it.each(guides)("guide %s", (_name, files, parts) => {
    const text = ralph.guide(startedWith(files), readerOf(files));
    for (const part of [
      ...parts,
      "fix the login",
      "## Codebase Patterns",
      "RALPH_COMPLETE",
      "`architect`",
      "NEEDS_INPUT",
    ])
      expect(text).toContain(part);
    expect(text.length).toBeLessThan(2_500);
  });

  it("names an open review in the guide", () => {
    const run = stepOf(startedWith({}), {}, "RALPH_COMPLETE").run;
    expect(ralph.guide(run, readerOf({}))).toContain("Review 1 of at most 3 is open.");
  });

  it.each([
    ["2 of 5 stories", { [ROOT]: prdText("++---") }, "Done."],
    ["0 of 1 story", { [IN_OMC]: prdText("-") }, "Done."],
    ["", {}, "Done."],
    ["", { [ROOT]: prdText("") }, "Done."],
    ["", { [ROOT]: "{" }, "Done."],
    ["review pending", { [ROOT]: prdText("+-") }, "RALPH_COMPLETE"],
    ["review pending", {}, "RALPH_COMPLETE"],
  ])("progress: %s", (progress, files, said) => {
    const { run } = stepOf(startedWith(files as Record<string, string>), files as Record<string, string>, said);
    expect(ralph.progress(run, readerOf(files as Record<string, string>))).toBe(progress);
  });
});
