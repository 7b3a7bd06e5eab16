/** Without hooks or without the profile `omc`, no file stays in a project but what people and agents wrote. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BoardFile } from "../../../domain/board/board-file.ts";
import { makeBoard } from "../../../domain/board/open-board.ts";
import { runDueJobs } from "../../../engine/jobs/run-jobs.ts";
import { ModeWorld } from "../../../engine/tests/modes.samples.ts";
import { Database } from "../../../state/database.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { filesBelow, makePackage, NO_TERMINAL, SETUP_EVENTS } from "../../installation/setup.samples.ts";
import { runInit } from "../init/run.ts";
import { runUninstall } from "./run.ts";

let world: ModeWorld;
beforeEach(() => {
  world = new ModeWorld();
  world.now = Date.now();
  makePackage(path.join(world.root, "package"));
});
afterEach(() => world.close());

function contextWith(options: CommandContext["options"]) {
  let text = "";
  const out = (more: string): void => {
    text += `${more}\n`;
  };
  const env = { HOME: path.join(world.root, "user"), HOOKWRIGHT_HOME: world.home, PATH: process.env.PATH };
  return { args: [], options: { yes: true, ...options }, cwd: world.project, env, out, err: out, said: () => text };
}

async function init(options: CommandContext["options"] = {}): Promise<string> {
  const context = contextWith(options);
  const source = { hasSqlite: true, node: "/opt/node" };
  const packageRoot = path.join(world.root, "package");
  await runInit(context, { events: () => SETUP_EVENTS, packageRoot, terminal: NO_TERMINAL, source });
  return context.said();
}

async function uninstall(options: CommandContext["options"] = {}): Promise<string> {
  const context = contextWith(options);
  expect(await runUninstall(context, NO_TERMINAL)).toBe(0);
  return context.said();
}

const inProject = (name: string): string => path.join(world.project, name);
const files = (): string[] =>
  Object.entries(filesBelow(inProject(".omc"))).flatMap(([name, text]) => (text === "(not a file)" ? [] : [name]));

function write(name: string, text: string): void {
  fs.mkdirSync(path.dirname(inProject(name)), { recursive: true });
  fs.writeFileSync(inProject(name), text);
}

/** A session in which the hooks write what they can, and ends. */
async function work(session = "s1"): Promise<void> {
  const send = (hook_event_name: string, more = {}) => world.send(session, { hook_event_name, ...more });
  const agent = { agent_id: "a1", agent_type: "Explore" };
  await send("Setup", { trigger: "init" });
  await send("SessionStart", { source: "startup" });
  await world.prompt(session, "ultrawork: port the scripts");
  await send("SubagentStart", agent);
  await send("SubagentStop", { ...agent, stop_hook_active: false, last_assistant_message: "Found." });
  const edit = { file_path: inProject("src/a.ts"), old_string: "a", new_string: "b" };
  const call = { tool_name: "Edit", tool_input: edit, tool_use_id: `toolu_${session}` };
  await send("PreToolUse", call);
  await send("PostToolUse", { ...call, tool_response: { filePath: edit.file_path } });
  await send("PreCompact", { trigger: "auto", custom_instructions: "" });
  await world.stop(session);
  await send("Setup", { trigger: "maintenance" });
  await runJobs();
}

async function runJobs(): Promise<void> {
  const db = new Database(path.join(world.home, "state.db"), 1_000);
  await runDueJobs(db, system);
  db.close();
}

