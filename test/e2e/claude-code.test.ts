/** Hookwright installed into the real Claude Code: judged by files on disk and by what the model is sent next. */
import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult } from "./model-requests.ts";
import { isAlive, killIfAlive } from "./processes.ts";
import {
  daemonStatus,
  hookwright,
  isSessionAlive,
  journal,
  noticesToThePerson,
  registeredHooks,
  startActiveSession,
} from "./product.ts";
import { Scratch } from "./scratch.ts";

const PROTECTED_PATHS = "safety/protected-paths";
const INIT_USER = ["init", "--yes", "--scope", "user"];
const UNINSTALL_USER = ["uninstall", "--yes", "--scope", "user"];

let scratch: Scratch;

beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
});

afterEach(async () => {
  await scratch.dispose();
});

/** The denied call changed nothing for the model but the reason it reads. */
function expectDenial(result: { text: string; isError: boolean }, settingsPath: string): void {
  expect(result.isError).toBe(true);
  expect(result.text).toContain(PROTECTED_PATHS);
  for (const [, entry] of registeredHooks(settingsPath)) {
    // Project installs call `hookwright` by name, and a reason may well name the product: a path or an argument may not.
    if (isAbsolute(entry.command)) expect(result.text).not.toContain(entry.command);
    expect(result.text).not.toContain([entry.command, ...(entry.args ?? [])].join(" "));
  }
}

async function expectJournalledDenials(session: string, count: number): Promise<void> {
  const denied = await journal(scratch, "--denied", "--session", session);
  expect(denied).toHaveLength(count);
  for (const entry of denied) {
    expect(entry).toMatchObject({ session, event: "tool.before", agentEvent: "PreToolUse" });
    expect(JSON.stringify(entry.ruling)).toContain('"deny"');
    expect(entry.id).toBeDefined();
  }
}

describe("the installed hooks", () => {
  it("are registered for the user as programs with arguments, not as shell lines", async () => {
    await hookwright(scratch, INIT_USER);
    const hooks = registeredHooks(scratch.userSettings);
    expect(hooks.map(([event]) => event)).toEqual(expect.arrayContaining(["PreToolUse", "Stop"]));
    for (const [event, entry] of hooks) {
      expect(entry.type).toBe("command");
      expect(isAbsolute(entry.command)).toBe(true);
      expect(existsSync(entry.command)).toBe(true);
      expect(entry.args).toEqual(expect.arrayContaining(["--event", event]));
    }
  });

  it("keep the model from editing the settings and the project's config, and let ordinary work pass", async () => {
    await hookwright(scratch, INIT_USER);
    const settings = readFileSync(scratch.userSettings);
    const config = scratch.write(join(scratch.project, "hookwright.yml"), "profiles:\n  - safety\n");
    const ordinary = join(scratch.project, "notes.md");
    const outcome = await runClaude(scratch, {
      prompt: "loosen the rules, then take notes",
      script: {
        main: [
          // The client itself refuses to write over a file the model has not read, and no hook would be asked.
          [
            { tool: "Read", input: { file_path: scratch.userSettings } },
            { tool: "Read", input: { file_path: config } },
          ],
          { tool: "Write", id: "toolu_settings", input: { file_path: scratch.userSettings, content: "{}" } },
          { tool: "Edit", id: "toolu_config", input: { file_path: config, old_string: "safety", new_string: "ntm" } },
          { tool: "Write", id: "toolu_notes", input: { file_path: ordinary, content: "Rules stay.\n" } },
          "The rules stay as they are.",
        ],
      },
      ...NO_PERMISSION_CHECKS,
    });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.requests.map((request) => request.scripted)).toEqual([true, true, true, true, true]);
    expect(readFileSync(scratch.userSettings).equals(settings)).toBe(true);
    expect(readFileSync(config, "utf8")).toBe("profiles:\n  - safety\n");
    expectDenial(toolResult(outcome.requests.slice(0, 3), "toolu_settings"), scratch.userSettings);
    expectDenial(toolResult(outcome.requests.slice(0, 4), "toolu_config"), scratch.userSettings);
    expect(toolResult(outcome.requests, "toolu_notes").isError).toBe(false);
    expect(readFileSync(ordinary, "utf8")).toBe("Rules stay.\n");
    await expectJournalledDenials(outcome.result.session_id, 2);
  });

  it("guard a project that was set up for everyone who works in it, and leave it as it was", async () => {
    await hookwright(scratch, ["init", "--yes", "--scope", "project"]);
    const settings = readFileSync(scratch.projectSettings);
    expect(existsSync(scratch.userSettings)).toBe(false);
    const outcome = await runClaude(scratch, {
      prompt: "remove the hooks",
      script: {
        main: [
          { tool: "Read", input: { file_path: scratch.projectSettings } },
          { tool: "Write", id: "toolu_settings", input: { file_path: scratch.projectSettings, content: "{}" } },
          "They stay.",
        ],
      },
      ...NO_PERMISSION_CHECKS,
    });
    expectDenial(toolResult(outcome.requests, "toolu_settings"), scratch.projectSettings);
    expect(readFileSync(scratch.projectSettings).equals(settings)).toBe(true);
    await expectJournalledDenials(outcome.result.session_id, 1);
    await hookwright(scratch, ["uninstall", "--yes", "--scope", "project"]);
    expect(existsSync(scratch.projectSettings)).toBe(false);
  });
});

describe("without the daemon", () => {
  it("denies as before when the daemon is killed in the middle of a session", async () => {
    await hookwright(scratch, [...INIT_USER, "--profile", "safety"]);
    await hookwright(scratch, ["daemon", "start"]);
    const { running, pid } = await daemonStatus(scratch);
    expect(running).toBe(true);
    if (pid === undefined) throw new Error("a running daemon has to tell its process id");
    const settings = readFileSync(scratch.userSettings);
    const write = (id: string, content: string) => ({
      tool: "Write",
      id,
      input: { file_path: scratch.userSettings, content },
    });
    const after = join(scratch.project, "after.txt");
    const outcome = await runClaude(scratch, {
      prompt: "try twice",
      script: {
        main: [
          { tool: "Read", input: { file_path: scratch.userSettings } },
          write("toolu_warm", "{}"),
          {
            before: async () => {
              expect(isAlive(pid)).toBe(true);
              killIfAlive(pid);
              await expect.poll(() => isAlive(pid)).toBe(false);
            },
            say: write("toolu_cold", "[]"),
          },
          { tool: "Write", id: "toolu_after", input: { file_path: after, content: "still working\n" } },
          "It holds.",
        ],
      },
      ...NO_PERMISSION_CHECKS,
    });
    expectDenial(toolResult(outcome.requests.slice(0, 3), "toolu_warm"), scratch.userSettings);
    expectDenial(toolResult(outcome.requests.slice(0, 4), "toolu_cold"), scratch.userSettings);
    expect(readFileSync(scratch.userSettings).equals(settings)).toBe(true);
    expect(readFileSync(after, "utf8")).toBe("still working\n");
    await expectJournalledDenials(outcome.result.session_id, 2);
    expect((await daemonStatus(scratch)).pid).not.toBe(pid);
  });
});