describe("uninstall", () => {
  it("leaves the project as it was", async () => {
    const before = filesBelow(world.project);
    await init();
    await work();
    expect(files().length).toBeGreaterThan(6);
    expect(await uninstall()).toMatch(/Removed \d+ files of the profile omc from \S+\/app\/\.omc\./);
    expect(filesBelow(world.project)).toEqual(before);
  });

  it("leaves what a person wrote, byte for byte", async () => {
    write(".omc/plans/mine.md", "# Mine\n");
    write(".omc/notes.txt", "x");
    write(".omc/state/another-state.json", "{}");
    write(".omc/skills/s.md", "---\nname: s\n---\n");
    write("src/a.ts", "a");
    const before = filesBelow(world.project);
    await init();
    await work();
    await uninstall();
    expect(filesBelow(world.project)).toEqual(before);
  });

  it("leaves a notepad and its notes, which are no state", async () => {
    await init();
    await world.send("s1", {
      hook_event_name: "SubagentStop",
      ...{ agent_id: "a1", agent_type: "Explore", stop_hook_active: false },
      last_assistant_message: "<remember>use npm ci</remember>",
    });
    await work();
    await uninstall();
    expect(files()).toEqual(["notepad.md"]);
    expect(fs.readFileSync(inProject(".omc/notepad.md"), "utf8")).toContain("use npm ci");
  });

  it("names a file of ours that somebody has changed, and leaves it", async () => {
    await init();
    await work();
    const file = inProject(".omc/state/ultrawork-state.json");
    const [changed] = files().filter((name) => name.startsWith("plans/"));
    fs.writeFileSync(inProject(`.omc/${changed}`), "mine\n");
    const said = await uninstall();
    expect(said).toContain(`${inProject(`.omc/${changed}`)} stays: it was changed by somebody else.`);
    expect(files()).toEqual([changed]);
    expect(fs.existsSync(file)).toBe(false);
  });

  it.each([
    ["stays while tasks are open", "pending", true],
    ["goes when nothing is", "done", false],
  ])("a task board %s", async (_name, status, stays) => {
    await init();
    await work();
    const { file } = makeBoard(world.project, {}, { now: Date.now, uid: system.uid });
    const board = new BoardFile(file, 1_000);
    board.run("INSERT INTO tasks (id, description, status, number) VALUES ('task-1', 'port a', ?, 1)", status);
    board.close();
    expect((await uninstall()).includes("swarm-tasks.db stays: 1 task is open on it.")).toBe(stays);
    expect(files().filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual(stays ? ["state/swarm-tasks.db"] : []);
  });

  it("goes along no link out of the project", async () => {
    await init();
    await work();
    const outside = path.join(world.root, "outside");
    fs.renameSync(inProject(".omc"), outside);
    fs.symlinkSync(outside, inProject(".omc"));
    const before = filesBelow(outside);
    expect(await uninstall()).toContain("is no plain folder");
    expect(filesBelow(outside)).toEqual(before);
  });

  it("touches nothing while another installation has the profile on here", async () => {
    await init();
    await init({ scope: "local" });
    await work();
    const before = filesBelow(world.project);
    expect(await uninstall()).not.toContain("Removed");
    expect(files().length).toBeGreaterThan(6);
    expect(Object.keys(filesBelow(world.project))).toEqual(Object.keys(before));
    expect(await uninstall({ scope: "local" })).toContain("Removed");
    expect(files()).toEqual([]);
  });
});

describe("a change of the profiles", () => {
  it("to those without omc removes its files once no mode goes on", async () => {
    const before = filesBelow(world.project);
    await init();
    await work();
    expect(await init({ profile: "safety" })).toContain("ultrawork goes on there");
    expect(files().length).toBeGreaterThan(6);
    await world.mode("cancel", { all: true });
    expect(await init({ profile: "safety" })).toMatch(/Removed \d+ files of the profile omc/);
    expect(filesBelow(world.project)).toEqual(before);
  });

  it("that keeps omc removes nothing", async () => {
    await init();
    await work();
    await world.mode("cancel", { all: true });
    const before = files();
    await init({ profile: "safety,plan,omc" });
    expect(files()).toEqual(before);
  });

  it("removes nothing where the project itself turns omc on, or a plugin does", async () => {
    await init();
    await work();
    await world.mode("cancel", { all: true });
    const before = files();
    write("hookwright.yml", "profiles: [omc]\n");
    await init({ profile: "safety" });
    expect(files()).toEqual(before);
    fs.rmSync(inProject("hookwright.yml"));
    write(".claude/settings.json", JSON.stringify({ enabledPlugins: { "omc@hookwright": true } }));
    await init({ profile: "safety,plan" });
    expect(files()).toEqual(before);
    fs.rmSync(inProject(".claude"), { recursive: true });
    await init({ profile: "safety" });
    expect(files()).toEqual([]);
  });
});

it("what is removed was never shown by git", async () => {
  fs.rmSync(inProject(".git"), { recursive: true });
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: world.project, encoding: "utf8" });
  git("init", "-q");
  await init();
  await work();
  expect(git("status", "--porcelain")).toBe("");
  await uninstall();
  expect(git("status", "--porcelain")).toBe("");
});