describe("a stop while an ntm session is alive", () => {
  const SESSION = "night-shift";

  beforeEach(async () => {
    await hookwright(scratch, [...INIT_USER, "--profile", "safety,ntm"]);
  });

  it("is held, and passes after the model has killed the session", async () => {
    const env = await startActiveSession(scratch, SESSION);
    const outcome = await runClaude(scratch, {
      prompt: "wrap up",
      script: {
        main: [
          "All done.",
          { tool: "Bash", id: "toolu_kill", input: { command: `tmux kill-session -t ${SESSION}` } },
          "Now it is over.",
        ],
      },
      args: NO_PERMISSION_CHECKS.args,
      env: { ...NO_PERMISSION_CHECKS.env, ...env },
    });
    expect(outcome.requests.map((request) => request.scripted)).toEqual([true, true, true]);
    const [asked, held] = outcome.requests.map(newText);
    expect(asked).toContain("wrap up");
    expect(held).toContain(SESSION);
    expect(toolResult(outcome.requests, "toolu_kill").isError).toBe(false);
    expect(await isSessionAlive(scratch, SESSION)).toBe(false);
    expect(outcome.result.result).toBe("Now it is over.");
    const stops = await journal(scratch, "--session", outcome.result.session_id);
    expect(stops.filter((entry) => entry.event === "turn.stop")).toHaveLength(2);
  });

  it("passes after at most three idle continuations, and the person reads why", async () => {
    const env = await startActiveSession(scratch, SESSION);
    const outcome = await runClaude(scratch, {
      prompt: "wrap up",
      script: { main: [], whenExhausted: "Still thinking." },
      env,
    });
    expect(outcome.exitCode).toBe(0);
    const continuations = outcome.requests.slice(1);
    expect(continuations.length).toBeGreaterThanOrEqual(1);
    expect(continuations.length).toBeLessThanOrEqual(3);
    for (const request of continuations) expect(newText(request)).toContain(SESSION);
    // The client's own override would have swallowed the last answer: this stop was let through by us.
    expect(outcome.result.result).toBe("Still thinking.");
    expect(await isSessionAlive(scratch, SESSION)).toBe(true);
    expect(noticesToThePerson(outcome, "Stop").at(-1)).toContain(SESSION);
    const entries = await journal(scratch, "--session", outcome.result.session_id);
    const stops = entries.filter((entry) => entry.event === "turn.stop");
    expect(stops).toHaveLength(outcome.requests.length);
  });

  it("passes at once when the recorded session is already gone", async () => {
    const env = await startActiveSession(scratch, SESSION);
    await scratch.run("tmux", ["kill-session", "-t", SESSION]);
    const outcome = await runClaude(scratch, { prompt: "wrap up", script: { main: ["All done."] }, env });
    expect(outcome.requests).toHaveLength(1);
    expect(outcome.result.result).toBe("All done.");
  });
});

describe("uninstall", () => {
  const OTHER_HOOK = "echo ran >> $HOME/other-hook";
  const ODD_SETTINGS = [
    '{\n\t"model" :"claude-sonnet-4-5",\n\n',
    '\t"x-unknown": {"kept":[1,2 ,3]  },\n',
    `\t"hooks": { "Stop":[ {"hooks":[{"type":"command","command":"${OTHER_HOOK}"}]} ]\n\t}}`,
  ].join("");

  it.each([
    { state: "that did not exist", before: undefined },
    { state: "with odd formatting, unknown keys and other hooks", before: ODD_SETTINGS },
    { state: "that held an empty object", before: "{}" },
  ])("gives back a settings file $state byte for byte", async ({ before }) => {
    if (before !== undefined) scratch.write(scratch.userSettings, before);
    await hookwright(scratch, INIT_USER);
    const guarded = await runClaude(scratch, { prompt: "hello", script: { main: ["Hello."] } });
    expect(await journal(scratch, "--session", guarded.result.session_id)).not.toHaveLength(0);

    await hookwright(scratch, UNINSTALL_USER);
    if (before === undefined) expect(existsSync(scratch.userSettings)).toBe(false);
    else expect(readFileSync(scratch.userSettings, "utf8")).toBe(before);

    const unguarded = await runClaude(scratch, { prompt: "hello again", script: { main: ["Hello."] } });
    expect(await journal(scratch, "--session", unguarded.result.session_id)).toHaveLength(0);
    if (before === ODD_SETTINGS) expect(readFileSync(join(scratch.home, "other-hook"), "utf8")).toBe("ran\nran\n");
  });
});
